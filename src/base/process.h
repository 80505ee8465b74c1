#pragma once
// Facts about this process: whether it was asked to end, its peak memory, its command line and its
// machine.
#include <span>
#include <string>
#include <vector>

namespace nrs {

// From now on, the first Ctrl-C (or request to terminate) only sets interrupted(), so that work can
// end in an orderly way. The second one ends the program as usual.
void notice_interrupts();
// The number of the signal, 0 if there was none.
int interrupted();
// From now on a signal that ends the program first removes files that are not finished
// (unfinished_files.h). Ignored signals stay ignored.
void clean_up_on_signals();

// Peak memory in megabytes (10^6 bytes).
double peak_memory_mb();

// Words as one types them in a shell, quoted where needed.
std::string shell_line(std::span<const std::string> words);
// The words of the command that started the program; none if the system does not say.
std::vector<std::string> command_words();
// The same, as a shell would take it, without the folder of the program.
std::string command_line();
// The processor and its number of threads: "AMD EPYC 7B13, 2 threads".
std::string machine_name();

}  // namespace nrs
