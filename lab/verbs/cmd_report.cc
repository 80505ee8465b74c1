// nrs report: the paper's tables and figures from result files.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/files.h"
#include "report/report.h"
#include "verbs/verbs.h"

namespace nrs::lab {
namespace {

struct ReportOptions {
  std::string results = "results";
  std::string out = "report";
  std::string tables;
};

int run(const ReportOptions& options) {
  const Results results = load_results(options.results);
  std::filesystem::path page = options.tables;
  if (page.empty()) {
    write_report(results, options.out);
    page = std::filesystem::path(options.out) / "index.html";
  } else {
    write_tables(results, page);
  }
  StandardOutput output;
  output.write(page.string() + "\n");
  output.flush();
  return cli::kDone;
}

}  // namespace

void add_report(CLI::App& app, cli::Action& action) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* verb = app.add_subcommand(cli::kReportVerb.name, cli::kReportVerb.purpose);
  verb->add_option("--results", options->results, "folder of result files")->capture_default_str();
  verb->add_option("--out", options->out, "folder for index.html, report.md and the CSV files")
      ->capture_default_str();
  verb->add_option("--tables", options->tables,
                   "write the tables alone, as one page of Markdown, and nothing else")
      ->type_name("FILE");
  verb->footer(
      "Nothing is measured here: nrs reproduce makes the result files, docs/report.md describes "
      "them.\n"
      "example: nrs report --results results --out report");
  verb->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace nrs::lab
