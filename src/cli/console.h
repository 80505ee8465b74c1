#pragma once
// What a program of the command line is told and says, and how it ends. Knows no option parser.
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/files.h"

namespace nrs::cli {

// Exit codes that are not errors of kind ErrorKind.
inline constexpr int kDone = 0;
inline constexpr int kNotNormal = 4;  // some formulas did not reach a normal form

// What a verb does once the command line has been read; returns the exit code.
using Action = std::function<int()>;

// The option parser would take some arguments for something else: -20 for an option, [MIN12] for a
// list. Hides such an argument from it; leaves others as they are.
void hide(std::string& argument);
// An argument as the user gave it, whether it was hidden or not.
std::string as_given(const std::string& argument);

// Whether standard error is a terminal.
bool errors_are_terminal();

// One line on standard error, with the program's name in front.
void complain(const std::string& line);

// A file that appears when it is complete; without a path, or with "-", standard output.
class Output {
 public:
  explicit Output(const std::string& path);
  void write(std::string_view text);
  void commit();

 private:
  std::unique_ptr<AtomicFile> file_;
  StandardOutput standard_;
};

}  // namespace nrs::cli
