#include "cli/other_program.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/child.h"
#include "cli/console.h"
#include "nrs/error.h"
#include "service/models.h"

namespace nrs::cli {
namespace {

namespace fs = std::filesystem;

// The launcher sets it; only what is built by that script has its preset's name for a folder.
constexpr const char* kBuilder = "NRS_BUILD";

void build(const OtherProgram& other) {
  const char* script = std::getenv(kBuilder);
  if (script == nullptr) return;
  const std::string preset = service::program_folder().parent_path().filename().string();
  const ChildEnd end = run_child({.program = script, .words = {script, preset, other.name}});
  if (end.code != 0) throw Error(ErrorKind::kIo, other.name + " could not be built");
  // Whoever we start, such as a training of many, finds it as it is now.
  if (other.name == trainer().name) ::unsetenv(kBuilder);
}

}  // namespace

OtherProgram trainer() {
  return {"nrs-learn", "train", "build with -D NRS_LEARN=ON, which needs libtorch"};
}

fs::path find_program(const OtherProgram& other) {
  build(other);
  const fs::path program = service::program_folder() / other.name;
  if (fs::exists(program)) return program;
  throw Error(ErrorKind::kUsage,
              "this build cannot " + other.purpose + ": there is no " + program.string(),
              other.hint);
}

int run_other(const OtherProgram& other, std::vector<std::string> command) {
  const fs::path program = find_program(other);
  std::vector<char*> words;
  for (std::string& word : command) {
    word = as_given(word);
    words.push_back(word.data());
  }
  words.push_back(nullptr);
  ::execv(program.c_str(), words.data());
  throw Error(ErrorKind::kIo, program.string() + ": cannot run: " + std::strerror(errno));
}

}  // namespace nrs::cli
