// nrs join: the Selector of one model and the Solver of another in one file.
#include <CLI/CLI.hpp>
#include <filesystem>

#include "cli/models.h"
#include "cli/options.h"
#include "model/join.h"

namespace nrs::cli {
namespace {

struct JoinOptions {
  std::string selector;
  std::string solver;
  std::string out;
  std::string name;
  bool half = false;
  bool share_selector = false;
  bool share_solver = false;
};

int run(const JoinOptions& options) {
  const std::filesystem::path selector_file = model_file(options.selector);
  const std::filesystem::path solver_file = model_file(options.solver);
  const model::Model selector = model::load_model(selector_file);
  const model::Model solver = model::load_model(solver_file);
  const std::string stem = std::filesystem::path(options.out).stem().string();
  model::Model joined =
      model::join_models(selector, solver, options.name.empty() ? stem : options.name);
  if (options.share_selector) model::share_module(joined, "selector", selector_file, options.out);
  if (options.share_solver) model::share_module(joined, "solver", solver_file, options.out);
  if (options.half) model::round_to_half(joined);
  model::save_model(options.out, joined);
  return kDone;
}

}  // namespace

void add_join(CLI::App& app, Action& action) {
  const auto [verb, options] = add_verb<JoinOptions>(app, action, "join", run);
  verb->add_option("--selector", options->selector, "the model whose Selector is taken")
      ->required();
  verb->add_option("--solver", options->solver, "the model whose Solver is taken")->required();
  verb->add_option("--out", options->out, "the file to write")->required();
  verb->add_option("--name", options->name, "name of the new model; default: that of the file");
  verb->add_flag("--half", options->half,
                 "round the weights to 16 bits: the file is half as large, but answers may differ");
  verb->add_flag("--share-selector", options->share_selector,
                 "refer to the Selector's file instead of storing the Selector again; the file "
                 "must be in the folder of OUT");
  verb->add_flag("--share-solver", options->share_solver, "the same for the Solver");
  verb->footer(
      "Models are given by name (nrs info lists them) or as files. For a copy of half the size, "
      "give\n"
      "the same model twice, with --half.\n"
      "example: nrs join --selector nrs-logic --solver logic-paper --out joined.nrs");
}

}  // namespace nrs::cli
