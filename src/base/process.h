#pragma once
// What a program knows of its own process: whether it was asked to end, the memory it took, what
// command it is and where it runs.
#include <span>
#include <string>

namespace nrs {

// From now on the first Ctrl-C (or request to terminate) only makes interrupted() say so, that work
// may come to an orderly end; the second one ends the program as usual.
void notice_interrupts();
// The number of the signal, 0 if there was none.
int interrupted();
// From now on a signal that ends the program first removes files that are not finished
// (unfinished_files.h). Signals that are ignored stay so.
void clean_up_on_signals();

// The most memory that was ever in use, in megabytes (10^6 bytes).
double peak_memory_mb();

// Words as one types them to a shell, quoted where that is needed.
std::string shell_line(std::span<const std::string> words);
// The command that started the program, as a shell would take it; empty if the system does not say.
std::string command_line();
// The processor and how many of its threads there are: "AMD EPYC 7B13, 2 threads".
std::string machine_name();

}  // namespace nrs
