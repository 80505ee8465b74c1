#include "verbs/python_tool.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "nrs/error.h"
#include "service/models.h"

namespace nrs::lab {
namespace {

constexpr const char* kPython = "python3";
constexpr const char* kHint = "this verb needs Python 3.11 or later";

Words command_of(const std::string& tool, const Words& arguments) {
  const std::filesystem::path file = service::shared_folder(tool);
  if (!std::filesystem::exists(file)) {
    throw Error(ErrorKind::kUsage, file.string() + " is missing", "install the program as a whole");
  }
  // -B: the folder of an installed program is not the place for compiled Python.
  Words words{kPython, "-B", file};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

}  // namespace

void become_tool(const std::string& tool, const Words& arguments) {
  Words words = command_of(tool, arguments);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::setenv("NRS", (service::program_folder() / "nrs").c_str(), /*overwrite=*/1);
  ::execvp(kPython, pointers.data());
  throw Error(ErrorKind::kIo, std::string("cannot run python3: ") + std::strerror(errno), kHint);
}

ChildEnd run_tool(const std::string& tool, const Words& arguments) {
  const Words words = command_of(tool, arguments);
  try {
    return run_child({.program = kPython, .words = words});
  } catch (const Error& error) {
    throw error.with_hint(kHint);
  }
}

}  // namespace nrs::lab
