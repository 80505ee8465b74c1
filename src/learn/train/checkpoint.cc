#include "learn/train/checkpoint.h"

#include <array>
#include <nlohmann/json.hpp>
#include <span>
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

// The tensors of a running module, by their names in the file.
template <class Running>
auto tensors_of(Running& running) {
  using Entry = std::pair<const char*, decltype(&running.tensors.weights)>;
  return std::to_array<Entry>({{"running.weights", &running.tensors.weights},
                               {"running.average", &running.tensors.average},
                               {"running.mean", &running.tensors.mean},
                               {"running.square", &running.tensors.square},
                               {"running.best", &running.state.best_weights}});
}

model::TensorView view_of(std::string name, std::span<const float> values) {
  return model::view_of(std::move(name), {values.size()}, values);
}

// Of a tensor [N], whose numbers it does not own.
std::span<const float> numbers_of(const torch::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

torch::Tensor tensor_of(const model::TensorFile& file, const std::string& name) {
  return torch::tensor(file.values<float>(name), torch::kFloat32);
}

RunningModule running_from(const model::TensorFile& file, const nlohmann::json& json) {
  RunningModule running;
  running.name = json.at("name").get<std::string>();
  model::read_fields(json.at("state"), "state", running.state);
  for (const auto& [name, tensor] : tensors_of(running)) *tensor = tensor_of(file, name);
  running.sampler = file.values<float>("running.sampler");
  return running;
}

void write_checkpoint(const fs::path& path, const Checkpoint& checkpoint) {
  std::vector<model::TensorView> views;
  nlohmann::json run = {{"only", checkpoint.only},
                        {"metrics_size", checkpoint.metrics_size},
                        {"finished", nlohmann::json::object()}};
  for (const auto& [name, module] : checkpoint.finished) {
    views.push_back(view_of("finished." + name, numbers_of(module.weights)));
    run["finished"][name] = module.results.dump();
  }
  if (checkpoint.running) {
    const RunningModule& running = *checkpoint.running;
    run["running"] = {{"name", running.name}, {"state", model::write_fields(running.state)}};
    for (const auto& [name, tensor] : tensors_of(running))
      views.push_back(view_of(name, numbers_of(*tensor)));
    views.push_back(view_of("running.sampler", running.sampler));
  }
  model::save_tensors(
      path, {{"kind", std::string(kKind)}, {"recipe", checkpoint.recipe}, {"run", run.dump()}},
      std::move(views));
}

// Throws Error (input) if the file is damaged or not a checkpoint.
Checkpoint read_checkpoint(const fs::path& path) {
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
          .weights = tensor_of(file, "finished." + name),
          .results = TrainingTask::Results::parse(results.get<std::string>())};
    }
    if (run.contains("running")) checkpoint.running = running_from(file, run.at("running"));
  } catch (const nlohmann::json::exception& error) {
    throw file.error(std::string("its record of the run is damaged: ") + error.what());
  }
  return checkpoint;
}

}  // namespace

void save_checkpoint(const fs::path& model, const Checkpoint& checkpoint) {
  const fs::path last = model::checkpoint_path(model);
  if (fs::exists(last)) {
    const fs::path before = model::earlier_checkpoint(last);
    std::error_code code;
    fs::rename(last, before, code);
    if (code) throw Error(ErrorKind::kIo, before.string() + ": cannot write: " + code.message());
  }
  write_checkpoint(last, checkpoint);
}

Checkpoint load_checkpoint(const fs::path& model,
                           const std::function<void(const std::string&)>& note) {
  const fs::path last = model::checkpoint_path(model);
  try {
    return read_checkpoint(last);
  } catch (const Error& error) {
    const fs::path before = model::earlier_checkpoint(last);
    if (!fs::exists(before)) throw;
    Checkpoint checkpoint = read_checkpoint(before);
    note(error.line() + "; continuing from the previous checkpoint");
    return checkpoint;
  }
}

void remove_checkpoints(const fs::path& model) {
  const fs::path last = model::checkpoint_path(model);
  std::error_code ignored;  // what is left over does no harm
  fs::remove(last, ignored);
  fs::remove(model::earlier_checkpoint(last), ignored);
}

}  // namespace nrs::learn
