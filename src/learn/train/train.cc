#include "learn/train/train.h"

#include <fmt/format.h>
#include <torch/autograd.h>
#include <torch/cuda.h>

#include <algorithm>
#include <memory>
#include <numeric>
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

using Results = ModuleTask::Results;

std::int64_t weights_of(const torch::nn::Module& module) {
  const auto parameters = module.parameters();
  return std::accumulate(parameters.begin(), parameters.end(), std::int64_t{0},
                         [](std::int64_t sum, const auto& one) { return sum + one.numel(); });
}

torch::Device device_of(const TrainRequest& request) {
  if (request.device == recipe::Device::kCpu) return torch::kCPU;
  if (!torch::cuda::is_available()) {
    throw Error(ErrorKind::kUsage, "this libtorch has no CUDA, or there is no such device",
                "compute on the processor, or build with a libtorch for CUDA");
  }
  return torch::kCUDA;
}

void check_only(const TrainRequest& request) {
  if (request.only.empty()) return;
  const std::vector<recipe::TrainSection> trained = request.recipe.trained();
  if (std::none_of(trained.begin(), trained.end(),
                   [&](const recipe::TrainSection& one) { return one.name == request.only; })) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("the architecture {} has no {}", request.recipe.architecture(), request.only),
        "train it as a whole");
  }
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
Checkpoint first_checkpoint(const TrainRequest& request, const CheckpointStore& store,
                            const std::function<void(const std::string&)>& note) {
  const std::string path = model::checkpoint_path(request.out).string();
  if (!request.resume) {
    if (!store.exists()) return {.recipe = recipe::to_toml(request.recipe), .only = request.only};
    throw Error(ErrorKind::kUsage, path + " exists: a run was interrupted",
                "resume it, or delete the file to begin again");
  }
  if (!store.exists()) {
    throw Error(ErrorKind::kUsage, path + ": there is no checkpoint to resume from");
  }
  CheckpointStore::Loaded loaded = store.load();
  if (!loaded.warning.empty()) note(loaded.warning);
  check_same_run(request, loaded.checkpoint);
  return std::move(loaded.checkpoint);
}

// One run: the modules one after the other, with checkpoints, and the model.
class Run {
 public:
  Run(const TrainRequest& request, const TrainWatch& watch)
      : request_(request),
        recipe_(request_.recipe),
        watch_(watch),
        device_(device_of(request)),
        workers_(recipe_.threads),
        store_(model::checkpoint_path(request.out)) {}

  RunEnd run() {
    prepare();
    for (const recipe::TrainSection& module : recipe_.trained()) {
      if (wants(module.name) && !train_module(module)) return RunEnd::kInterrupted;
    }
    write_model();
    store_.remove();
    return RunEnd::kDone;
  }

 private:
  bool wants(std::string_view module) const {
    return request_.only.empty() || request_.only == module;
  }
  bool stopped() const { return watch_.stop && watch_.stop(); }
  void note(const std::string& text) const {
    if (watch_.on_note) watch_.on_note(text);
  }

  void prepare();
  void take_models();
  void save();
  bool train_module(const recipe::TrainSection& module);
  // Makes checkpoint_.finished of a task; false if told to stop.
  bool finish_module(ModuleTask& task, const recipe::TrainConfig& config);
  void go_on(ModuleTask& task) const;
  Results results_of(ModuleTask& task, const Trainer& trainer, const Results& measured,
                     const char* ended);
  void write_best(ModuleTask& task, Trainer& trainer);
  void restore(ModuleTask& task, Trainer& trainer) const;
  TrainHooks hooks(ModuleTask& task, Trainer& trainer);
  void write_model();

  TrainRequest request_;
  const recipe::Recipe& recipe_;
  TrainWatch watch_;
  torch::Device device_;
  Workers workers_;
  CheckpointStore store_;
  Checkpoint checkpoint_;
  std::unique_ptr<Journal> journal_;
  std::unique_ptr<ModelTraining> training_;
  model::Model model_;
  std::optional<model::Model> other_;  // whose Solver is taken
};

// Whatever can go wrong goes wrong now, not after an hour.
void Run::prepare() {
  find_target(request_.out);
  check_only(request_);
  take_models();
  const auto told = [this](const std::string& text) { note(text); };
  checkpoint_ = first_checkpoint(request_, store_, told);
  training_ = make_training(
      {.recipe = recipe_, .wants = [this](auto module) { return wants(module); }, .warn = told});
  journal_ = std::make_unique<Journal>(model::metrics_path(request_.out), checkpoint_.metrics_size,
                                       watch_);
  save();
}

// Where the modules come from that are not trained.
void Run::take_models() {
  if (!request_.solver_from.empty()) {
    other_ = model::load_model(request_.solver_from);
    if (!other_->has("solver")) {
      throw Error(ErrorKind::kInput, request_.solver_from.string() + ": there is no Solver in it");
    }
  } else if (!request_.only.empty() && std::filesystem::exists(request_.out)) {
    model_ = model::load_model(request_.out);
  }
}

void Run::save() {
  checkpoint_.metrics_size = journal_->size();
  store_.save(checkpoint_);
}

TrainHooks Run::hooks(ModuleTask& task, Trainer& trainer) {
  return {.stop = [this] { return stopped(); },
          .on_step = [this](const StepReport& report) { journal_->step(report); },
          .on_validation = [this](int step, const Score& s) { journal_->validation(step, s); },
          .on_checkpoint =
              [this, &task, &trainer] {
                checkpoint_.running = {.name = std::string(task.name()),
                                       .state = trainer.state(),
                                       .tensors = trainer.optimiser().state(),
                                       .best = trainer.best(),
                                       .sampler = task.sampler_state()};
                save();
              },
          .checkpoint_seconds = recipe_.checkpoint_seconds};
}

void Run::restore(ModuleTask& task, Trainer& trainer) const {
  const RunningModule& running = *checkpoint_.running;
  if (running.best.numel() != trainer.best().numel()) {
    throw Error(ErrorKind::kInput, "the checkpoint is of a module with another number of weights");
  }
  trainer.restore(running.state, running.tensors, running.best);
  task.restore_sampler(running.sampler);
}

bool Run::finish_module(ModuleTask& task, const recipe::TrainConfig& config) {
  const std::string name(task.name());
  journal_->begin(task.name(), config.steps);
  const bool running = checkpoint_.running && checkpoint_.running->name == name;
  if (!running && !request_.goes_on.empty()) go_on(task);
  Trainer trainer(task, config, workers_);
  if (running) restore(task, trainer);
  const TrainHooks hooks = this->hooks(task, trainer);
  const TrainEnd end = trainer.run(hooks);
  if (end == TrainEnd::kInterrupted) {
    if (request_.keep_best && trainer.state().best_step > 0) write_best(task, trainer);
    return false;
  }
  hooks.on_checkpoint();  // before the best weights take the place of the last
  trainer.optimiser().set_weights(trainer.best());
  task.module().eval();
  const std::optional<Results> measured = task.measure(workers_, hooks.stop);
  if (!measured) return false;
  Results results =
      results_of(task, trainer, *measured, end == TrainEnd::kPerfect ? "perfect" : "steps");
  journal_->end(results);
  checkpoint_.finished[name] = {.weights = trainer.best().clone(), .results = std::move(results)};
  checkpoint_.running.reset();
  save();
  return true;
}

Results Run::results_of(ModuleTask& task, const Trainer& trainer, const Results& measured,
                        const char* ended) {
  Results results{{"steps", trainer.state().step},
                  {"ended", ended},
                  {"best_step", trainer.state().best_step},
                  {"known", trainer.state().best.in_distribution},
                  {"beyond", trainer.state().best.out_of_distribution},
                  {"parameters", weights_of(task.module())}};
  results.update(measured);
  return results;
}

void Run::go_on(ModuleTask& task) const {
  if (task.take_weights(model::load_model(request_.goes_on))) return;
  note("the Solver begins anew: the examples have tokens that the last one cannot read");
}

// The checkpoint stays, and with it the way to go on.
void Run::write_best(ModuleTask& task, Trainer& trainer) {
  trainer.optimiser().set_weights(trainer.best());
  task.module().eval();
  const std::optional<Results> measured = task.measure(workers_, [] { return false; });
  if (!measured) return;
  const Results results = results_of(task, trainer, *measured, "interrupted");
  task.export_to(model_, results);
  checkpoint_.finished[std::string(task.name())].results = results;  // never saved
  write_model();
}

bool Run::train_module(const recipe::TrainSection& module) {
  const std::unique_ptr<ModuleTask> task = training_->task(module.name);
  task->module().to(device_);
  const std::string name(module.name);
  if (const auto finished = checkpoint_.finished.find(name);
      finished != checkpoint_.finished.end()) {
    set_weights(task->module(), finished->second.weights);
  } else if (!finish_module(*task, *module.config)) {
    return false;
  }
  task->export_to(model_, checkpoint_.finished.at(name).results);
  return true;
}

void Run::write_model() {
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

}  // namespace

RunEnd train(const TrainRequest& request, const TrainWatch& watch) {
  return Run(request, watch).run();
}

}  // namespace nrs::learn
