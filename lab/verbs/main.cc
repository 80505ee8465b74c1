// The program `nrs-lab`: studies, the whole chain of results, the report, and other people's
// models. `nrs` runs it. Apart, because running a model needs none of it and would have to wait for
// its build. And what its verbs share.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <vector>

#include "base/process.h"
#include "service/models.h"
#include "verbs/verbs.h"

namespace nrs::lab {
namespace {

constexpr const char* kList = "--tasks";

}  // namespace

void add_task_options(CLI::App& verb, HandedOut& options) {
  CLI::Option* list = verb.add_flag(kList, options.list,
                                    "run nothing; print a command for each training that can start "
                                    "now, for nrs bulk plan --commands");
  verb.add_option("--task", options.task, "run only this training, as the commands of --tasks do")
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

int main(int argc, char** argv) {
  using namespace nrs::lab;
  return nrs::cli::run_program("Reproduces and studies results, and draws them.",
                               {add_report, add_reproduce, add_tune, add_ablate, add_baseline},
                               argc, argv);
}
