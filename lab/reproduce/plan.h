#pragma once
// What a reproduction consists of: all tasks, each behind those that it needs. Made of what is
// known beforehand, so a plan can be looked at before anything runs.
#include <array>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/fields.h"
#include "reproduce/release.h"

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

// One thing that a reproduction makes, and all that is known of it before anything runs.
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

enum class TaskState {
  kComplete,
  kOutstanding,
  kStale,  // its file is there, but was made of another model, recipe or command
};
constexpr auto enum_names(TaskState) {
  return std::to_array<EnumName<TaskState>>({
      {TaskState::kComplete, "done"},
      {TaskState::kOutstanding, "outstanding"},
      {TaskState::kStale, "stale"},
  });
}

enum class ModelChoice { kTrain, kShipped };

struct PlanOptions {
  std::filesystem::path out = "reproduction";
  ModelChoice models = ModelChoice::kTrain;
  bool quick = false;                // two short trainings; other models are those that ship
  std::set<TaskKind> only{};         // empty: all
  std::vector<std::string> names{};  // of models; empty: all
  std::uint64_t seed = 20261116;     // of the formulas; nobody trains with it
  int count = 1000;                  // formulas per level
  // Where the metrics of models that ship may be.
  std::vector<std::filesystem::path> metrics{};
};

// A model that is measured.
struct PlannedModel {
  std::string name{};
  std::filesystem::path file{};
  std::string engine{};
  std::vector<std::string> domains{};
  std::string task{};               // that makes it; empty: it is there
  std::filesystem::path metrics{};  // of its training; empty: not known
  std::string trained_by{};         // the command
};

// What there is to work with.
struct PlanSources {
  std::filesystem::path recipes_folder{};
  Release release{};
  std::vector<PlannedModel> shipped{};  // without what is known of their trainings
  std::filesystem::path studies_folder{};
  std::vector<StudyFacts> studies{};
  std::filesystem::path published{};  // the file of the paper's numbers
};

// In the folder of a reproduction.
std::filesystem::path report_folder(const std::filesystem::path& out);

// Each behind those that it needs. What the chosen tasks need comes with them. Throws Error
// (usage) for a name that no model has.
std::vector<Task> make_plan(const PlanOptions& options, const PlanSources& sources);

// For make_plan(). A command is written as one types it; this puts the folders of this machine in
// the place of recipes/, studies/, models/, parts/, data/ and results.
std::vector<std::string> here(std::vector<std::string> typed, const PlanOptions& options,
                              const PlanSources& sources);
// Which models are measured, in the order of their names. Adds the tasks that make those that are
// not there yet.
std::vector<PlannedModel> plan_models(const PlanOptions& options, const PlanSources& sources,
                                      std::vector<Task>& tasks);

}  // namespace nrs::lab
