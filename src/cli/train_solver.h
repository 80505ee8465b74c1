#pragma once
// A Solver from questions and answers, trained by the program that knows libtorch.
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/pair_file.h"
#include "model/model_file.h"

namespace nrs::cli {

// Of fewer pairs nothing can be generalised.
inline constexpr std::size_t kFewestPairs = 100;

struct SolverTraining {
  double minutes = 10;  // about; estimated, so that the result does not depend on the clock
  int seed = 1;
  int threads = 2;
  bool quiet = false;               // no progress on standard error
  std::filesystem::path folder{};   // where a training that was interrupted waits; empty: nowhere
  std::filesystem::path goes_on{};  // a model whose Solver is trained further; empty: a new one
};

struct TrainedSolver {
  // A model with a Solver and nothing else: its guard and its threshold come from pairs that were
  // kept from it, and model::Model::results say how many of these it gets right. Nothing if the
  // training was interrupted before there was one.
  std::optional<model::Model> model;
  bool interrupted = false;  // then it is the best so far, and the same call continues from there
};

// The same pairs and training give the same bytes. Throws Error: (usage) if this build cannot
// train, (I/O) if the training failed; it has said why on standard error.
TrainedSolver train_solver(std::span<const data::TaughtPair> pairs, const SolverTraining& training);

// Runs the trainer; returns its exit code if it was interrupted, and 0 else. Throws Error (I/O)
// with this complaint if it failed; it has said why.
int run_trainer(std::vector<std::string> words, const std::string& complaint);

// Where the trainings of a model wait until it is done; empty for no model.
std::filesystem::path training_folder(const std::filesystem::path& model);

// To be called when the model is written. If a training was interrupted, says how to continue it;
// otherwise clears the folder. Returns the exit code.
int end_trainings(const std::filesystem::path& model, const SolverTraining& training,
                  bool interrupted);

}  // namespace nrs::cli
