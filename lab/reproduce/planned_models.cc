// Which models a reproduction measures, and the tasks that make them.
#include <fmt/format.h>

#include <algorithm>

#include "base/process.h"
#include "model/training_files.h"
#include "reproduce/estimate.h"
#include "reproduce/plan.h"

namespace nrs::lab {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

constexpr double kJoinSeconds = 0.2;
constexpr double kCompileSeconds = 150;

// Files as one types them.
std::string recipe_file(const RecipeFacts& facts) {
  return "recipes/" + facts.file.filename().string();
}
std::string model_file(const std::string& model) {
  return "models/" + model + ".nrs";
}
// Modules that are joined afterwards are trained in another folder.
std::string part_file(const std::string& model) {
  return "parts/" + model + ".nrs";
}

// The task that makes such a file.
std::string task_of(const fs::path& file) {
  return "train/" + file.stem().string() + (file.parent_path() == "parts" ? ".parts" : "");
}

const PlannedModel* find(const std::vector<PlannedModel>& models, const std::string& name) {
  const auto found = std::ranges::find(models, name, &PlannedModel::name);
  return found == models.end() ? nullptr : &*found;
}

class ModelPlanner {
 public:
  ModelPlanner(const PlanOptions& options, const PlanSources& sources, std::vector<Task>& tasks)
      : options_(options), sources_(sources), tasks_(tasks) {}

  std::vector<PlannedModel> plan() {
    if (options_.models == ModelChoice::kTrain && options_.quick) {
      for (const QuickModel& quick : sources_.release.quick) add(quick);
    } else if (options_.models == ModelChoice::kTrain) {
      for (const ReleasedModel& model : sources_.release.models) add(model);
    }
    if (options_.models == ModelChoice::kShipped || options_.quick) add_shipped();
    std::ranges::sort(models_, {}, &PlannedModel::name);
    return std::move(models_);
  }

 private:
  // A short training by the recipe alone.
  void add(const QuickModel& quick) {
    RecipeFacts facts = quick.facts;
    Words words{"train", recipe_file(facts)};
    for (const auto& [module, steps] :
         {std::pair{"selector", quick.selector_steps}, std::pair{"solver", quick.solver_steps}}) {
      if (steps == 0) continue;
      facts.steps[module] = steps;
      words.insert(words.end(), {"--set", fmt::format("train.{}.steps={}", module, steps)});
    }
    words.insert(words.end(), {"--out", model_file(quick.name)});
    Task& task = add_task(quick.name, words);
    task.source = facts.file;
    task.seconds = training_seconds(facts, false);
    add_model(quick.name, facts, task.file, task.shown);
  }

  void add(const ReleasedModel& model) {
    if (model.compiled()) return add_compilation(model);
    fs::path trained;
    std::string command;
    if (model.trains()) {
      const Task& task = add_training(model);
      trained = task.file;
      command = task.shown;
    }
    if (model.joined()) {
      const Task& task = add_join(model);
      if (command.empty()) command = task.shown;
    }
    add_model(model.name, model.facts, trained, command);
  }

  // Of the modules of its own.
  const Task& add_training(const ReleasedModel& model) {
    const bool solver_only = !model.selector_from.empty();
    Words words{"train", recipe_file(model.facts)};
    if (solver_only) words.insert(words.end(), {"--only", "solver"});
    if (!model.solver_from.empty()) {
      words.insert(words.end(), {"--solver-from", model_file(model.solver_from)});
    }
    words.insert(words.end(),
                 {"--out", model.joined() ? part_file(model.name) : model_file(model.name)});
    Task& task = add_task(model.name, words);
    task.source = model.facts.file;
    task.seconds = training_seconds(model.facts, solver_only);
    if (!model.solver_from.empty()) take(model_file(model.solver_from), task);
    return task;
  }

  const Task& add_join(const ReleasedModel& model) {
    const auto module = [&](const std::string& from) {
      return from.empty() ? part_file(model.name) : model_file(from);
    };
    const std::string selector = module(model.selector_from), solver = module(model.solver_from);
    Words words{"join", "--selector", selector, "--solver", solver};
    for (const std::string& shared : model.shares) words.push_back("--share-" + shared);
    if (model.half) words.emplace_back("--half");
    words.insert(words.end(), {"--out", model_file(model.name)});
    Task& task = add_task(model.name, words);
    take(selector, task);
    take(solver, task);
    task.seconds = kJoinSeconds;
    return task;
  }

  // It is made, but not measured: it answers what the model answers that it is made of.
  void add_compilation(const ReleasedModel& model) {
    const std::string from = model_file(model.compiled_from);
    Task& task =
        add_task(model.name, {"compile", from, "--share", "--out", model_file(model.name)});
    take(from, task);
    task.seconds = kCompileSeconds;
  }

  // The last word is the file that the command makes.
  Task& add_task(const std::string& model, const Words& typed) {
    const Words command = here(typed, options_, sources_);
    Words shown{"nrs"};
    shown.insert(shown.end(), typed.begin(), typed.end());
    return tasks_.emplace_back(Task{.name = task_of(typed.back()),
                                    .kind = TaskKind::kTrain,
                                    .model = model,
                                    .file = command.back(),
                                    .command = command,
                                    .shown = shell_line(shown)});
  }

  // Modules of a file that another task makes.
  void take(const std::string& file, Task& task) const {
    task.needs.push_back(task_of(file));
    task.models.emplace_back(here({file}, options_, sources_).front());
  }

  void add_model(const std::string& name, const RecipeFacts& facts, const fs::path& trained,
                 const std::string& command) {
    const std::string file = model_file(name);
    models_.push_back({.name = name,
                       .file = here({file}, options_, sources_).front(),
                       .engine = facts.engine,
                       .domains = facts.domains,
                       .task = task_of(file),
                       .metrics = trained.empty() ? fs::path() : model::metrics_path(trained),
                       .trained_by = command});
  }

  // Those that are not trained now. They were made as they would be again.
  void add_shipped() {
    PlanOptions again = options_;
    again.models = ModelChoice::kTrain;
    again.quick = false;
    std::vector<Task> ignored;
    const std::vector<PlannedModel> trained = ModelPlanner(again, sources_, ignored).plan();
    for (PlannedModel model : sources_.shipped) {
      if (find(models_, model.name) != nullptr) continue;
      const PlannedModel* same = find(trained, model.name);
      model.trained_by =
          same != nullptr ? same->trained_by : fmt::format("nrs train recipes/{}.toml", model.name);
      for (const fs::path& folder : options_.metrics) {
        const fs::path metrics = model::metrics_path(folder / (model.name + ".nrs"));
        if (model.metrics.empty() && fs::exists(metrics)) model.metrics = metrics;
      }
      models_.push_back(std::move(model));
    }
  }

  const PlanOptions& options_;
  const PlanSources& sources_;
  std::vector<Task>& tasks_;
  std::vector<PlannedModel> models_;
};

}  // namespace

std::vector<PlannedModel> plan_models(const PlanOptions& options, const PlanSources& sources,
                                      std::vector<Task>& tasks) {
  return ModelPlanner(options, sources, tasks).plan();
}

}  // namespace nrs::lab
