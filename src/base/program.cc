#include "base/program.h"

#include <fmt/format.h>

#include <exception>
#include <new>

#include "base/files.h"
#include "base/output_target.h"
#include "nrs/error.h"

namespace nrs {

int run_program(std::string_view name, const std::function<int()>& program) {
  const auto complain = [name](std::string_view line) {
    fmt::print(stderr, "{}: {}\n", name, line);
  };
  tell_of_folders(
      [&](const std::filesystem::path& folder) { complain("made the folder " + folder.string()); });
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

}  // namespace nrs
