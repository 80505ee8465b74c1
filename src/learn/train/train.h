#pragma once
// Trains what a recipe asks for and writes the model. No torch here: the command line uses it.
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "recipe/recipe.h"

namespace nrs::learn {

struct TrainRequest {
  recipe::Recipe recipe;
  std::filesystem::path out;  // the model; beside it OUT.checkpoint and OUT.metrics.jsonl
  std::string only = {};      // the module to train; empty: all
  bool resume = false;
  // If only the Selector is trained: the model whose Solver goes into OUT. Empty: the one in OUT.
  std::filesystem::path solver_from = {};
  // A model whose weights are trained further, if it has a module of the same sizes and tokens.
  std::filesystem::path goes_on = {};
  // An interrupted run writes the best weights so far as a model, beside its checkpoint.
  bool keep_best = false;

  bool wants(std::string_view module) const { return only.empty() || only == module; }
};

// Where the training of a module stands.
struct TrainingProgress {
  std::string_view module;
  int step = 0;
  int steps = 0;
  double loss = 0;
  double rate = 0;
  double in_distribution = -1;  // last validation, fraction exactly right; -1: none yet
  double out_of_distribution = -1;
  double steps_per_second = 0;
  double seconds_left = 0;
};

struct TrainWatch {
  // Asked often; true ends the run after a checkpoint.
  std::function<bool()> stop = [] { return false; };
  std::function<void(const TrainingProgress&)> on_step = [](const auto&) {};
  std::function<void(const TrainingProgress&)> on_validation = [](const auto&) {};
  std::function<void(const std::string&)> on_note = [](const auto&) {};  // a line for people
};

enum class RunEnd { kDone, kInterrupted };

// Throws Error. Whatever happens, the files under their names are whole.
RunEnd train(const TrainRequest& request, const TrainWatch& watch);

}  // namespace nrs::learn
