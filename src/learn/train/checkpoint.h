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

// The last two checkpoints of a run: the one before stays until the new one is whole, and is what
// is left if the last turns out to be damaged.
class CheckpointStore {
 public:
  // Of the run that makes this model.
  explicit CheckpointStore(const std::filesystem::path& model);

  // Whole or not at all. Throws Error (I/O).
  void save(const Checkpoint& checkpoint);
  // `note` is told if the last one could not be used. Throws Error (input) if neither is sound.
  Checkpoint load(const std::function<void(const std::string&)>& note) const;
  void remove();

 private:
  std::filesystem::path last_;
  std::filesystem::path before_;
};

}  // namespace nrs::learn
