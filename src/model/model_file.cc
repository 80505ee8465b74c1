#include "model/model_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "model/json_config.h"
#include "model/tensor_names.h"

namespace nrs {
namespace {

constexpr std::string_view kFormatName = "nrs-model";

// Vocabularies as the file has them; the rules of a tokenizer are in the configuration.
struct VocabularyFields {
  Specials specials = Specials::kInput;
  std::vector<std::string> tokens;

  template <class Visitor>
  void visit(Visitor& v) {
    v("specials", specials, "which ids come before the tokens");
    v("tokens", tokens, "in the order of their ids");
  }
};

struct SelectorFields {
  SelectorConfig config;
  VocabularyFields vocabulary;
  VocabularyFields output;
  int window_threshold = 0;

  template <class Visitor>
  void visit(Visitor& v) {
    v("config", config, "architecture");
    v("vocabulary", vocabulary, "of formulas");
    v("output_vocabulary", output, "of leaves");
    v("window_threshold", window_threshold, "tokens from which windows are used; 0: never",
      Range{0, 1 << 30});
  }
};

// Format 1 knows one kind of Selector only, and names neither it nor what the other kind has. Here
// are these keys: of `selector` itself, and of its `config`.
constexpr std::array<const char*, 2> kWriterKeys{"output_vocabulary", "window_threshold"};
constexpr std::array<const char*, 2> kWriterConfigKeys{"kind", "writer"};
// Of `config` in format 5, and in older ones unsaid and empty.
constexpr const char* kLeafRulesKey = "leaf_rules";

int format_of(const Model& model) {
  if (model.selector && !model.selector->config.leaf_rules.empty()) return 5;
  if (model.half) return 4;
  if (model.router) return 3;
  return model.selector && model.selector->config.writes() ? 2 : 1;
}

struct SolverFields {
  SolverConfig config;
  VocabularyFields input;
  VocabularyFields output;
  double min_log_prob = 0;

  template <class Visitor>
  void visit(Visitor& v) {
    v("config", config, "architecture");
    v("input_vocabulary", input, "of leaves");
    v("output_vocabulary", output, "of values");
    v("min_log_prob", min_log_prob, "confidence threshold", Range{-1e9, 0.0});
  }
};

struct RouterFields {
  RouterConfig config;
  VocabularyFields input;
  VocabularyFields output;

  template <class Visitor>
  void visit(Visitor& v) {
    v("config", config, "architecture");
    v("input_vocabulary", input, "of formulas");
    v("output_vocabulary", output, "of values");
  }
};

VocabularyFields fields_of(const Tokenizer& tokenizer) {
  return {.specials = tokenizer.specials(), .tokens = tokenizer.tokens()};
}

Tokenizer tokenizer_of(const std::vector<std::string>& rules, VocabularyFields fields) {
  return Tokenizer(TokenRules(rules), std::move(fields.tokens), fields.specials);
}

std::string text_of(const nlohmann::json& json, const char* where) {
  try {
    return json.dump();
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::kInput, fmt::format("{}: a token is not UTF-8", where));
  }
}

nlohmann::json json_of(const SelectorModel& selector) {
  nlohmann::json json =
      JsonWriter::write(SelectorFields{selector.config, fields_of(selector.tokens),
                                       fields_of(selector.output), selector.window_threshold});
  if (selector.config.leaf_rules.empty()) json["config"].erase(kLeafRulesKey);
  if (selector.config.writes()) return json;
  for (const char* key : kWriterKeys) json.erase(key);
  for (const char* key : kWriterConfigKeys) json["config"].erase(key);
  return json;
}

nlohmann::json json_of(const SolverModel& solver) {
  return JsonWriter::write(SolverFields{solver.config, fields_of(solver.input),
                                        fields_of(solver.output), solver.min_log_prob});
}

nlohmann::json json_of(const RouterModel& router) {
  return JsonWriter::write(
      RouterFields{router.config, fields_of(router.input), fields_of(router.output)});
}

Metadata metadata_of(const Model& model) {
  Metadata metadata{{"format", std::string(kFormatName)},
                    {"format_version", std::to_string(format_of(model))},
                    {"name", model.name},
                    {"program", model.program},
                    {"recipe", model.recipe},
                    {"data_hash", model.data_hash},
                    {"seed", std::to_string(model.seed)},
                    {"results", model.results}};
  if (model.certificate) metadata["certificate"] = *model.certificate;
  if (model.selector) metadata["selector"] = text_of(json_of(*model.selector), "selector");
  if (model.solver) metadata["solver"] = text_of(json_of(*model.solver), "solver");
  if (model.router) metadata["router"] = text_of(json_of(*model.router), "router");
  return metadata;
}

// Calls act(weights) for the modules that are there.
template <class AnyModel, class Act>
void for_modules(AnyModel& model, const Act& act) {
  if (model.selector) act(model.selector->weights);
  if (model.solver) act(model.solver->weights);
  if (model.router) act(model.router->weights);
}

// The tensors as the file has them.
struct StoredTensors {
  std::vector<TensorView> views;
  std::vector<std::vector<Half>> halves;  // what the views show, if the model's own floats are not
};

std::vector<Half> exact_halves(const std::string& name, const std::vector<float>& values) {
  std::vector<Half> halves(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    halves[i] = to_half(values[i]);
    if (to_float(halves[i]) != values[i]) {
      throw Error(ErrorKind::kInput,
                  fmt::format("tensor '{}' is {} at index {}, which 16 bits cannot say", name,
                              values[i], i));
    }
  }
  return halves;
}

StoredTensors stored(const Model& model) {
  StoredTensors to;
  for_modules(model, [&](const WeightMap& weights) {
    for (const auto& [name, tensor] : weights) {
      if (!model.half) {
        to.views.push_back(view_of<float>(name, tensor.shape, tensor.values));
        continue;
      }
      std::vector<Half> halves = exact_halves(name, tensor.values);
      to.views.push_back(view_of<Half>(name, tensor.shape, halves));
      to.halves.push_back(std::move(halves));  // its numbers stay where they are
    }
  });
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
  const std::uint64_t version = number_at(file, "format_version");
  if (version > kModelFormat) {
    throw file.error(
        fmt::format("model format {}, this program reads up to {}", version, kModelFormat),
        "update nrs, or train the model again with this version");
  }
  if (version == 0) throw file.error("model format 0 never existed");
}

// A key that we do not know could change what the model means, so it is not passed over.
void check_keys(const TensorFile& file) {
  constexpr std::array<std::string_view, 13> kKnown{
      "certificate", kChecksumKey, "data_hash", "format", "format_version", "name",  "program",
      "recipe",      "results",    "router",    "seed",   "selector",       "solver"};
  for (const auto& [key, ignored] : file.metadata()) {
    if (std::ranges::find(kKnown, key) == kKnown.end()) {
      throw file.error(fmt::format("unknown metadata key '{}'", excerpt(key, 80)));
    }
  }
}

// Every tensor must belong to a module that is there.
void check_owners(const TensorFile& file) {
  const bool selector = file.metadata().contains("selector");
  const bool solver = file.metadata().contains("solver");
  const bool router = file.metadata().contains("router");
  for (const TensorView& tensor : file.tensors()) {
    if (selector && tensor.name.starts_with(kSelectorPrefix)) continue;
    if (solver && tensor.name.starts_with(kSolverPrefix)) continue;
    if (router && tensor.name.starts_with(kRouterPrefix)) continue;
    throw file.error(fmt::format("tensor '{}' belongs to no module", excerpt(tensor.name, 80)));
  }
}

// The first tensor tells for all: another type beside it is then refused.
bool has_halves(const TensorFile& file) {
  return number_at(file, "format_version") >= 4 && !file.tensors().empty() &&
         file.tensors().front().dtype == Dtype::kF16;
}

std::vector<float> floats_of(const TensorFile& file, const std::string& name, bool half) {
  if (!half) return file.values<float>(name);
  const std::vector<Half> halves = file.values<Half>(name);
  std::vector<float> floats(halves.size());
  std::ranges::transform(halves, floats.begin(), to_float);
  return floats;
}

WeightMap weights_of(const TensorFile& file, std::string_view prefix, bool half) {
  WeightMap weights;
  for (const TensorView& tensor : file.tensors()) {
    if (!tensor.name.starts_with(prefix)) continue;
    weights[tensor.name] = {tensor.shape, floats_of(file, tensor.name, half)};
  }
  return weights;
}

// What files do not say that are older than a field.
void complete(nlohmann::json& selector) {
  if (!selector.is_object() || !selector.contains("config")) return;
  nlohmann::json& config = selector["config"];
  if (!config.is_object()) return;
  if (!config.contains("kind")) {
    const nlohmann::json meant = JsonWriter::write(SelectorFields{});
    for (const char* key : kWriterKeys) selector[key] = meant[key];
    for (const char* key : kWriterConfigKeys) config[key] = meant["config"][key];
  }
  if (!config.contains(kLeafRulesKey)) config[kLeafRulesKey] = nlohmann::json::array();
  const auto writer = config.find("writer");
  if (writer == config.end() || !writer->is_object()) return;
  if (!writer->contains("jitter")) (*writer)["jitter"] = 0.0;
}

SelectorModel selector_of(const std::string& text, WeightMap weights) {
  SelectorFields fields;
  nlohmann::json json = parse_json(text, "selector");
  complete(json);
  JsonReader::read(json, "selector", fields);
  const std::vector<std::string>& rules = fields.config.token_rules;
  return {.config = fields.config,
          .tokens = tokenizer_of(rules, fields.vocabulary),
          .weights = std::move(weights),
          .output = tokenizer_of(rules, fields.output),
          .window_threshold = fields.window_threshold};
}

SolverModel solver_of(const std::string& text, WeightMap weights) {
  SolverFields fields;
  JsonReader::read(parse_json(text, "solver"), "solver", fields);
  return {.config = fields.config,
          .input = tokenizer_of(fields.config.token_rules, fields.input),
          .output = tokenizer_of(fields.config.token_rules, fields.output),
          .min_log_prob = fields.min_log_prob,
          .weights = std::move(weights)};
}

RouterModel router_of(const std::string& text, WeightMap weights) {
  RouterFields fields;
  JsonReader::read(parse_json(text, "router"), "router", fields);
  return {.config = fields.config,
          .input = tokenizer_of(fields.config.token_rules, fields.input),
          .output = tokenizer_of(fields.config.token_rules, fields.output),
          .weights = std::move(weights)};
}

// All but the modules.
Model provenance_of(const TensorFile& file) {
  Model model;
  model.name = file.text("name");
  model.program = file.text("program");
  model.recipe = file.text("recipe");
  model.data_hash = file.text("data_hash");
  model.seed = number_at(file, "seed");
  model.results = file.text("results");
  if (file.metadata().contains("certificate")) model.certificate = file.text("certificate");
  model.half = has_halves(file);
  return model;
}

}  // namespace

void round_to_half(Model& model) {
  for_modules(model, [](WeightMap& weights) {
    for (auto& [name, tensor] : weights) {
      for (float& value : tensor.values) {
        const float rounded = to_float(to_half(value));
        if (!std::isfinite(rounded)) {
          throw Error(ErrorKind::kInput,
                      fmt::format("tensor '{}' has {}, too large for 16 bits", name, value));
        }
        value = rounded;
      }
    }
  });
  model.half = true;
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

Model load_model(const std::filesystem::path& path) {
  return parse_model(TensorFile::load(path));
}

Model parse_model(const TensorFile& file) {
  check_format(file);
  file.require_checksum();
  check_keys(file);
  check_owners(file);
  Model model = provenance_of(file);
  WeightMap selector = weights_of(file, kSelectorPrefix, model.half);
  WeightMap solver = weights_of(file, kSolverPrefix, model.half);
  WeightMap router = weights_of(file, kRouterPrefix, model.half);
  const Metadata& metadata = file.metadata();
  try {
    if (metadata.contains("selector")) {
      model.selector = selector_of(file.text("selector"), std::move(selector));
    }
    if (metadata.contains("solver")) {
      model.solver = solver_of(file.text("solver"), std::move(solver));
    }
    if (metadata.contains("router")) {
      model.router = router_of(file.text("router"), std::move(router));
    }
    check_model(model);
  } catch (const Error& error) {
    throw file.error(error.what(), error.hint());
  }
  return model;
}

}  // namespace nrs
