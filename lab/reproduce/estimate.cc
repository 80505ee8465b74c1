#include "reproduce/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/status_line.h"

namespace nrs::lab {
namespace {

// Of a formula, and of a step of each module's training.
struct Costs {
  std::string_view engine;
  double formula;
  double selector_step, solver_step, router_step;
};
constexpr std::array kCosts{
    Costs{"fastnrs", 0.002, 0.032, 0.02, 0},
    Costs{"nrs", 0.006, 0.09, 0, 0},  // its Selector writes, its Solver is that of another model
    Costs{"ndr", 0.015, 0, 0, 0.3},
};
constexpr double kDeepFactor = 15;  // of a formula

constexpr double kStudyRun = 40;
constexpr double kLeaf = 0.0001;
constexpr double kStart = 0.05;  // of a program with a model

// So much expected time weighs as much as what was seen of this machine.
constexpr double kPrior = 20;

const Costs& costs_of(const std::string& engine) {
  const auto found = std::ranges::find(kCosts, engine, &Costs::engine);
  return found == kCosts.end() ? kCosts.front() : *found;
}

}  // namespace

double training_seconds(const RecipeFacts& recipe, bool solver_only) {
  const Costs& costs = costs_of(recipe.engine);
  const auto steps = [&](const char* module) {
    const auto found = recipe.steps.find(module);
    return found == recipe.steps.end() ? 0 : found->second;
  };
  return (solver_only ? 0 : steps("selector") * costs.selector_step) +
         steps("solver") * costs.solver_step + steps("router") * costs.router_step;
}

double study_seconds(const StudyFacts& study) {
  return study.runs * kStudyRun;
}

double eval_seconds(const std::string& engine, double formulas, bool deep) {
  return kStart + formulas * costs_of(engine).formula * (deep ? kDeepFactor : 1);
}

double confidence_seconds(const std::string& engine, double leaves, std::size_t domains) {
  const double formulas = 1000;
  return static_cast<double>(domains) * (formulas * costs_of(engine).formula + leaves * kLeaf);
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
    std::string line =
        fmt::format("{:<{}}  {:<11}  {:>8}", plan[i].name, width, enum_name(states[i]),
                    done ? "" : show_duration(plan[i].seconds));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace nrs::lab
