#pragma once
// A Solver from questions and answers, trained by the program that knows libtorch.
#include <cstdint>
#include <span>

#include "data/pair_file.h"
#include "model/model_file.h"

namespace nrs::cli {

struct SolverTraining {
  double minutes = 10;  // about; estimated, so that the result does not depend on the clock
  int seed = 1;
  int threads = 2;
  bool quiet = false;  // no progress on standard error
};

// A model with a Solver and nothing else: its guard and its threshold come from pairs that were
// kept from it, and model::Model::results say how many of these it gets right. The same pairs and
// training give the same bytes. Throws Error: (usage) if this build cannot train, (I/O) if the
// training failed; it has said why on standard error.
model::Model train_solver(std::span<const data::TaughtPair> pairs, const SolverTraining& training);

}  // namespace nrs::cli
