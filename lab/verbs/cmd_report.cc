// nrs report: the paper's tables and figures from result files. A tool in Python makes them; here
// they are written.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/output_target.h"
#include "verbs/python_tool.h"
#include "verbs/verbs.h"

namespace nrs::lab {
namespace {

struct ReportOptions {
  std::string results = "results";
  std::string out = "report";
  std::string tables;
};

int run(const ReportOptions& options) {
  const bool tables = !options.tables.empty();
  const ChildEnd made =
      run_tool("report/report.py", {tables ? "tables" : "pages", options.results});
  if (made.code != cli::kDone) return made.code;
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

}  // namespace

void add_report(CLI::App& app, cli::Action& action) {
  const auto [verb, options] = cli::add_verb<ReportOptions>(app, action, "report", run);
  verb->add_option("--results", options->results, "folder of result files");
  verb->add_option("--out", options->out, "folder for index.html, report.md and the CSV files");
  verb->add_option("--tables", options->tables,
                   "write the tables alone, as one page of Markdown, and nothing else")
      ->type_name("FILE");
  verb->footer(
      "Nothing is measured here: nrs reproduce makes the result files, docs/report.md describes "
      "them.\n"
      "example: nrs report --results results --out report");
}

}  // namespace nrs::lab
