#pragma once
// nrs learn, for terms: rules with variables, and a Solver for what has to be computed.
#include <string>

#include "cli/lesson.h"
#include "cli/train_solver.h"

namespace nrs::cli {

struct LearnOptions {
  std::string examples;  // as the user names them; or a model, which goes on
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

// Prints what was learned and writes it. Returns the exit code. Throws Error.
int learn_rules(const LearnOptions& options, Lesson lesson);

}  // namespace nrs::cli
