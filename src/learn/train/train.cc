#include "learn/train/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/output_target.h"
#include "learn/train/checkpoint.h"
#include "learn/train/export.h"
#include "learn/train/journal.h"
#include "learn/train/trainer.h"
#include "learn/train/training.h"
#include "model/join.h"
#include "model/model_file.h"
#include "model/training_files.h"
#include "nrs/error.h"

namespace nrs::learn {
namespace {

using Results = TrainingTask::Results;
using Note = std::function<void(const std::string&)>;

// Throws Error if the model cannot be written, or what is to be trained is not there.
const TrainRequest& checked(const TrainRequest& request) {
  find_target(request.out);
  const std::vector<recipe::TrainSection> trained = request.recipe.trained();
  if (std::ranges::none_of(trained, [&](const auto& one) { return request.wants(one.name); })) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("the architecture {} has no {}", request.recipe.architecture(), request.only),
        "train it as a whole");
  }
  return request;
}

// The model whose Solver is taken.
std::optional<model::Model> solver_model(const TrainRequest& request) {
  if (request.solver_from.empty()) return std::nullopt;
  model::Model model = model::load_model(request.solver_from);
  if (model.has("solver")) return model;
  throw Error(ErrorKind::kInput, request.solver_from.string() + ": there is no Solver in it");
}

// The model whose modules stay as they are, but for the one that is trained.
model::Model kept_model(const TrainRequest& request) {
  const bool kept = request.solver_from.empty() && !request.only.empty();
  return kept && std::filesystem::exists(request.out) ? model::load_model(request.out)
                                                      : model::Model();
}

// Throws Error (usage) if the checkpoint is of another run.
void check_same_run(const TrainRequest& request, const Checkpoint& checkpoint) {
  recipe::Recipe then = recipe::parse_recipe(checkpoint.recipe, "the recipe in the checkpoint");
  then.checkpoint_seconds = request.recipe.checkpoint_seconds;  // these change no weight
  then.threads = request.recipe.threads;
  std::vector<std::string> changed = recipe::differences(request.recipe, then);
  if (checkpoint.only != request.only) {
    const auto shown = [](const std::string& only) { return only.empty() ? "all" : only; };
    changed.push_back(
        fmt::format("modules: {}, was {}", shown(request.only), shown(checkpoint.only)));
  }
  if (!changed.empty()) {
    throw Error(ErrorKind::kUsage,
                fmt::format("the run to resume had another recipe: {}", fmt::join(changed, "; ")),
                "resume with the same recipe, or delete the checkpoint to begin again");
  }
}

// The checkpoint that a run begins with.
Checkpoint first_checkpoint(const TrainRequest& request, const Note& note) {
  const std::string path = model::checkpoint_path(request.out).string();
  const bool interrupted = model::can_resume(request.out);
  if (!request.resume) {
    if (!interrupted) return {.recipe = recipe::to_toml(request.recipe), .only = request.only};
    throw Error(ErrorKind::kUsage, path + " exists: a run was interrupted",
                "resume it, or delete the file to begin again");
  }
  if (!interrupted) {
    throw Error(ErrorKind::kUsage, path + ": there is no checkpoint to resume from");
  }
  Checkpoint checkpoint = load_checkpoint(request.out, note);
  check_same_run(request, checkpoint);
  return checkpoint;
}

// One run: the modules one after the other, with checkpoints, and the model.
class Run {
 public:
  // Whatever can go wrong goes wrong now, not after an hour.
  Run(const TrainRequest& request, const TrainWatch& watch)
      : request_(checked(request)),
        recipe_(request_.recipe),
        watch_(watch),
        workers_(recipe_.threads),
        other_(solver_model(request_)),
        model_(kept_model(request_)),
        checkpoint_(first_checkpoint(request_, watch_.on_note)),
        training_(make_training(request_, watch_.on_note)),
        journal_(model::metrics_path(request_.out), checkpoint_.metrics_size, watch_) {
    save();
  }

  // Throws Stopped if told to stop, with a checkpoint.
  void run() {
    for (const recipe::TrainSection& module : recipe_.trained()) {
      if (request_.wants(module.name)) train_module(module);
    }
    write_model();
    remove_checkpoints(request_.out);
  }

 private:
  void save() {
    checkpoint_.metrics_size = journal_.size();
    save_checkpoint(request_.out, checkpoint_);
  }

  void train_module(const recipe::TrainSection& module) {
    const std::unique_ptr<TrainingTask> task = training_->task(module.name);
    const auto finished = checkpoint_.finished.find(std::string(module.name));
    if (finished == checkpoint_.finished.end()) {
      finish_module(*task, *module.config);
    } else {
      set_weights(task->module(), finished->second.weights);
    }
    task->export_to(model_, checkpoint_.finished.at(std::string(module.name)).results);
  }

  // Makes checkpoint_.finished of a task.
  void finish_module(TrainingTask& task, const recipe::TrainConfig& config) {
    Trainer trainer = make_trainer(task, config);
    const std::string name(task.name());
    const auto save_running = [&] {
      checkpoint_.running = {.name = name,
                             .state = trainer.state(),
                             .tensors = trainer.optimiser().state(),
                             .sampler = task.sampler_state()};
      save();
    };
    TrainWatch watch = watch_;
    watch.on_step = [this](const TrainingProgress& progress) { journal_.step(progress); };
    watch.on_validation = [this](const TrainingProgress& progress) {
      journal_.validation(progress);
    };
    const TrainEnd end =
        trainer.run(watch, {.save = save_running, .seconds = recipe_.checkpoint_seconds});
    if (end == TrainEnd::kInterrupted) {
      if (request_.keep_best && trainer.state().best_step > 0) write_best(task, trainer);
      throw Stopped();
    }
    save_running();  // before the best weights take the place of the last
    const Results results =
        results_of(task, trainer, end == TrainEnd::kPerfect ? "perfect" : "steps", watch_.stop);
    journal_.end(name, results);
    checkpoint_.finished[name] = {.weights = trainer.state().best_weights, .results = results};
    checkpoint_.running.reset();
    save();
  }

  // A trainer at the beginning, or where the checkpoint was made.
  Trainer make_trainer(TrainingTask& task, const recipe::TrainConfig& config) {
    const bool resumed = checkpoint_.running && checkpoint_.running->name == task.name();
    if (!resumed && !request_.goes_on.empty() &&
        !task.take_weights(model::load_model(request_.goes_on))) {
      watch_.on_note(
          "the Solver begins anew: the examples have tokens that the last one cannot read");
    }
    Trainer trainer(task, config, workers_);
    if (resumed) {
      trainer.restore(checkpoint_.running->state, checkpoint_.running->tensors);
      task.restore_sampler(checkpoint_.running->sampler);
    }
    return trainer;
  }

  // Of the best weights, which the module has from now on.
  Results results_of(TrainingTask& task, Trainer& trainer, const char* ended,
                     const std::function<bool()>& stop) {
    const TrainState& state = trainer.state();
    trainer.optimiser().set_weights(state.best_weights);
    Results results{{"steps", state.step},
                    {"ended", ended},
                    {"best_step", state.best_step},
                    {"known", state.best.in_distribution},
                    {"beyond", state.best.out_of_distribution},
                    {"parameters", state.best_weights.numel()}};
    results.update(task.measure(workers_, stop));
    return results;
  }

  // The checkpoint stays, and with it the way to go on.
  void write_best(TrainingTask& task, Trainer& trainer) {
    const Results results = results_of(task, trainer, "interrupted", [] { return false; });
    task.export_to(model_, results);
    checkpoint_.finished[std::string(task.name())].results = results;  // never saved
    write_model();
  }

  void write_model() {
    model_.name = recipe_.name;
    model_.program = "nrs " NRS_VERSION;
    model_.recipe = recipe::to_toml(recipe_);
    model_.domains = recipe_.data.domains;
    model_.protocol = enum_name(recipe_.data.protocol);
    model_.seed = recipe_.seed_number();
    model_.data_hash = training_->data_hash(model_.data_hash);
    Results results = Results::parse(model_.results);
    for (const auto& [name, module] : checkpoint_.finished) results[name] = module.results;
    model_.results = results.dump();
    model_.certificate.reset();  // what was verified was another model
    model::save_model(request_.out,
                      other_ ? model::join_models(model_, *other_, recipe_.name) : model_);
  }

  const TrainRequest& request_;
  const recipe::Recipe& recipe_;
  TrainWatch watch_;
  Workers workers_;
  std::optional<model::Model> other_;  // whose Solver is taken
  model::Model model_;
  Checkpoint checkpoint_;
  std::unique_ptr<ModelTraining> training_;
  Journal journal_;
};

}  // namespace

RunEnd train(const TrainRequest& request, const TrainWatch& watch) {
  try {
    Run(request, watch).run();
    return RunEnd::kDone;
  } catch (const Stopped&) {
    return RunEnd::kInterrupted;
  }
}

}  // namespace nrs::learn
