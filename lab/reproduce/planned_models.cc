#include <fmt/format.h>

#include <algorithm>

#include "base/process.h"
#include "model/training_files.h"
#include "reproduce/estimate.h"
#include "reproduce/plan.h"

namespace nrs::lab {
namespace {

namespace fs = std::filesystem;

constexpr double kJoinSeconds = 0.2;
constexpr double kCompileSeconds = 150;

// The same command is made twice: for this machine, and as one types it.
struct Folders {
  fs::path recipes;
  fs::path models;
  fs::path parts;

  std::string recipe(const RecipeFacts& facts) const {
    return (recipes / facts.file.filename()).string();
  }
  std::string model(const std::string& name) const { return (models / (name + ".nrs")).string(); }
  std::string part(const std::string& name) const { return (parts / (name + ".nrs")).string(); }
};

using Words = std::vector<std::string>;

std::string task_of(const std::string& model) {
  return "train/" + model;
}

class ModelPlanner {
 public:
  ModelPlanner(const PlanOptions& options, const PlanSources& sources)
      : options_(options),
        sources_(sources),
        here_{sources.recipes_folder, options.out / "models", options.out / "parts"} {}

  ModelPlan plan() {
    if (options_.models == ModelChoice::kTrain && options_.quick) {
      for (const QuickModel& quick : sources_.release.quick) add(quick);
    } else if (options_.models == ModelChoice::kTrain) {
      for (const ReleasedModel& model : sources_.release.models) add(model);
    }
    if (options_.models == ModelChoice::kShipped || options_.quick) {
      PlanOptions trained = options_;
      trained.models = ModelChoice::kTrain;
      trained.quick = false;
      as_trained_ = ModelPlanner(trained, sources_).plan().models;
      for (const ShippedModel& model : sources_.shipped) add(model);
    }
    std::ranges::sort(plan_.models, {}, &PlannedModel::name);
    return std::move(plan_);
  }

 private:
  // A short training by the recipe alone.
  void add(const QuickModel& quick) {
    RecipeFacts facts = quick.facts;
    Words settings;
    for (const auto& [module, steps] :
         {std::pair{"selector", quick.selector_steps}, std::pair{"solver", quick.solver_steps}}) {
      if (steps == 0) continue;
      facts.steps[module] = steps;
      settings.insert(settings.end(), {"--set", fmt::format("train.{}.steps={}", module, steps)});
    }
    Task& task = add_task(quick.name, [&](const Folders& at) {
      Words words{"train", at.recipe(facts)};
      words.insert(words.end(), settings.begin(), settings.end());
      words.insert(words.end(), {"--out", at.model(quick.name)});
      return words;
    });
    task.file = here_.model(quick.name);
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

  // Of the modules of its own. What is joined afterwards is trained in another folder.
  const Task& add_training(const ReleasedModel& model) {
    const bool solver_only = !model.selector_from.empty();
    Task& task = add_task(model.name, [&](const Folders& at) {
      Words words{"train", at.recipe(model.facts)};
      if (solver_only) words.insert(words.end(), {"--only", "solver"});
      if (!model.solver_from.empty()) {
        words.insert(words.end(), {"--solver-from", at.model(model.solver_from)});
      }
      words.insert(words.end(),
                   {"--out", model.joined() ? at.part(model.name) : at.model(model.name)});
      return words;
    });
    if (model.joined()) task.name += ".parts";
    task.file = task.command.back();
    task.source = model.facts.file;
    task.seconds = training_seconds(model.facts, solver_only);
    if (!model.solver_from.empty()) {
      task.needs = {task_of(model.solver_from)};
      task.models = {here_.model(model.solver_from)};
    }
    return task;
  }

  const Task& add_join(const ReleasedModel& model) {
    const auto module = [&](const Folders& at, const std::string& from) {
      return from.empty() ? at.part(model.name) : at.model(from);
    };
    Task& task = add_task(model.name, [&](const Folders& at) {
      Words words{"join", "--selector", module(at, model.selector_from), "--solver",
                  module(at, model.solver_from)};
      for (const std::string& shared : model.shares) words.push_back("--share-" + shared);
      if (model.half) words.emplace_back("--half");
      words.insert(words.end(), {"--out", at.model(model.name)});
      return words;
    });
    task.file = here_.model(model.name);
    for (const std::string& from : {model.selector_from, model.solver_from}) {
      task.needs.push_back(task_of(from.empty() ? model.name + ".parts" : from));
      task.models.emplace_back(module(here_, from));
    }
    task.seconds = kJoinSeconds;
    return task;
  }

  // It is made, but not measured: it answers what the model answers that it is made of.
  void add_compilation(const ReleasedModel& model) {
    Task& task = add_task(model.name, [&](const Folders& at) {
      return Words{"compile", at.model(model.compiled_from), "--share", "--out",
                   at.model(model.name)};
    });
    task.file = here_.model(model.name);
    task.needs = {task_of(model.compiled_from)};
    task.models = {here_.model(model.compiled_from)};
    task.seconds = kCompileSeconds;
  }

  template <class MakeWords>
  Task& add_task(const std::string& model, const MakeWords& words) {
    Words shown = words(Folders{"recipes", "models", "parts"});
    shown.insert(shown.begin(), "nrs");
    return plan_.tasks.emplace_back(Task{.name = task_of(model),
                                         .kind = TaskKind::kTrain,
                                         .model = model,
                                         .command = words(here_),
                                         .shown = shell_line(shown)});
  }

  void add_model(const std::string& name, const RecipeFacts& facts, const fs::path& trained,
                 const std::string& command) {
    plan_.models.push_back({.name = name,
                            .file = here_.model(name),
                            .engine = facts.engine,
                            .domains = facts.domains,
                            .task = task_of(name),
                            .metrics = trained.empty() ? fs::path() : model::metrics_path(trained),
                            .trained_by = command});
  }

  static const PlannedModel* find(const std::vector<PlannedModel>& models,
                                  const std::string& name) {
    const auto found = std::ranges::find(models, name, &PlannedModel::name);
    return found == models.end() ? nullptr : &*found;
  }

  void add(const ShippedModel& model) {
    if (find(plan_.models, model.name) != nullptr) return;
    // It was made as it would be again.
    const PlannedModel* again = find(as_trained_, model.name);
    PlannedModel planned{.name = model.name,
                         .file = model.file,
                         .engine = model.engine,
                         .domains = model.domains,
                         .trained_by = again != nullptr
                                           ? again->trained_by
                                           : fmt::format("nrs train recipes/{}.toml", model.name)};
    for (const fs::path& folder : options_.metrics) {
      const fs::path metrics = model::metrics_path(folder / (model.name + ".nrs"));
      if (planned.metrics.empty() && fs::exists(metrics)) planned.metrics = metrics;
    }
    plan_.models.push_back(std::move(planned));
  }

  const PlanOptions& options_;
  const PlanSources& sources_;
  Folders here_;
  ModelPlan plan_;
  std::vector<PlannedModel> as_trained_;  // if those that ship are measured
};

}  // namespace

ModelPlan plan_models(const PlanOptions& options, const PlanSources& sources) {
  return ModelPlanner(options, sources).plan();
}

}  // namespace nrs::lab
