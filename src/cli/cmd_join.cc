// nrs join: the Selector of one model and the Solver of another in one file.
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
};

int run(const JoinOptions& options) {
  const Model selector = load_model(find_model(options.selector));
  const Model solver = load_model(find_model(options.solver));
  const std::string stem = std::filesystem::path(options.out).stem().string();
  save_model(options.out,
             join_models(selector, solver, options.name.empty() ? stem : options.name));
  return kDone;
}

}  // namespace

void add_join(CLI::App& app, Action& action) {
  auto options = std::make_shared<JoinOptions>();
  CLI::App* verb =
      app.add_subcommand("join", "make a model of one's Selector and another's Solver");
  verb->add_option("--selector", options->selector, "the model whose Selector is taken")
      ->required();
  verb->add_option("--solver", options->solver, "the model whose Solver is taken")->required();
  verb->add_option("--out", options->out, "the file to write")->required();
  verb->add_option("--name", options->name, "of the new model; else that of the file");
  verb->footer(
      "Both architectures share Solvers.\n"
      "example: nrs join --selector nrs-logic.nrs --solver logic --out models/nrs-logic.nrs");
  verb->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace nrs
