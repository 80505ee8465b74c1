#pragma once
// Which models a reproduction measures, and the tasks that make those that are not there yet.
#include <filesystem>
#include <string>
#include <vector>

#include "reproduce/plan.h"

namespace nrs::lab {

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

}  // namespace nrs::lab
