#pragma once
// One thing that a reproduction makes, and all that is known of it before anything runs.
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fields.h"

namespace nrs::lab {

enum class TaskKind {
  kDataset,
  kTrain,  // a model: trained, or joined of the modules of others
  kModel,
  kEval,
  kTiming,
  kConfidence,
  kTraining,  // the curve of a training
  kAblation,
  kTrace,
  kReport,
};
constexpr auto enum_names(TaskKind) {
  return std::to_array<EnumName<TaskKind>>({
      {TaskKind::kDataset, "dataset"},
      {TaskKind::kTrain, "train"},
      {TaskKind::kModel, "model"},
      {TaskKind::kEval, "eval"},
      {TaskKind::kTiming, "timing"},
      {TaskKind::kConfidence, "confidence"},
      {TaskKind::kTraining, "training"},
      {TaskKind::kAblation, "ablation"},
      {TaskKind::kTrace, "trace"},
      {TaskKind::kReport, "report"},
  });
}

struct Task {
  std::string name{};  // "eval/arithmetic.arithmetic.1-6"
  TaskKind kind = TaskKind::kEval;
  std::string model{};           // whose name `--names` may choose; empty: of no model
  std::filesystem::path file{};  // what it makes
  // Words for nrs. Empty: nothing is run, the file is made of `source`.
  std::vector<std::string> command{};
  // The command as one types it beside recipes/ and models/: results name it, so it says nothing
  // of the machine.
  std::string shown{};
  std::vector<std::string> needs{};  // names of tasks that come first
  // What the file is made of. Of a result: the model it is about. Of a model: those whose modules
  // it takes, and its recipe. Of an ablation: the study.
  std::vector<std::filesystem::path> models{};
  std::filesystem::path source{};
  double seconds = 0;  // expected, on two cores
};

}  // namespace nrs::lab
