#include "cli/other_program.h"

#include "cli/models.h"
#include "nrs/error.h"

namespace nrs {

namespace fs = std::filesystem;

OtherProgram trainer() {
  return {"nrs-learn", "train", "build with -D NRS_LEARN=ON, which needs libtorch"};
}

fs::path find_program(const OtherProgram& other) {
  const fs::path program = program_folder() / other.name;
  if (fs::exists(program)) return program;
  throw Error(ErrorKind::kUsage,
              "this build cannot " + other.purpose + ": there is no " + program.string(),
              other.hint);
}

}  // namespace nrs
