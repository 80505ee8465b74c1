#include "cli/console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <exception>
#include <new>

#include "base/files.h"
#include "base/output_target.h"
#include "nrs/error.h"

namespace nrs {

int run_guarded(const Action& program) {
  tell_of_folders(
      [](const std::filesystem::path& folder) { complain("made the folder " + folder.string()); });
  try {
    const int code = program();
    StandardOutput().flush();
    return code;
  } catch (const Error& error) {
    complain(error.line());
    return static_cast<int>(error.kind());
  } catch (const std::bad_alloc&) {
    complain("out of memory");
    return 1;
  } catch (const std::exception& error) {
    complain(std::string("internal error: ") + error.what());
    return 1;
  }
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

}  // namespace nrs
