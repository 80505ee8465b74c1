#include "reproduce/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/status_line.h"

namespace nrs::lab {
namespace {

// Of one step.
constexpr double kMarkingStep = 0.032;
constexpr double kWritingStep = 0.09;
constexpr double kSolverStep = 0.02;
constexpr double kRouterStep = 0.3;

constexpr double kStudyRun = 40;

// Of one formula.
constexpr double kFastFormula = 0.002;
constexpr double kNrsFormula = 0.006;
constexpr double kRouterFormula = 0.015;
constexpr double kDeepFactor = 15;

constexpr double kLeaf = 0.0001;
constexpr double kStart = 0.05;  // of a program with a model

// So much expected time weighs as much as what was seen of this machine.
constexpr double kPrior = 20;

double of_formula(const std::string& engine) {
  if (engine == "ndr") return kRouterFormula;
  return engine == "nrs" ? kNrsFormula : kFastFormula;
}

double steps_of(const RecipeFacts& recipe, const char* module) {
  const auto found = recipe.steps.find(module);
  return found == recipe.steps.end() ? 0 : found->second;
}

}  // namespace

double training_seconds(const RecipeFacts& recipe, bool solver_only) {
  if (recipe.engine == "ndr") return steps_of(recipe, "router") * kRouterStep;
  // A Selector that writes gets the Solver of another model.
  if (recipe.engine == "nrs") return steps_of(recipe, "selector") * kWritingStep;
  const double selector = solver_only ? 0 : steps_of(recipe, "selector") * kMarkingStep;
  return selector + steps_of(recipe, "solver") * kSolverStep;
}

double study_seconds(const StudyFacts& study) {
  return study.runs * kStudyRun;
}

double eval_seconds(const std::string& engine, double formulas, bool deep) {
  return kStart + formulas * of_formula(engine) * (deep ? kDeepFactor : 1);
}

double confidence_seconds(const std::string& engine, double leaves, std::size_t domains) {
  const double formulas = 1000;
  return static_cast<double>(domains) * (formulas * of_formula(engine) + leaves * kLeaf);
}

void Pace::done(double expected, double taken) {
  expected_ += expected;
  taken_ += taken;
}

double Pace::to_go(double expected) const {
  return expected * (taken_ + kPrior) / (expected_ + kPrior);
}

std::string show_rough(double seconds) {
  const auto minutes = static_cast<long>(std::lround(std::clamp(seconds, 0.0, 1e9) / 60));
  if (minutes == 0) return "less than a minute";
  if (minutes < 60) return fmt::format("about {} min", minutes);
  return fmt::format("about {} h {} min", minutes / 60, minutes % 60);
}

Progress progress_of(const std::vector<Task>& plan, const std::vector<TaskState>& states) {
  Progress progress{.tasks = plan.size()};
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (states[i] == TaskState::kComplete) {
      ++progress.done;
    } else {
      progress.seconds_left += plan[i].seconds;
    }
  }
  return progress;
}

std::string show(const Progress& progress) {
  const std::string counted = fmt::format("{} of {} done", progress.done, progress.tasks);
  if (progress.done == progress.tasks) return counted;
  return fmt::format("{}; {} to go", counted, show_rough(progress.seconds_left));
}

std::string show_plan(const std::vector<Task>& plan, const std::vector<TaskState>& states) {
  std::size_t width = 4;
  for (const Task& task : plan) width = std::max(width, task.name.size());
  std::string text = fmt::format("{:<{}}  {:<11}  {:>8}\n", "task", width, "state", "takes");
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const bool done = states[i] == TaskState::kComplete;
    std::string line = fmt::format("{:<{}}  {:<11}  {:>8}", plan[i].name, width, name_of(states[i]),
                                   done ? "" : show_duration(plan[i].seconds));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace nrs::lab
