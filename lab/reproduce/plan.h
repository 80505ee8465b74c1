#pragma once
// What a reproduction consists of: all tasks, each behind those that it needs. Made of what is
// known beforehand, so a plan can be looked at before anything runs.
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "reproduce/release.h"
#include "reproduce/task.h"

namespace nrs::lab {

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

struct ShippedModel {
  std::string name{};
  std::filesystem::path file{};
  std::string engine{};
  std::vector<std::string> domains{};
};

// What there is to work with.
struct PlanSources {
  std::filesystem::path recipes_folder{};
  Release release{};
  std::vector<ShippedModel> shipped{};
  std::filesystem::path studies_folder{};
  std::vector<StudyFacts> studies{};
  std::filesystem::path published{};  // the file of the paper's numbers
};

// In the folder of a reproduction.
std::filesystem::path report_folder(const std::filesystem::path& out);

// Which models are measured, and the tasks that make those that are not there yet.
struct PlannedModel {
  std::string name{};
  std::filesystem::path file{};
  std::string engine{};
  std::vector<std::string> domains{};
  std::string task{};               // that makes it; empty: it is there
  std::filesystem::path metrics{};  // of its training; empty: not known
  std::string trained_by{};         // the command
};

struct ModelPlan {
  std::vector<PlannedModel> models{};  // in the order of their names
  std::vector<Task> tasks{};
};

ModelPlan plan_models(const PlanOptions& options, const PlanSources& sources);

// Each behind those that it needs. What the chosen tasks need comes with them. Throws Error
// (usage) for a name that no model has.
std::vector<Task> make_plan(const PlanOptions& options, const PlanSources& sources);

}  // namespace nrs::lab
