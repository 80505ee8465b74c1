#include "cli/self_run.h"

#include "cli/console.h"
#include "cli/models.h"
#include "nrs/error.h"

namespace nrs {

ChildEnd run_self(std::vector<std::string> arguments, const NamelessFile& input) {
  arguments.insert(arguments.begin(), "nrs");
  ChildEnd end = run_child(
      {.program = program_folder() / "nrs", .words = arguments, .input = &input});
  if (end.code != kDone && end.code != kNotNormal) {
    throw Error(ErrorKind::kIo, "nrs " + arguments[1] + " failed");
  }
  return end;
}

}  // namespace nrs
