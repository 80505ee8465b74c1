#pragma once
// nrs learn: a rewriting system from worked examples. Knows no option parser.
#include <string>

#include "cli/lesson.h"
#include "cli/train_solver.h"

namespace nrs::cli {

// What can be learned: names of architectures.
inline const std::string kLearnRules = "rules", kLearnPatterns = "patterns",
                         kLearnNetworks = "fastnrs";

struct LearnOptions {
  std::string examples;  // as the user names them; or a model that continues
  std::string more;      // further examples for a model; may be empty
  std::string out;       // empty: nothing is written
  std::string kind = "auto";
  std::string architecture;
  int seed = 1;
  double minutes = 10;
  int threads = 2;
  bool json = false;
};

// How a Solver for a model file is trained.
inline SolverTraining solver_training(const LearnOptions& options, const std::string& model) {
  return {.minutes = options.minutes,
          .seed = options.seed,
          .threads = options.threads,
          .folder = training_folder(model)};
}

// All print what was learned and write it. They return the exit code, and throw Error.
int learn(LearnOptions options);
// Of terms: rules with variables, and a Solver for what has to be computed.
int learn_rules(const LearnOptions& options, Lesson lesson);
// A Selector and a Solver, trained on what the patterns found. Beside the model there are then
// MODEL.traces.jsonl, all formulas with all their leaves, and MODEL.toml, the recipe: nrs train
// takes both, also after someone has changed them.
int learn_networks(const LearnOptions& options, const Lesson& lesson);

}  // namespace nrs::cli
