// nrs join: the Selector of one model and the Solver of another in one file.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/models.h"
#include "cli/options.h"
#include "model/join.h"

namespace nrs {
namespace {

struct JoinOptions {
  std::string selector;
  std::string solver;
  std::string out;
  std::string name;
  bool half = false;
};

int run(const JoinOptions& options) {
  const Model selector = load_model(find_model(options.selector));
  const Model solver = load_model(find_model(options.solver));
  const std::string stem = std::filesystem::path(options.out).stem().string();
  Model joined = join_models(selector, solver, options.name.empty() ? stem : options.name);
  if (options.half) round_to_half(joined);
  save_model(options.out, joined);
  return kDone;
}

}  // namespace

void add_join(CLI::App& app, Action& action) {
  auto options = std::make_shared<JoinOptions>();
  CLI::App* verb = app.add_subcommand(
      "join", "put the Selector of one model and the Solver of another into one file");
  verb->add_option("--selector", options->selector, "the model whose Selector is taken")
      ->required();
  verb->add_option("--solver", options->solver, "the model whose Solver is taken")->required();
  verb->add_option("--out", options->out, "the file to write")->required();
  verb->add_option("--name", options->name, "name of the new model; default: that of the file");
  verb->add_flag("--half", options->half,
                 "round the weights to 16 bits: the file is half as large, the answers may differ");
  verb->footer(
      "Models are given by name (nrs info lists them) or as files. For a copy of half the size, "
      "give\n"
      "the same model twice, with --half.\n"
      "example: nrs join --selector nrs-logic --solver logic-paper --out joined.nrs");
  verb->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace nrs
