// nrs dataset: the splits of the paper's data protocol as files.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/status_line.h"
#include "cli/models.h"
#include "cli/options.h"
#include "data/protocol.h"
#include "nrs/error.h"

namespace nrs::cli {
namespace {

constexpr std::string_view kMulti = "multi";  // all domains together

struct DatasetOptions {
  std::string domain;
  std::string protocol = "paper";
  std::string out;
  std::uint64_t seed = 0;
  int threads = 0;
};

std::vector<const Domain*> domains_of(std::string_view name) {
  const auto all = all_domains();
  if (name == kMulti) return {all.begin(), all.end()};
  return {&find_domain(name)};
}

int make_dataset(const DatasetOptions& options) {
  const data::ProtocolRequest request{.domains = domains_of(options.domain),
                                      .protocol = *enum_value<data::Protocol>(options.protocol),
                                      .seed = options.seed,
                                      .threads = options.threads};
  std::size_t rows = 0;
  StatusLine status(stderr, errors_are_terminal());
  const data::DatasetSummary summary =
      data::write_dataset(request, options.out, [&](const data::DataGroup& group) {
        rows += group.rows.size();
        if (!status.due()) return;
        status.show(fmt::format("{} {} {} ... {} formulas", group.domain->name(),
                                enum_name(group.part), enum_name(group.split), rows));
      });
  status.clear();
  fmt::print(stderr, "{} formulas in {} files below {}\n", summary.rows, summary.files,
             options.out);
  return kDone;
}

}  // namespace

void add_dataset(CLI::App& app, Action& action) {
  const auto [verb, options] = add_verb<DatasetOptions>(app, action, "dataset", make_dataset);
  verb->add_option("DOMAIN", options->domain, domain_names() + "; multi for all of them")
      ->required();
  verb->add_option("--protocol", options->protocol,
                   "paper: as many examples as in the paper; full: every leaf and atom for the "
                   "Solver")
      ->check(CLI::IsMember({"paper", "full"}));
  verb->add_option("--out", options->out, "folder to write to")->required();
  verb->add_option("--seed", options->seed,
                   "random seed; the same seed gives the same files on every machine");
  add_threads_option(*verb, options->threads);
  verb->footer("example: nrs dataset arithmetic --protocol paper --out data/arithmetic --seed 1");
}

}  // namespace nrs::cli
