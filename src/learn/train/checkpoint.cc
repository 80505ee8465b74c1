#include "learn/train/checkpoint.h"

#include <torch/autograd.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "model/json_config.h"
#include "model/safetensors.h"
#include "model/training_files.h"
#include "nrs/error.h"

namespace nrs::learn {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kKind = "nrs checkpoint 1";
constexpr std::string_view kFinishedPrefix = "finished.";
constexpr std::string_view kRunningPrefix = "running.";

// What the file layer sees of tensors, with the memory that it points to.
class Views {
 public:
  void add(std::string name, const torch::Tensor& tensor) {
    const torch::Tensor& kept = kept_.emplace_back(tensor.detach().to(torch::kCPU).contiguous());
    const auto count = static_cast<std::size_t>(kept.numel());
    views_.push_back(
        model::view_of<float>(std::move(name), {count}, {kept.data_ptr<float>(), count}));
  }
  void add(std::string name, const std::vector<float>& values) {
    views_.push_back(model::view_of<float>(std::move(name), {values.size()}, values));
  }
  std::vector<model::TensorView> take() { return std::move(views_); }

 private:
  std::vector<torch::Tensor> kept_;
  std::vector<model::TensorView> views_;
};

torch::Tensor tensor_of(const model::TensorFile& file, const std::string& name) {
  const std::vector<float> values = file.values<float>(name);
  return torch::tensor(values, torch::kFloat32);
}

nlohmann::json to_json(const TrainState& state) {
  return {{"step", state.step},
          {"validated", state.validated},
          {"perfect", state.perfect},
          {"best_step", state.best_step},
          {"known", state.best.in_distribution},
          {"beyond", state.best.out_of_distribution}};
}

TrainState state_from(const nlohmann::json& json) {
  return {.step = json.at("step").get<int>(),
          .validated = json.at("validated").get<bool>(),
          .perfect = json.at("perfect").get<int>(),
          .best_step = json.at("best_step").get<int>(),
          .best = {.in_distribution = json.at("known").get<double>(),
                   .out_of_distribution = json.at("beyond").get<double>()}};
}

RunningModule running_from(const model::TensorFile& file, const nlohmann::json& json) {
  const std::string prefix(kRunningPrefix);
  return {.name = json.at("name").get<std::string>(),
          .state = state_from(json.at("state")),
          .tensors = {.weights = tensor_of(file, prefix + "weights"),
                      .average = tensor_of(file, prefix + "average"),
                      .mean = tensor_of(file, prefix + "mean"),
                      .square = tensor_of(file, prefix + "square")},
          .best = tensor_of(file, prefix + "best"),
          .sampler = file.values<float>(prefix + "sampler")};
}

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  Views views;
  nlohmann::json run = {{"only", checkpoint.only},
                        {"metrics_size", checkpoint.metrics_size},
                        {"finished", nlohmann::json::object()}};
  for (const auto& [name, module] : checkpoint.finished) {
    views.add(std::string(kFinishedPrefix) + name, module.weights);
    run["finished"][name] = module.results.dump();
  }
  if (checkpoint.running) {
    const RunningModule& running = *checkpoint.running;
    const std::string prefix(kRunningPrefix);
    run["running"] = {{"name", running.name}, {"state", to_json(running.state)}};
    views.add(prefix + "weights", running.tensors.weights);
    views.add(prefix + "average", running.tensors.average);
    views.add(prefix + "mean", running.tensors.mean);
    views.add(prefix + "square", running.tensors.square);
    views.add(prefix + "best", running.best);
    views.add(prefix + "sampler", running.sampler);
  }
  model::save_tensors(
      path, {{"kind", std::string(kKind)}, {"recipe", checkpoint.recipe}, {"run", run.dump()}},
      views.take());
}

Checkpoint load_checkpoint(const std::filesystem::path& path) {
  const model::TensorFile file = model::TensorFile::load(path);
  const auto kind = file.metadata().find("kind");
  if (kind == file.metadata().end() || kind->second != kKind) {
    throw file.error("not a checkpoint that this program can read");
  }
  file.require_checksum();
  Checkpoint checkpoint;
  checkpoint.recipe = file.text("recipe");
  try {
    const nlohmann::json run = model::parse_json(file.text("run"), path.string());
    checkpoint.only = run.at("only").get<std::string>();
    checkpoint.metrics_size = run.at("metrics_size").get<std::uint64_t>();
    for (const auto& [name, results] : run.at("finished").items()) {
      checkpoint.finished[name] = {
          .weights = tensor_of(file, std::string(kFinishedPrefix) + name),
          .results = ModuleTask::Results::parse(results.get<std::string>())};
    }
    if (run.contains("running")) checkpoint.running = running_from(file, run.at("running"));
  } catch (const nlohmann::json::exception& error) {
    throw file.error(std::string("its record of the run is damaged: ") + error.what());
  }
  return checkpoint;
}

CheckpointStore::CheckpointStore(const fs::path& path)
    : last_(path), before_(model::earlier_checkpoint(path)) {}

bool CheckpointStore::exists() const {
  return fs::exists(last_) || fs::exists(before_);
}

void CheckpointStore::save(const Checkpoint& checkpoint) {
  if (fs::exists(last_)) {
    std::error_code code;
    fs::rename(last_, before_, code);
    if (code) throw Error(ErrorKind::kIo, before_.string() + ": cannot write: " + code.message());
  }
  save_checkpoint(last_, checkpoint);
}

CheckpointStore::Loaded CheckpointStore::load() const {
  if (!fs::exists(before_)) return {.checkpoint = load_checkpoint(last_), .warning = {}};
  try {
    return {.checkpoint = load_checkpoint(last_), .warning = {}};
  } catch (const Error& error) {
    return {.checkpoint = load_checkpoint(before_),
            .warning = error.line() + "; going on from the checkpoint before it"};
  }
}

void CheckpointStore::remove() {
  std::error_code ignored;  // what is left over does no harm
  fs::remove(last_, ignored);
  fs::remove(before_, ignored);
}

}  // namespace nrs::learn
