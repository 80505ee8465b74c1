#pragma once
// This process: how it ends, what it leaves behind, its peak memory, its command line and its
// machine.
#include <sys/types.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nrs {

// From now on, the first Ctrl-C (or request to terminate) only sets interrupted(), so that work can
// end in an orderly way. The second one ends the program as usual.
void notice_interrupts();
// The number of the signal, 0 if there was none.
int interrupted();

// A temporary file, which must be removed if the program ends before it gets its final name. It is
// on a list for the lifetime of this object, and a signal that ends the program (Ctrl-C, a closed
// pipe, a request to terminate) first removes what is on the list. Ignored signals stay ignored.
class UnfinishedFile {
 public:
  // Creates it: no signal comes between that and the list.
  UnfinishedFile(std::string path, mode_t mode);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  const std::string& path() const { return path_; }
  // To write to it; whoever does so closes it. If the file exists or cannot be created, negative,
  // and errno says why. Then it is not on the list: it may be there as somebody else's.
  int descriptor() const { return descriptor_; }

 private:
  std::string path_;
  int descriptor_ = -1;
};

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

// Runs a program: prints what make_folders() made, flushes standard output, and turns errors into
// one line on standard error, with the name in front, and an exit code (ErrorKind).
int run_program(std::string_view name, const std::function<int()>& program);

}  // namespace nrs
