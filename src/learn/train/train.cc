#include "learn/train/train.h"

#include <fmt/format.h>
#include <torch/autograd.h>
#include <torch/cuda.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/output_target.h"
#include "data/trace_file.h"
#include "learn/examples/check_examples.h"
#include "learn/examples/example_source.h"
#include "learn/train/checkpoint_store.h"
#include "learn/train/export.h"
#include "learn/train/guard.h"
#include "learn/train/leaf_writer_task.h"
#include "learn/train/metrics.h"
#include "learn/train/router_task.h"
#include "learn/train/selector_task.h"
#include "learn/train/solver_task.h"
#include "learn/train/thresholds.h"
#include "learn/train/trainer.h"
#include "model/checksum.h"
#include "model/join.h"
#include "model/model_file.h"
#include "nn/tensor_names.h"
#include "nrs/error.h"

namespace nrs {
namespace {

using Json = nlohmann::ordered_json;

// Steps between two lines of the metrics file; the loss in a line is their mean.
constexpr int kMetricsEvery = 10;
// Formulas that stand for all that are drawn on the fly, in the hash of the data.
constexpr int kHashedDraws = 1000;

std::string hash_of(const ExampleSource& source, const SolverPairs& pairs, std::uint64_t seed) {
  std::uint32_t crc = 0;
  Rng rng(seed);
  for (int i = 0; i < kHashedDraws; ++i) crc = crc32(source.draw(rng).formula + "\n", crc);
  for (std::size_t i = 0; i < pairs.train.size(); ++i) {
    crc = crc32(fmt::format("{}={}\n", pairs.train.text(i), pairs.train.value(i)), crc);
  }
  return fmt::format("crc32:{:08x}", crc);
}

std::string hash_of(const WholeSource& source, std::uint64_t seed) {
  std::uint32_t crc = 0;
  Rng rng(seed);
  for (int i = 0; i < kHashedDraws; ++i) {
    const WholeExample example = source.draw(rng, 1);
    crc = crc32(fmt::format("{}={}\n", example.formula, example.value), crc);
  }
  return fmt::format("crc32:{:08x}", crc);
}

std::int64_t weights_of(const torch::nn::Module& module) {
  const auto parameters = module.parameters();
  return std::accumulate(parameters.begin(), parameters.end(), std::int64_t{0},
                         [](std::int64_t sum, const auto& one) { return sum + one.numel(); });
}

torch::Device device_of(const TrainRequest& request) {
  if (request.device == Device::kCpu) return torch::kCPU;
  if (!torch::cuda::is_available()) {
    throw Error(ErrorKind::kUsage, "this libtorch has no CUDA, or there is no such device",
                "compute on the processor, or build with a libtorch for CUDA");
  }
  return torch::kCUDA;
}

// One run: the modules one after the other, the checkpoint, the metrics, the model.
class Run {
 public:
  Run(const TrainRequest& request, const TrainWatch& watch)
      : request_(request),
        recipe_(request_.recipe),
        watch_(watch),
        device_(device_of(request)),
        workers_(recipe_.threads),
        store_(checkpoint_path(request.out)) {}

  RunEnd run() {
    prepare();
    if (recipe_.router) {
      if (!run_router()) return RunEnd::kInterrupted;
      write_model();
      store_.remove();
      return RunEnd::kDone;
    }
    if (wants(Modules::kSelector) && !run_selector()) return RunEnd::kInterrupted;
    if (wants(Modules::kSolver) && !run_solver()) return RunEnd::kInterrupted;
    write_model();
    store_.remove();
    return RunEnd::kDone;
  }

 private:
  // Makes the results of a module that has been trained; nothing if told to stop.
  using Measure = std::function<std::optional<Json>()>;

  bool wants(Modules module) const {
    return request_.modules == Modules::kBoth || request_.modules == module;
  }
  std::string modules_name() const {
    return request_.modules == Modules::kBoth       ? "both"
           : request_.modules == Modules::kSelector ? "selector"
                                                    : "solver";
  }
  bool stopped() const { return watch_.stop && watch_.stop(); }
  void note(const std::string& text) const {
    if (watch_.on_note) watch_.on_note(text);
  }

  void prepare();
  void take_traces();
  void resume();
  void save();
  bool train_module(TrainingTask& task, const TrainConfig& config, const Measure& measure);
  TrainHooks hooks(TrainingTask& task, Trainer& trainer);
  void log_step(std::string_view module, const StepReport& report);
  void log_validation(std::string_view module, int step, const Score& score);
  bool run_selector();
  bool run_leaf_writer();
  bool run_solver();
  bool run_router();
  std::optional<Json> measure_writer(const LeafWriterTask& task);
  std::optional<Json> measure_solver(const SolverTask& task);
  void write_model();

  TrainRequest request_;
  const Recipe& recipe_;
  TrainWatch watch_;
  torch::Device device_;
  Workers workers_;
  CheckpointStore store_;
  Checkpoint checkpoint_;
  std::unique_ptr<MetricsFile> metrics_;
  std::unique_ptr<ExampleSource> source_;
  std::unique_ptr<WholeSource> whole_source_;  // of a router
  Model model_;
  std::optional<Model> other_;  // whose Solver is taken
  TrainingProgress progress_;
  double loss_sum_ = 0;
  int loss_count_ = 0;
};

void Run::prepare() {
  find_target(request_.out);  // now, not after an hour, we learn that it is read-only
  if (recipe_.router && request_.modules != Modules::kBoth) {
    throw Error(ErrorKind::kUsage, "a Neural Data Router has neither Selector nor Solver",
                "it can only be trained as a whole");
  }
  if (!request_.solver_from.empty()) {
    other_ = load_model(request_.solver_from);
    if (!other_->solver) {
      throw Error(ErrorKind::kInput, request_.solver_from.string() + ": there is no Solver in it");
    }
  }
  if (request_.resume) {
    resume();
  } else {
    if (store_.exists()) {
      throw Error(ErrorKind::kUsage,
                  checkpoint_path(request_.out).string() + " is there: a run was interrupted",
                  "resume it, or delete the file to begin again");
    }
    checkpoint_.recipe = to_toml(recipe_);
    checkpoint_.only = modules_name();
  }
  const bool keep = request_.modules != Modules::kBoth && !other_;
  if (keep && std::filesystem::exists(request_.out)) model_ = load_model(request_.out);
  if (recipe_.router) {
    whole_source_ = make_whole_source(recipe_.data);
  } else if (!recipe_.data.traces.empty()) {
    take_traces();
  } else {
    source_ = make_source(recipe_.data, static_cast<std::uint64_t>(recipe_.seed));
  }
  metrics_ = std::make_unique<MetricsFile>(metrics_path(request_.out), checkpoint_.metrics_size);
  save();  // now, not after an hour, we learn that the disk cannot be written
}

// What is wrong with examples is said now, not after the training of the Selector.
void Run::take_traces() {
  std::vector<RewriteExample> examples = read_trace_file(recipe_.data.traces);
  try {
    check_final_examples(examples);
    if (wants(Modules::kSelector)) {
      check_examples(recipe_.selector, examples, [this](const auto& warning) { note(warning); });
    }
    if (wants(Modules::kSolver)) check_examples(recipe_.solver, examples);
    source_ = make_list_source(std::move(examples), recipe_.data);
    source_->pairs(static_cast<std::uint64_t>(recipe_.seed));  // finds contradictions
  } catch (const Error& error) {
    throw error.in(recipe_.data.traces);
  }
}

void Run::resume() {
  if (!store_.exists()) {
    throw Error(ErrorKind::kUsage,
                checkpoint_path(request_.out).string() + ": there is no checkpoint to resume from");
  }
  CheckpointStore::Loaded loaded = store_.load();
  if (!loaded.warning.empty()) note(loaded.warning);
  checkpoint_ = std::move(loaded.checkpoint);
  Recipe then = parse_recipe(checkpoint_.recipe, "the recipe in the checkpoint");
  then.checkpoint_seconds = recipe_.checkpoint_seconds;  // these change no weight
  then.threads = recipe_.threads;
  std::vector<std::string> changed = differences(recipe_, then);
  if (checkpoint_.only != modules_name()) {
    changed.push_back(fmt::format("modules: {}, was {}", modules_name(), checkpoint_.only));
  }
  if (!changed.empty()) {
    throw Error(ErrorKind::kUsage,
                fmt::format("the run to resume had another recipe: {}", fmt::join(changed, "; ")),
                "resume with the same recipe, or delete the checkpoint to begin again");
  }
}

void Run::save() {
  checkpoint_.metrics_size = metrics_->size();
  store_.save(checkpoint_);
}

void Run::log_step(std::string_view module, const StepReport& report) {
  loss_sum_ += report.loss;
  ++loss_count_;
  const bool written = report.step % kMetricsEvery == 0 || report.step == report.steps;
  if (!written && !watch_.on_step) return;
  const double loss = loss_sum_ / loss_count_;
  if (written) {
    metrics_->write(Json{{"event", "step"},
                         {"module", module},
                         {"step", report.step},
                         {"loss", loss},
                         {"rate", report.rate},
                         {"steps_per_second", report.steps_per_second}});
    loss_sum_ = loss_count_ = 0;
    progress_.loss = loss;
  }
  progress_.module = module;
  progress_.step = report.step;
  progress_.steps = report.steps;
  progress_.steps_per_second = report.steps_per_second;
  progress_.seconds_left = report.seconds_left;
  if (watch_.on_step) watch_.on_step(progress_);
}

void Run::log_validation(std::string_view module, int step, const Score& score) {
  metrics_->write(Json{{"event", "validation"},
                       {"module", module},
                       {"step", step},
                       {"known", score.known},
                       {"beyond", score.beyond}});
  progress_.module = module;
  progress_.step = step;
  progress_.known = score.known;
  progress_.beyond = score.beyond;
  if (watch_.on_validation) watch_.on_validation(progress_);
}

TrainHooks Run::hooks(TrainingTask& task, Trainer& trainer) {
  return {
      .stop = [this] { return stopped(); },
      .on_step = [this, &task](const StepReport& report) { log_step(task.name(), report); },
      .on_validation =
          [this, &task](int step, const Score& score) { log_validation(task.name(), step, score); },
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

bool Run::train_module(TrainingTask& task, const TrainConfig& config, const Measure& measure) {
  const std::string name(task.name());
  task.module().to(device_);
  const auto finished = checkpoint_.finished.find(name);
  if (finished != checkpoint_.finished.end()) {
    set_weights(task.module(), finished->second.weights);
    return true;
  }
  progress_ = {};
  progress_.steps = config.steps;
  loss_sum_ = loss_count_ = 0;
  Trainer trainer(task, config, workers_);
  if (checkpoint_.running && checkpoint_.running->name == name) {
    const RunningModule& running = *checkpoint_.running;
    if (running.best.numel() != trainer.best().numel()) {
      throw Error(ErrorKind::kInput,
                  "the checkpoint is of a module with another number of weights");
    }
    trainer.restore(running.state, running.tensors, running.best);
    task.restore_sampler(running.sampler);
  }
  const TrainHooks hooks = this->hooks(task, trainer);
  const TrainEnd end = trainer.run(hooks);
  if (end == TrainEnd::kInterrupted) return false;
  hooks.on_checkpoint();  // before the best weights take the place of the last
  trainer.optimiser().set_weights(trainer.best());
  task.module().eval();
  std::optional<Json> results = measure();
  if (!results) return false;
  Json summary{{"steps", trainer.state().step},
               {"ended", end == TrainEnd::kPerfect ? "perfect" : "steps"},
               {"best_step", trainer.state().best_step},
               {"known", trainer.state().best.known},
               {"beyond", trainer.state().best.beyond},
               {"parameters", weights_of(task.module())}};
  summary.update(*results);
  metrics_->write(Json{{"event", "end"}, {"module", name}, {"results", summary}});
  checkpoint_.finished[name] = {.weights = trainer.best().clone(), .results = summary.dump()};
  checkpoint_.running.reset();
  save();
  return true;
}

bool Run::run_selector() {
  if (recipe_.selector.writes()) return run_leaf_writer();
  SelectorTask task(recipe_, *source_);
  if (!train_module(task, recipe_.train.selector, [] { return Json::object(); })) return false;
  model_.selector = SelectorModel{.config = recipe_.selector,
                                  .tokens = task.tokenizer(),
                                  .weights = export_weights(task.module(), kSelectorPrefix)};
  return true;
}

bool Run::run_leaf_writer() {
  LeafWriterTask task(recipe_, *source_);
  if (!train_module(task, recipe_.train.selector, [&] { return measure_writer(task); })) {
    return false;
  }
  const Json results = Json::parse(checkpoint_.finished.at("selector").results);
  model_.selector = SelectorModel{.config = recipe_.selector,
                                  .tokens = task.tokenizers().input,
                                  .weights = export_weights(task.module(), kSelectorPrefix),
                                  .output = task.tokenizers().output,
                                  .window_threshold = results.at("window_threshold").get<int>()};
  return true;
}

std::optional<Json> Run::measure_writer(const LeafWriterTask& task) {
  const auto outcomes = task.outcomes(workers_, [this] { return stopped(); });
  if (!outcomes) return std::nullopt;
  std::vector<LengthConfidence> written;
  for (const LeafWriterTask::Outcome& outcome : *outcomes) {
    written.push_back({outcome.tokens, outcome.log_prob});
  }
  return Json{{"window_threshold", calibrate_windows(std::move(written), recipe_.threshold)}};
}

// Every leaf there is, not a sample; and the threshold. Only the leaves for validation count for
// it: all that exist are known of no system that people teach.
std::optional<Json> Run::measure_solver(const SolverTask& task) {
  Json results;
  const SolverPairs& pairs = task.pairs();
  RightAnswers right{.seen = {}, .unseen = {}, .complete = pairs.complete};
  const std::vector<std::pair<const char*, const PairList*>> parts = {
      {"seen", &pairs.train}, {"kept", &pairs.valid}, {"unseen", &pairs.unseen}};
  for (const auto& [name, list] : parts) {
    std::vector<std::size_t> numbers(list->size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    const auto outcomes = task.outcomes(*list, numbers, workers_, [this] { return stopped(); });
    if (!outcomes) return std::nullopt;
    std::vector<double> scores;
    for (const SolverTask::Outcome& outcome : *outcomes) {
      if (outcome.exact) scores.push_back(outcome.log_prob);
    }
    results[name] = {{"pairs", list->size()}, {"right", scores.size()}};
    if (list == &pairs.train) right.seen = std::move(scores);
    if (list == &pairs.valid) right.unseen = std::move(scores);
  }
  results["threshold"] = calibrate_threshold(std::move(right), recipe_.threshold);
  return results;
}

bool Run::run_solver() {
  const auto seed = static_cast<std::uint64_t>(recipe_.seed);
  SolverTask task(recipe_, source_->pairs(seed));
  model_.data_hash = hash_of(*source_, task.pairs(), seed);
  if (!train_module(task, recipe_.train.solver, [&] { return measure_solver(task); })) return false;
  const Json results = Json::parse(checkpoint_.finished.at("solver").results);
  model_.solver = SolverModel{.config = recipe_.solver,
                              .input = task.tokenizers().input,
                              .output = task.tokenizers().output,
                              .min_log_prob = results.at("threshold").get<double>(),
                              .weights = export_weights(task.module(), kSolverPrefix),
                              .guard = make_guard(task.pairs())};
  return true;
}

bool Run::run_router() {
  RouterTask task(recipe_, *whole_source_);
  model_.data_hash = hash_of(*whole_source_, static_cast<std::uint64_t>(recipe_.seed));
  if (!train_module(task, *recipe_.train.router, [] { return Json::object(); })) return false;
  model_.router = RouterModel{.config = *recipe_.router,
                              .input = task.batcher().input(),
                              .output = task.batcher().output(),
                              .weights = export_weights(task.module(), kRouterPrefix)};
  return true;
}

void Run::write_model() {
  model_.name = recipe_.name;
  model_.program = "nrs " NRS_VERSION;
  model_.recipe = to_toml(recipe_);
  model_.domains = recipe_.data.domains;
  model_.protocol = name_of(recipe_.data.protocol);
  model_.seed = static_cast<std::uint64_t>(recipe_.seed);
  if (model_.data_hash.empty()) model_.data_hash = hash_of(*source_, {}, model_.seed);
  Json results = Json::parse(model_.results);
  for (const auto& [name, module] : checkpoint_.finished) {
    results[name] = Json::parse(module.results);
  }
  model_.results = results.dump();
  model_.certificate.reset();  // what was verified was another model
  save_model(request_.out, other_ ? join_models(model_, *other_, recipe_.name) : model_);
}

}  // namespace

RunEnd train(const TrainRequest& request, const TrainWatch& watch) {
  return Run(request, watch).run();
}

}  // namespace nrs
