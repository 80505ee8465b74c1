#include "verbs/verbs.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <vector>

#include "base/process.h"
#include "service/models.h"

namespace nrs::lab {
namespace {

constexpr const char* kList = "--tasks";

}  // namespace

void add_task_options(CLI::App& verb, HandedOut& options) {
  CLI::Option* list = verb.add_flag(
      kList, options.list,
      "run nothing; print a command for each training that could begin now, for nrs bulk plan "
      "--commands");
  verb.add_option("--task", options.task, "what such a command does: this training, and no more")
      ->type_name("TASK")
      ->excludes(list);
}

std::string command_for(const std::string& task) {
  std::vector<std::string> words = command_words();
  words.front() = (service::program_folder() / "nrs").string();
  std::erase(words, kList);
  words.insert(words.end(), {"--task", task});
  const std::vector<std::string> folder{"cd", std::filesystem::current_path().string()};
  return fmt::format("{} && {}\n", shell_line(folder), shell_line(words));
}

}  // namespace nrs::lab
