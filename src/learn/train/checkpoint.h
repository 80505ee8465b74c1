#pragma once
// Where a training run can go on: everything that the next step depends on, in one file.
#include <torch/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "learn/train/optimiser.h"
#include "learn/train/trainer.h"
#include "learn/train/training_task.h"

namespace nrs::learn {

// A module whose training has ended. Its weights are those of the best validation.
struct FinishedModule {
  torch::Tensor weights;  // [N], in the order of the module's parameters
  TrainingTask::Results results;
};

// The run of a module that has not.
struct RunningModule {
  std::string name;
  TrainState state;
  FlatAdam::State tensors;
  std::vector<float> sampler;
};

// Random draws are functions of seed and step, so the step is all the state that they have.
struct Checkpoint {
  std::string recipe;  // as TOML
  std::string only;    // the module asked for; empty: all
  std::uint64_t metrics_size = 0;
  std::map<std::string, FinishedModule> finished{};
  std::optional<RunningModule> running{};
};

// The last two checkpoints of the run that makes `model` are kept: the one before stays until the
// new one is whole, and is what is left if the last turns out to be damaged.

// Whole or not at all. Throws Error (I/O).
void save_checkpoint(const std::filesystem::path& model, const Checkpoint& checkpoint);
// `note` is told if the last one could not be used. Throws Error (input) if neither is sound.
Checkpoint load_checkpoint(const std::filesystem::path& model,
                           const std::function<void(const std::string&)>& note);
void remove_checkpoints(const std::filesystem::path& model);

}  // namespace nrs::learn
