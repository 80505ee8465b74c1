#include "model/model_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "model/json_config.h"
#include "model/networks.h"

namespace nrs::model {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kFormatName = "nrs-model";

// The modules that came with the format have keys of their own; those of others have a prefix.
constexpr std::array<std::string_view, 3> kFirstModules{"router", "selector", "solver"};
constexpr std::string_view kModulePrefix = "module.";

std::string key_of(std::string_view module) {
  const bool first = std::ranges::find(kFirstModules, module) != kFirstModules.end();
  return std::string(first ? "" : kModulePrefix).append(module);
}

// The name of the module that a metadata key is about, if it is about one.
std::optional<std::string> module_at(std::string_view key) {
  if (key.starts_with(kModulePrefix)) return std::string(key.substr(kModulePrefix.size()));
  if (std::ranges::find(kFirstModules, key) != kFirstModules.end()) return std::string(key);
  return std::nullopt;
}

// What every model says of itself in words.
constexpr std::array<std::pair<std::string_view, std::string Model::*>, 6> kTexts{
    {{"name", &Model::name},
     {"program", &Model::program},
     {"recipe", &Model::recipe},
     {"data_hash", &Model::data_hash},
     {"results", &Model::results},
     {"protocol", &Model::protocol}}};

Metadata metadata_of(const Model& model) {
  Metadata metadata{{"format", std::string(kFormatName)},
                    {"format_version", std::string(kModelFormat)},
                    {"domains", nlohmann::json(model.domains).dump()},
                    {"seed", std::to_string(model.seed)}};
  for (const auto& [key, text] : kTexts) metadata[std::string(key)] = model.*text;
  if (model.certificate) metadata["certificate"] = *model.certificate;
  if (!model.architecture.empty()) metadata["architecture"] = model.architecture;
  for (const auto& [name, module] : model.modules) metadata[key_of(name)] = module.fields;
  for (const auto& [name, shared] : model.shared) {
    metadata[key_of(name)] = write_fields(shared).dump();
  }
  return metadata;
}

// The tensors as the file has them.
struct StoredTensors {
  std::vector<TensorView> views;
  std::vector<std::vector<Half>>
      halves{};  // what the views show, if the model's own floats are not
};

std::vector<Half> exact_halves(const std::string& name, const std::vector<float>& values) {
  std::vector<Half> halves(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    halves[i] = to_half(values[i]);
    if (to_float(halves[i]) != values[i]) {
      throw Error(ErrorKind::kInput,
                  fmt::format("tensor '{}' is {} at index {}, which 16 bits cannot hold", name,
                              values[i], i));
    }
  }
  return halves;
}

void store(const Module& module, StoredTensors& to) {
  for (const auto& [name, tensor] : module.weights) {
    if (!module.half) {
      to.views.push_back(view_of<float>(name, tensor.shape, tensor.values));
      continue;
    }
    std::vector<Half> halves = exact_halves(name, tensor.values);
    to.views.push_back(view_of<Half>(name, tensor.shape, halves));
    to.halves.push_back(std::move(halves));  // its numbers stay where they are
  }
  for (const auto& [name, table] : module.tables) {
    to.views.push_back({name, table.dtype, table.shape, table.bytes});
  }
}

StoredTensors stored(const Model& model) {
  StoredTensors to;
  for (const auto& [name, module] : model.modules) {
    if (!model.shared.contains(name)) store(module, to);
  }
  return to;
}

std::uint64_t number_at(const TensorFile& file, std::string_view key) {
  const std::string& text = file.text(key);
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, number);
  if (code != std::errc() || stop != end) {
    throw file.error(fmt::format("{}: '{}' is not a number", key, excerpt(text)));
  }
  return number;
}

void check_format(const TensorFile& file) {
  const auto format = file.metadata().find("format");
  if (format == file.metadata().end()) {
    throw file.error("a safetensors file, but not a model of nrs");
  }
  if (format->second != kFormatName) {
    throw file.error(
        fmt::format("its format is '{}', not '{}'", excerpt(format->second), kFormatName));
  }
  const std::string& version = file.text("format_version");
  if (version != kModelFormat) {
    throw file.error(
        fmt::format("model format '{}', this program reads {}", excerpt(version, 80), kModelFormat),
        "train the model again with this version, or use the version that wrote it");
  }
}

// A key that we do not know could change what the model means, so it is not passed over.
void check_keys(const TensorFile& file) {
  Metadata known = metadata_of({});
  for (const std::string_view key : {"architecture"sv, "certificate"sv, kChecksumKey})
    known.emplace(key, "");
  for (const auto& [key, ignored] : file.metadata()) {
    if (!module_at(key) && !known.contains(key)) {
      throw file.error(fmt::format("unknown metadata key '{}'", excerpt(key, 80)));
    }
  }
}

// Every tensor must belong to a module that is there.
void check_owners(const TensorFile& file) {
  for (const TensorView& tensor : file.tensors()) {
    const std::string_view module = std::string_view(tensor.name).substr(0, tensor.name.find('.'));
    if (module == tensor.name || !file.metadata().contains(key_of(module))) {
      throw file.error(fmt::format("tensor '{}' belongs to no module", excerpt(tensor.name, 80)));
    }
  }
}

std::vector<float> floats_of(const TensorFile& file, const std::string& name, bool half) {
  if (!half) return file.values<float>(name);
  const std::vector<Half> halves = file.values<Half>(name);
  std::vector<float> floats(halves.size());
  std::ranges::transform(halves, floats.begin(), to_float);
  return floats;
}

// The first tensor of weights tells the type of all: another beside it is refused.
Module read_module(const TensorFile& file, std::string_view name) {
  Module module{.fields = file.text(key_of(name))};
  const std::string prefix = std::string(name) + ".";
  for (const TensorView& tensor : file.tensors()) {
    if (!tensor.name.starts_with(prefix)) continue;
    if (tensor.dtype != Dtype::kF16 && tensor.dtype != Dtype::kF32) {
      module.tables[tensor.name] = {tensor.dtype, tensor.shape, std::string(tensor.bytes)};
      continue;
    }
    if (module.weights.empty()) module.half = tensor.dtype == Dtype::kF16;
    module.weights[tensor.name] = {tensor.shape, floats_of(file, tensor.name, module.half)};
  }
  return module;
}

bool is_shared(const nlohmann::json& json) {
  return json.is_object() && json.contains("file");
}

// Where a module is, if it is not in this file.
std::optional<SharedModule> shared_at(const TensorFile& file, const std::string& name) {
  const nlohmann::json json = parse_json(file.text(key_of(name)), name);
  if (!is_shared(json)) return std::nullopt;
  SharedModule where;
  read_fields(json, name, where);
  const std::string& other = where.file;
  if (other.empty() || other.find('/') != std::string::npos) {
    refuse_file(fmt::format("{}: '{}' is not the name of a file", name, other));
  }
  return where;
}

Module read_shared(const std::filesystem::path& folder, const std::string& name,
                   const SharedModule& shared) {
  const TensorFile other = TensorFile::load(folder / shared.file);
  check_format(other);
  other.require_checksum();
  if (is_shared(parse_json(other.text(key_of(name)), name))) {
    throw other.error(fmt::format("the {} is not in this file either", name));
  }
  Module found = read_module(other, name);
  if (module_checksum(name, found) != shared.checksum) {
    throw Error(ErrorKind::kInput, fmt::format("{}: {} now has another one", name, shared.file),
                "make the model again");
  }
  return found;
}

// All but the modules.
Model provenance_of(const TensorFile& file) {
  Model model;
  for (const auto& [key, text] : kTexts) model.*text = file.text(key);
  model.seed = number_at(file, "seed");
  if (model.protocol != "full" && model.protocol != "paper") {
    throw file.error(
        fmt::format("protocol '{}' is neither full nor paper", excerpt(model.protocol)));
  }
  const nlohmann::json domains = parse_json(file.text("domains"), "domains");
  try {
    domains.get_to(model.domains);
  } catch (const nlohmann::json::exception&) {
    throw file.error("domains: must be a list of names");
  }
  if (file.metadata().contains("certificate")) model.certificate = file.text("certificate");
  if (file.metadata().contains("architecture")) model.architecture = file.text("architecture");
  return model;
}

// Those that are in other files are only named, in `shared`.
void read_modules(const TensorFile& file, Model& model) {
  for (const auto& [key, ignored] : file.metadata()) {
    const auto name = module_at(key);
    if (!name) continue;
    if (const std::optional<SharedModule> shared = shared_at(file, *name)) {
      model.shared.emplace(*name, *shared);
    } else {
      model.modules.emplace(*name, read_module(file, *name));
    }
  }
}

// Whether there were any.
bool read_missing(Model& model, const std::filesystem::path& folder) {
  bool any = false;
  for (const auto& [name, shared] : model.shared) {
    if (model.modules.contains(name)) continue;
    model.modules.emplace(name, read_shared(folder, name, shared));
    any = true;
  }
  return any;
}

// Whether they are there.
void find_missing(const Model& model, const std::filesystem::path& folder) {
  for (const auto& [name, shared] : model.shared) {
    if (std::filesystem::exists(folder / shared.file)) continue;
    refuse_file(fmt::format("its {} is in {}, which is not there", name, shared.file));
  }
}

// `late`: modules in other files are not read yet.
Model parse(const TensorFile& file, const std::filesystem::path& folder, bool late) {
  check_format(file);
  file.require_checksum();
  check_keys(file);
  check_owners(file);
  Model model = provenance_of(file);
  try {
    read_modules(file, model);
    if (late) {
      find_missing(model, folder);
    } else {
      read_missing(model, folder);
    }
    if (!late || !model.modules.empty()) check_model(model);
  } catch (const Error& error) {
    throw file.error(error.what(), error.hint());
  }
  return model;
}

void check_object(const std::string& text, const std::string& where) {
  if (!parse_json(text, where).is_object()) refuse_file(where + ": must be an object");
}

void check_finite(const nn::WeightMap& weights) {
  for (const auto& [name, tensor] : weights) {
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      if (std::isfinite(tensor.values[i])) continue;
      refuse_file(fmt::format("tensor '{}' is {} at index {}", name, tensor.values[i], i));
    }
  }
}

}  // namespace

Error IntegerTable::wrong_dtype(Dtype expected) const {
  return Error(ErrorKind::kInput,
               fmt::format("a table is {}, expected {}", enum_name(dtype), enum_name(expected)));
}

const Module& Model::module(std::string_view wanted) const {
  if (const auto found = modules.find(wanted); found != modules.end()) return found->second;
  throw Error(ErrorKind::kInput, fmt::format("model '{}' has no {}", name, wanted));
}

std::uint64_t count_parameters(const Module& module) {
  std::uint64_t count = 0;
  for (const auto& entry : module.weights) count += entry.second.values.size();
  return count;
}

std::uint64_t count_parameters(const Model& model) {
  std::uint64_t count = 0;
  for (const auto& entry : model.modules) count += count_parameters(entry.second);
  return count;
}

void check_model(const Model& model) {
  if (model.modules.empty()) refuse_file("no module is in it");
  for (const auto& [name, module] : model.modules) {
    check_object(module.fields, name);
    check_finite(module.weights);
  }
  check_networks(model);
  check_object(model.results, "results");
  if (model.certificate) check_object(*model.certificate, "certificate");
}

void round_to_half(Model& model) {
  for (auto& [module_name, module] : model.modules) {
    if (model.shared.contains(module_name)) continue;
    for (auto& [name, tensor] : module.weights) {
      for (float& value : tensor.values) {
        const float rounded = to_float(to_half(value));
        if (!std::isfinite(rounded)) {
          throw Error(ErrorKind::kInput,
                      fmt::format("tensor '{}' has {}, too large for 16 bits", name, value));
        }
        value = rounded;
      }
    }
    module.half = true;
  }
  model.certificate.reset();
}

void save_model(const std::filesystem::path& path, const Model& model) {
  StoredTensors tensors;
  try {
    check_model(model);
    tensors = stored(model);
  } catch (const Error& error) {
    throw error.in("cannot save " + path.string());
  }
  save_tensors(path, metadata_of(model), std::move(tensors.views));
}

std::string serialise_model(const Model& model) {
  check_model(model);
  return serialise_tensors(metadata_of(model), stored(model).views);
}

std::string model_checksum(const Model& model) {
  Metadata metadata = metadata_of(model);
  metadata.erase("certificate");
  return checksum_of(std::move(metadata), stored(model).views);
}

bool has_own_certificate(const Model& model) {
  if (!model.certificate) return false;
  const nlohmann::json certificate = parse_json(*model.certificate, "certificate");
  const auto of = certificate.find("model");
  return of != certificate.end() && *of == model_checksum(model);
}

std::string module_checksum(std::string_view name, const Module& module) {
  StoredTensors tensors;
  store(module, tensors);
  return checksum_of({{key_of(name), module.fields}}, std::move(tensors.views));
}

Model load_model(const std::filesystem::path& path) {
  return parse(TensorFile::load(path), path.parent_path(), /*late=*/false);
}

Model load_own_modules(const std::filesystem::path& path) {
  return parse(TensorFile::load(path), path.parent_path(), /*late=*/true);
}

Model parse_model(const TensorFile& file, const std::filesystem::path& folder) {
  return parse(file, folder, /*late=*/false);
}

void load_shared(Model& model, const std::filesystem::path& path) {
  try {
    if (read_missing(model, path.parent_path())) check_model(model);
  } catch (const Error& error) {
    throw error.in(path.string());
  }
}

}  // namespace nrs::model
