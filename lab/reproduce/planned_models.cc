#include "reproduce/planned_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/process.h"
#include "model/training_files.h"
#include "reproduce/estimate.h"

namespace nrs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNrsPrefix = "nrs-";
constexpr std::string_view kPaperSuffix = "-paper";
constexpr double kJoinSeconds = 0.2;

// A model of the Selector of one and the Solver of another. If that other is the model itself, its
// recipe trains the Solver only.
struct Join {
  std::string model{};
  std::string selector{};
  std::string solver{};
  bool half = false;  // its weights in 16 bits
};
// Whose Selector was found to be better than the one of their own recipe (docs/results.md).
const std::array<Join, 2> kJoins{
    {{"algebra", "multi", "algebra"}, {"nrs-algebra", "nrs-multi", "algebra"}}};

// Which would be larger than 3 MB otherwise, the most that a model of ours may have.
constexpr std::string_view kInHalf = "nrs-multi-paper";

// What --quick trains, and after how many steps it stops; 0: those of the recipe.
struct QuickTraining {
  std::string name{};
  int selector = 0;
  int solver = 0;
};
const std::array<QuickTraining, 2> kQuick{{{"logic", 0, 0}, {"listops", 1000, 4000}}};

// The same command is made twice: for this machine, and as one types it.
struct Folders {
  fs::path recipes;
  fs::path models;
  fs::path parts;

  fs::path model(const std::string& name) const { return models / (name + ".nrs"); }
  fs::path part(const std::string& name) const { return parts / (name + ".nrs"); }
};

using Words = std::vector<std::string>;

class ModelPlanner {
 public:
  ModelPlanner(const PlanOptions& options, const PlanSources& sources)
      : options_(options),
        sources_(sources),
        here_{sources.recipes_folder, models_folder(options.out), options.out / "parts"} {}

  ModelPlan plan() {
    if (options_.models == ModelChoice::kTrain && options_.quick) {
      for (const QuickTraining& training : kQuick) add_quick(training);
    } else if (options_.models == ModelChoice::kTrain) {
      for (const RecipeFacts& recipe : sources_.recipes) add(recipe);
      for (const RecipeFacts& recipe : sources_.recipes) add_paper_twin(recipe);
    }
    if (options_.models == ModelChoice::kShipped || options_.quick) {
      PlanOptions trained = options_;
      trained.models = ModelChoice::kTrain;
      trained.quick = false;
      as_trained_ = ModelPlanner(trained, sources_).plan().models;
      for (const ShippedModel& model : sources_.shipped) add(model);
    }
    std::sort(plan_.models.begin(), plan_.models.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    return std::move(plan_);
  }

 private:
  static std::string task_of(const std::string& model) { return "train/" + model; }

  const RecipeFacts* recipe(std::string_view name) const {
    const auto found = std::find_if(sources_.recipes.begin(), sources_.recipes.end(),
                                    [&](const RecipeFacts& one) { return one.name == name; });
    return found == sources_.recipes.end() ? nullptr : &*found;
  }

  // nrs-arithmetic-labels has the Solver of arithmetic: the longest name that is a recipe.
  const RecipeFacts* solver_of(const RecipeFacts& nrs) const {
    std::string_view name = nrs.name;
    if (name.starts_with(kNrsPrefix)) name.remove_prefix(kNrsPrefix.size());
    for (;; name = name.substr(0, name.rfind('-'))) {
      const RecipeFacts* found = recipe(name);
      if (found != nullptr && found->engine == "fastnrs") return found;
      if (name.find('-') == std::string_view::npos) return nullptr;
    }
  }

  void add(const RecipeFacts& recipe) {
    for (const Join& join : kJoins) {
      if (join.model != recipe.name || this->recipe(join.selector) == nullptr) continue;
      if (join.solver == join.model) add_part(recipe);
      return add_join(join, recipe);
    }
    if (recipe.engine == "nrs") {
      const RecipeFacts* solver = solver_of(recipe);
      return solver != nullptr ? add_training(recipe, {}, solver->name) : void();
    }
    add_training(recipe, {}, {});
  }

  // Each nrs-NAME-paper has the Selector of nrs-NAME and the Solver of NAME-paper.
  void add_paper_twin(const RecipeFacts& paper) {
    if (!paper.name.ends_with(kPaperSuffix) || paper.engine != "fastnrs") return;
    const std::string twin = std::string(kNrsPrefix) + paper.name;
    const std::string selector = twin.substr(0, twin.size() - kPaperSuffix.size());
    const RecipeFacts* nrs = recipe(selector);
    if (nrs == nullptr || recipe(twin) != nullptr) return;
    add_join({twin, selector, paper.name, twin == kInHalf}, *nrs);
  }

  void add_quick(const QuickTraining& training) {
    const RecipeFacts* found = recipe(training.name);
    if (found == nullptr) return;
    RecipeFacts shorter = *found;
    Words settings;
    for (const auto& [module, steps] :
         {std::pair{"selector", training.selector}, std::pair{"solver", training.solver}}) {
      if (steps == 0) continue;
      shorter.steps[module] = steps;
      settings.insert(settings.end(), {"--set", fmt::format("train.{}.steps={}", module, steps)});
    }
    add_training(shorter, settings, {});
  }

  void add_training(const RecipeFacts& recipe, const Words& settings, const std::string& solver) {
    const auto words = [&](const Folders& at) {
      Words all{"train", (at.recipes / recipe.file.filename()).string()};
      all.insert(all.end(), settings.begin(), settings.end());
      if (!solver.empty()) all.insert(all.end(), {"--solver-from", at.model(solver).string()});
      all.insert(all.end(), {"--out", at.model(recipe.name).string()});
      return all;
    };
    Task& task = add_task(recipe.name, words);
    task.file = here_.model(recipe.name);
    task.source = recipe.file;
    task.seconds = training_seconds(recipe, false);
    if (!solver.empty()) {
      task.needs = {task_of(solver)};
      task.models = {here_.model(solver)};
    }
    add_model(recipe.name, recipe, task.file, task.shown);
  }

  // The Solver of a model that gets another's Selector.
  void add_part(const RecipeFacts& recipe) {
    const auto words = [&](const Folders& at) {
      return Words{"train",  (at.recipes / recipe.file.filename()).string(),
                   "--only", "solver",
                   "--out",  at.part(recipe.name).string()};
    };
    Task& task = add_task(recipe.name, words);
    task.name += ".solver";
    task.file = here_.part(recipe.name);
    task.source = recipe.file;
    task.seconds = training_seconds(recipe, true);
  }

  void add_join(const Join& join, const RecipeFacts& recipe) {
    const bool own = join.solver == join.model;
    const auto solver = [&](const Folders& at) {
      return own ? at.part(join.solver) : at.model(join.solver);
    };
    Task& task = add_task(join.model, [&](const Folders& at) {
      Words words{"join", "--selector", at.model(join.selector).string(), "--solver",
                  solver(at).string()};
      if (join.half) words.push_back("--half");
      words.insert(words.end(), {"--out", at.model(join.model).string()});
      return words;
    });
    task.file = here_.model(join.model);
    task.needs = {task_of(join.selector), task_of(join.solver) + (own ? ".solver" : "")};
    task.models = {here_.model(join.selector), solver(here_)};
    task.seconds = kJoinSeconds;
    // Of the Solver that was trained for it; the curve of the Selector is the other model's.
    add_model(join.model, recipe, own ? here_.part(join.solver) : fs::path(), task.shown);
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

  void add_model(const std::string& name, const RecipeFacts& recipe, const fs::path& trained,
                 const std::string& command) {
    plan_.models.push_back({.name = name,
                            .file = here_.model(name),
                            .engine = recipe.engine,
                            .domains = recipe.domains,
                            .task = task_of(name),
                            .metrics = trained.empty() ? fs::path() : metrics_path(trained),
                            .trained_by = command});
  }

  static const PlannedModel* find(const std::vector<PlannedModel>& models,
                                  const std::string& name) {
    const auto found = std::find_if(models.begin(), models.end(),
                                    [&](const PlannedModel& one) { return one.name == name; });
    return found == models.end() ? nullptr : &*found;
  }

  // How a model that ships was made: as it would be again.
  std::string command_for(const std::string& name) const {
    const PlannedModel* again = find(as_trained_, name);
    return again != nullptr ? again->trained_by : fmt::format("nrs train recipes/{}.toml", name);
  }

  void add(const ShippedModel& model) {
    if (find(plan_.models, model.name) != nullptr) return;
    PlannedModel planned{.name = model.name,
                         .file = model.file,
                         .engine = model.engine,
                         .domains = model.domains,
                         .trained_by = command_for(model.name)};
    for (const fs::path& folder : options_.metrics) {
      const fs::path metrics = metrics_path(folder / (model.name + ".nrs"));
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

}  // namespace nrs
