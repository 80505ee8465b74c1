#include "cli/console.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/process.h"

namespace nrs::cli {

int run_guarded(const Action& program) {
  return run_program("nrs", program);
}

bool output_is_terminal() {
  return ::isatty(STDOUT_FILENO) == 1;
}
bool errors_are_terminal() {
  return ::isatty(STDERR_FILENO) == 1;
}

void complain(const std::string& line) {
  fmt::print(stderr, "nrs: {}\n", line);
}

}  // namespace nrs::cli
