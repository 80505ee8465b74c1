// nrs report and nrs baseline: tools of the laboratory that are written in Python. They lie beside
// the other shared files of the program, and need Python 3.11 or later with its standard library.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/child.h"
#include "base/files.h"
#include "nrs/error.h"
#include "service/models.h"
#include "verbs/verbs.h"

namespace nrs::lab {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kPython = "python3";
constexpr const char* kHint = "this verb needs Python 3.11 or later";

// Throws Error (usage) if the tool was not installed.
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

struct ReportOptions {
  std::string results = "results";
  std::string out = "report";
  std::string tables;
};

// The tool makes the texts of the report; here they are written, as all files are.
int report(const ReportOptions& options) {
  const bool tables = !options.tables.empty();
  const Words words =
      command_of("report/report.py", {tables ? "tables" : "pages", options.results});
  ChildEnd made;
  try {
    made = run_child({.program = kPython, .words = words});
  } catch (const Error& error) {
    throw error.with_hint(kHint);
  }
  if (made.code != cli::kDone) return made.code;  // it has said why
  const auto files = nlohmann::ordered_json::parse(made.output);
  std::filesystem::path page = options.tables;
  if (!tables) make_output_folder(options.out);
  // The last one is the page that shows the others.
  for (const auto& [name, text] : files.items()) {
    if (!tables) page = std::filesystem::path(options.out) / name;
    write_file(page, text.get<std::string>());
  }
  print(page.string() + "\n");
  return cli::kDone;
}

// Becomes the tool, which reads the options and prints the help. It finds the program nrs in the
// environment, as NRS.
[[noreturn]] void ask_language_model(Words options) {
  for (std::string& option : options) option = cli::as_given(option);
  Words words = command_of("language_models/ask.py", options);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::setenv("NRS", (service::program_folder() / "nrs").c_str(), /*overwrite=*/1);
  ::execvp(kPython, pointers.data());
  throw Error(ErrorKind::kIo, std::string("cannot run python3: ") + std::strerror(errno), kHint);
}

}  // namespace

void add_report(CLI::App& app, cli::Action& action) {
  const auto [verb, options] = cli::add_verb<ReportOptions>(app, action, "report", report);
  verb->add_option("--results", options->results, "folder of result files");
  verb->add_option("--out", options->out, "folder for index.html, report.md and the CSV files");
  verb->add_option("--tables", options->tables, "write only the tables, as one Markdown page")
      ->type_name("FILE");
  verb->footer(
      "Nothing is measured here: nrs reproduce makes the result files, and docs/report.md "
      "describes them.\n"
      "example: nrs report --results results --out report");
}

void add_baseline(CLI::App& app, cli::Action& action) {
  CLI::App* verb = cli::add_verb(app, "baseline");
  verb->require_subcommand(1);
  CLI::App* llm = verb->add_subcommand("llm", "test a language model on the same formulas");
  llm->prefix_command();
  llm->set_help_flag();
  cli::on_call(*llm, action, [llm]() -> int { ask_language_model(llm->remaining()); });
}

}  // namespace nrs::lab
