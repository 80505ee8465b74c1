#include "cli/self_run.h"

#include "base/text.h"
#include "cli/console.h"
#include "nrs/error.h"
#include "service/models.h"

namespace nrs::cli {

ChildEnd run_self(std::vector<std::string> arguments, const NamelessFile& input) {
  arguments.insert(arguments.begin(), "nrs");
  // What it complains of is shown once, if at all, and not in each of many runs.
  ChildEnd end = run_child({.program = service::program_folder() / "nrs",
                            .words = arguments,
                            .input = &input,
                            .keep_errors = true});
  if (end.code != kDone && end.code != kNotNormal) {
    throw Error(ErrorKind::kIo, "nrs " + arguments[1] + " failed: " + last_line(end.errors));
  }
  return end;
}

}  // namespace nrs::cli
