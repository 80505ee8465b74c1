#include "model/model_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "model/json_config.h"
#include "nn/tensor_names.h"

namespace nrs {
namespace {

constexpr std::string_view kFormatName = "nrs-model";

constexpr const char* kGuardPrefix = "solver.guard.";
constexpr const char* kGuardClasses = "solver.guard.class_of";
constexpr const char* kGuardNext = "solver.guard.next";
constexpr const char* kGuardAccepting = "solver.guard.accepting";

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

constexpr int kNoGuard = -1;

struct SolverFields {
  SolverConfig config;
  VocabularyFields input;
  VocabularyFields output;
  double min_log_prob = 0;
  int guard = kNoGuard;

  template <class Visitor>
  void visit(Visitor& v) {
    v("config", config, "architecture");
    v("input_vocabulary", input, "of leaves");
    v("output_vocabulary", output, "of values");
    v("min_log_prob", min_log_prob, "confidence threshold", Range{-1e9, 0.0});
    v("guard", guard, "width of its windows; 0: whole texts; -1: there is none",
      Range{-1, 1 << 16});
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

struct SharedFields {
  SharedModule module;

  template <class Visitor>
  void visit(Visitor& v) {
    v("file", module.file, "of the model that has the module");
    v("checksum", module.checksum, "of the module");
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
  return JsonWriter::write(SelectorFields{selector.config, fields_of(selector.tokens),
                                          fields_of(selector.output), selector.window_threshold});
}

nlohmann::json json_of(const SolverModel& solver) {
  const int guard = solver.guard ? solver.guard->table().width : kNoGuard;
  return JsonWriter::write(SolverFields{solver.config, fields_of(solver.input),
                                        fields_of(solver.output), solver.min_log_prob, guard});
}

nlohmann::json json_of(const RouterModel& router) {
  return JsonWriter::write(
      RouterFields{router.config, fields_of(router.input), fields_of(router.output)});
}

// Calls act(name, module) for the modules that are there.
template <class AnyModel, class Act>
void for_modules(AnyModel& model, const Act& act) {
  if (model.selector) act("selector", *model.selector);
  if (model.solver) act("solver", *model.solver);
  if (model.router) act("router", *model.router);
}

Metadata metadata_of(const Model& model) {
  Metadata metadata{{"format", std::string(kFormatName)},
                    {"format_version", std::string(kModelFormat)},
                    {"name", model.name},
                    {"program", model.program},
                    {"recipe", model.recipe},
                    {"data_hash", model.data_hash},
                    {"domains", nlohmann::json(model.domains).dump()},
                    {"protocol", model.protocol},
                    {"seed", std::to_string(model.seed)},
                    {"results", model.results}};
  if (model.certificate) metadata["certificate"] = *model.certificate;
  for_modules(model, [&](const char* name, const auto& module) {
    const auto shared = model.shared.find(name);
    metadata[name] =
        text_of(shared == model.shared.end() ? json_of(module)
                                             : JsonWriter::write(SharedFields{shared->second}),
                name);
  });
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
                  fmt::format("tensor '{}' is {} at index {}, which 16 bits cannot say", name,
                              values[i], i));
    }
  }
  return halves;
}

template <class Module>
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
  if constexpr (std::is_same_v<Module, SolverModel>) {
    if (!module.guard) return;
    const LeafGuard::Table& table = module.guard->table();
    const std::uint64_t states = table.accepting.size();
    to.views.push_back(view_of<std::uint8_t>(kGuardClasses, {256}, table.class_of));
    to.views.push_back(view_of<std::uint16_t>(kGuardNext, {states, table.classes()}, table.next));
    to.views.push_back(view_of<std::uint8_t>(kGuardAccepting, {states}, table.accepting));
  }
}

StoredTensors stored(const Model& model) {
  StoredTensors to;
  for_modules(model, [&](const char* name, const auto& module) {
    if (!model.shared.contains(name)) store(module, to);
  });
  return to;
}

template <class Module>
std::string checksum_of(const char* name, const Module& module) {
  StoredTensors tensors;
  store(module, tensors);
  const std::string bytes =
      serialise_tensors({{name, text_of(json_of(module), name)}}, std::move(tensors.views));
  return TensorFile::parse(bytes, name).text(kChecksumKey);
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
  constexpr std::array<std::string_view, 15> kKnown{
      "certificate",    kChecksumKey, "data_hash", "domains",  "format",
      "format_version", "name",       "program",   "protocol", "recipe",
      "results",        "router",     "seed",      "selector", "solver"};
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

std::vector<float> floats_of(const TensorFile& file, const std::string& name, bool half) {
  if (!half) return file.values<float>(name);
  const std::vector<Half> halves = file.values<Half>(name);
  std::vector<float> floats(halves.size());
  std::ranges::transform(halves, floats.begin(), to_float);
  return floats;
}

// Gives a module its weights. The first tensor tells the type of all: another beside it is refused.
template <class Module>
void take_weights(const TensorFile& file, std::string_view prefix, Module& module) {
  for (const TensorView& tensor : file.tensors()) {
    if (!tensor.name.starts_with(prefix) || tensor.name.starts_with(kGuardPrefix)) continue;
    if (module.weights.empty()) module.half = tensor.dtype == Dtype::kF16;
    module.weights[tensor.name] = {tensor.shape, floats_of(file, tensor.name, module.half)};
  }
}

LeafGuard guard_of(const TensorFile& file, int width) {
  const TensorView& next = file.tensor(kGuardNext);
  LeafGuard guard({.width = width,
                   .class_of = file.values<std::uint8_t>(kGuardClasses),
                   .next = file.values<std::uint16_t>(kGuardNext),
                   .accepting = file.values<std::uint8_t>(kGuardAccepting)});
  const LeafGuard::Table& table = guard.table();
  if (next.shape != TensorShape{table.accepting.size(), table.classes()}) {
    throw file.error("the guard's table has another shape than its states and classes");
  }
  return guard;
}

SelectorModel selector_of(const TensorFile& file, const nlohmann::json& json) {
  SelectorFields fields;
  JsonReader::read(json, "selector", fields);
  const std::vector<std::string>& rules = fields.config.token_rules;
  SelectorModel selector{.config = fields.config,
                         .tokens = tokenizer_of(rules, fields.vocabulary),
                         .weights = {},
                         .output = tokenizer_of(rules, fields.output),
                         .window_threshold = fields.window_threshold};
  take_weights(file, kSelectorPrefix, selector);
  return selector;
}

SolverModel solver_of(const TensorFile& file, const nlohmann::json& json) {
  SolverFields fields;
  JsonReader::read(json, "solver", fields);
  SolverModel solver{.config = fields.config,
                     .input = tokenizer_of(fields.config.token_rules, fields.input),
                     .output = tokenizer_of(fields.config.token_rules, fields.output),
                     .min_log_prob = fields.min_log_prob,
                     .weights = {}};
  take_weights(file, kSolverPrefix, solver);
  if (fields.guard != kNoGuard) {
    solver.guard = guard_of(file, fields.guard);
  } else if (file.find(kGuardNext) != nullptr) {
    throw file.error("solver: a guard is stored, but it says that there is none");
  }
  return solver;
}

RouterModel router_of(const TensorFile& file, const nlohmann::json& json) {
  RouterFields fields;
  JsonReader::read(json, "router", fields);
  RouterModel router{.config = fields.config,
                     .input = tokenizer_of(fields.config.token_rules, fields.input),
                     .output = tokenizer_of(fields.config.token_rules, fields.output),
                     .weights = {}};
  take_weights(file, kRouterPrefix, router);
  return router;
}

bool is_shared(const nlohmann::json& json) {
  return json.is_object() && json.contains("file");
}

// Reads a module from this file, or from the one that has it.
template <class Module>
std::optional<Module> module_of(const TensorFile& file, const std::filesystem::path& folder,
                                const char* name,
                                Module (*read)(const TensorFile&, const nlohmann::json&),
                                std::map<std::string, SharedModule>& shared) {
  if (!file.metadata().contains(name)) return std::nullopt;
  const nlohmann::json json = parse_json(file.text(name), name);
  if (!is_shared(json)) return read(file, json);
  SharedFields where;
  JsonReader::read(json, name, where);
  const SharedModule& module = where.module;
  if (module.file.empty() || module.file.find('/') != std::string::npos) {
    throw file.error(fmt::format("{}: '{}' is not the name of a file", name, module.file));
  }
  const TensorFile other = TensorFile::load(folder / module.file);
  check_format(other);
  other.require_checksum();
  const nlohmann::json there = parse_json(other.text(name), name);
  if (is_shared(there)) throw other.error(fmt::format("the {} is not in this file either", name));
  Module found = read(other, there);
  if (checksum_of(name, found) != module.checksum) {
    throw file.error(fmt::format("{}: {} now has another one", name, module.file),
                     "join the model again");
  }
  shared.emplace(name, module);
  return found;
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
  model.protocol = file.text("protocol");
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
  return model;
}

}  // namespace

void round_to_half(Model& model) {
  for_modules(model, [&](const char* module_name, auto& module) {
    if (model.shared.contains(module_name)) return;
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
  });
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

std::string module_checksum(const SelectorModel& selector) {
  return checksum_of("selector", selector);
}
std::string module_checksum(const SolverModel& solver) {
  return checksum_of("solver", solver);
}

Model load_model(const std::filesystem::path& path) {
  return parse_model(TensorFile::load(path), path.parent_path());
}

Model parse_model(const TensorFile& file, const std::filesystem::path& folder) {
  check_format(file);
  file.require_checksum();
  check_keys(file);
  check_owners(file);
  Model model = provenance_of(file);
  try {
    model.selector = module_of(file, folder, "selector", selector_of, model.shared);
    model.solver = module_of(file, folder, "solver", solver_of, model.shared);
    model.router = module_of(file, folder, "router", router_of, model.shared);
    check_model(model);
  } catch (const Error& error) {
    throw file.error(error.what(), error.hint());
  }
  return model;
}

}  // namespace nrs
