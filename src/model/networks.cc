#include "model/networks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <type_traits>

#include "base/text.h"
#include "model/json_config.h"
#include "nn/tensor_names.h"

namespace nrs::model {
namespace {

[[noreturn]] void refuse_config(std::string_view where, const std::string& message,
                                std::string hint) {
  throw Error(ErrorKind::kUsage, std::string(where) + ": " + message, std::move(hint));
}

void check_decoder(const nn::DecoderConfig& config, const nn::EncoderConfig& shape,
                   std::string_view where) {
  if (config.positions == nn::Positions::kLabel) {
    refuse_config(where, "label positions cannot tell which output symbol comes next",
                  "choose sinusoid or learned");
  }
  if (config.positions == nn::Positions::kSinusoid && shape.dim % 2 != 0) {
    refuse_config(where, "sinusoid positions need an even dim",
                  fmt::format("dim is {}", shape.dim));
  }
}

void check_heads(int dim, int heads, std::string_view where) {
  if (heads < 1 || dim % heads != 0) {
    refuse_config(where, fmt::format("dim {} is not a multiple of heads {}", dim, heads),
                  "choose dim = heads times the width of a head");
  }
}

constexpr const char* kGuardClasses = "solver.guard.class_of";
constexpr const char* kGuardNext = "solver.guard.next";
constexpr const char* kGuardAccepting = "solver.guard.accepting";
constexpr std::array kGuardTables = {kGuardClasses, kGuardNext, kGuardAccepting};
constexpr int kNoGuard = -1;

// A tokenizer as the file has it: its rules are in the configuration, which is read before it.
struct VocabularyFields {
  Tokenizer& tokenizer;
  const std::vector<std::string>& rules;

  template <class Visitor>
  void visit(Visitor& v) {
    Specials specials = tokenizer.specials();
    std::vector<std::string> tokens = tokenizer.tokens();
    v("specials", specials, "which ids come before the tokens");
    v("tokens", tokens, "in the order of their ids");
    tokenizer = Tokenizer(TokenRules(rules), std::move(tokens), specials);
  }
};

// A network as the file has it, but for its tensors.
template <class Network>
struct NetworkFields {
  Network& network;
  int guard = kNoGuard;  // of a Solver

  template <class Visitor>
  void visit(Visitor& v) {
    v("config", network.config, "architecture");
    const auto vocabulary = [&](const char* name, Tokenizer& tokenizer, const char* help) {
      VocabularyFields fields{tokenizer, network.config.token_rules};
      v(name, fields, help);
    };
    if constexpr (std::is_same_v<Network, SelectorModel>) {
      vocabulary("vocabulary", network.tokens, "of formulas");
      vocabulary("output_vocabulary", network.output, "of leaves");
      v("window_threshold", network.window_threshold,
        "tokens from which windows are used; 0: never", Range{0, 1 << 30});
    } else {
      vocabulary("input_vocabulary", network.input, "of what it reads");
      vocabulary("output_vocabulary", network.output, "of values");
    }
    if constexpr (std::is_same_v<Network, SolverModel>) {
      v("min_log_prob", network.min_log_prob, "confidence threshold", Range{-1e9, 0.0});
      v("guard", guard, "width of its windows; 0: whole texts; -1: there is none",
        Range{-1, 1 << 16});
    }
  }
};

template <class Network>
Module module_of(NetworkFields<Network> fields) {
  Network& network = fields.network;
  try {
    return {.fields = write_fields(fields).dump(),
            .weights = std::move(network.weights),
            .half = network.half};
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::kInput, fmt::format("{}: a token is not UTF-8", Network::kModule));
  }
}

// Without tensors, and not checked.
template <class Network>
NetworkFields<Network> fields_of(const Module& module, Network& network) {
  const std::string where(Network::kModule);
  NetworkFields<Network> fields{network};
  network.half = module.half;
  read_fields(parse_json(module.fields, where), where, fields);
  return fields;
}

bool same(const Tokenizer& a, const Tokenizer& b) {
  return a.tokens() == b.tokens() && a.specials() == b.specials() &&
         a.rules().rules() == b.rules().rules();
}

// Exactly these weights, and the tables of these names.
void check_tensors(const Module& module, std::span<const nn::ExpectedTensor> expected,
                   std::span<const char* const> tables) {
  for (const nn::ExpectedTensor& tensor : expected) {
    const auto found = module.weights.find(tensor.name);
    if (found == module.weights.end()) {
      const auto other = module.tables.find(tensor.name);
      refuse_file(other == module.tables.end()
                      ? fmt::format("tensor '{}' is missing", tensor.name)
                      : fmt::format("tensor '{}' is {}, expected {}", tensor.name,
                                    enum_name(other->second.dtype), enum_name(Dtype::kF32)));
    }
    const nn::Weights& have = found->second;
    if (have.shape != tensor.shape) {
      refuse_file(fmt::format("tensor '{}' has shape {}, the configuration says {}", tensor.name,
                              show_shape(have.shape), show_shape(tensor.shape)));
    }
  }
  const auto extra = [](const std::string& name) {
    refuse_file(fmt::format("tensor '{}' is not part of the configuration", excerpt(name, 80)));
  };
  for (const auto& [name, ignored] : module.tables) {
    if (std::ranges::find(tables, name) == tables.end()) extra(name);
  }
  if (module.weights.size() == expected.size()) return;  // all there and no other
  for (const auto& [name, ignored] : module.weights) {
    if (std::ranges::find(expected, name, &nn::ExpectedTensor::name) == expected.end()) extra(name);
  }
}

void check_output(const Tokenizer& output, const Tokenizer& input, bool shared,
                  std::string_view where) {
  if (output.specials() != Specials::kOutput) {
    refuse_file(fmt::format("{}: the output vocabulary has no start, end and omega", where));
  }
  if (shared && !same(input, output)) {
    refuse_file(fmt::format("{}: the shared vocabulary differs between input and output", where));
  }
}

void check_output(const SelectorModel& selector) {
  if (!selector.config.writes()) return;
  check_output(selector.output, selector.tokens, selector.config.writer.shared_vocabulary,
               selector.kModule);
}
void check_output(const SolverModel& solver) {
  check_output(solver.output, solver.input, solver.config.shared_vocabulary, solver.kModule);
}
void check_output(const RouterModel& router) {
  check_output(router.output, router.input, /*shared=*/false, router.kModule);
}

std::vector<nn::ExpectedTensor> tensors_of(const SelectorModel& selector) {
  return nn::selector_tensors(selector.config, selector.tokens.size(), selector.output.size());
}
std::vector<nn::ExpectedTensor> tensors_of(const SolverModel& solver) {
  return nn::solver_tensors(solver.config, solver.input.size(), solver.output.size());
}
std::vector<nn::ExpectedTensor> tensors_of(const RouterModel& router) {
  return nn::router_tensors(router.config, router.input.size(), router.output.size());
}

std::optional<LeafGuard> guard_of(const Module& module, int width) {
  if (width == kNoGuard) {
    if (!module.tables.contains(kGuardNext)) return std::nullopt;
    refuse_file("solver: a guard is stored, but it says that there is none");
  }
  const auto table = [&](const char* name) -> const IntegerTable& {
    const auto found = module.tables.find(name);
    if (found == module.tables.end()) refuse_file(fmt::format("tensor '{}' is missing", name));
    return found->second;
  };
  LeafGuard guard({.width = width,
                   .class_of = table(kGuardClasses).values<std::uint8_t>(),
                   .next = table(kGuardNext).values<std::uint16_t>(),
                   .accepting = table(kGuardAccepting).values<std::uint8_t>()});
  const LeafGuard::Table& states = guard.table();
  if (table(kGuardNext).shape != nn::TensorShape{states.accepting.size(), states.classes()}) {
    refuse_file("the guard's table has another shape than its states and classes");
  }
  return guard;
}

// Without the weights, checked.
template <class Network>
Network read_network(const Module& module) {
  Network network;
  const NetworkFields<Network> fields = fields_of(module, network);
  std::span<const char* const> tables;
  if constexpr (std::is_same_v<Network, SolverModel>) {
    network.guard = guard_of(module, fields.guard);
    tables = kGuardTables;
  }
  model::check(network.config);
  check_output(network);
  check_tensors(module, tensors_of(network), tables);
  return network;
}

template <class Network>
Network network_of(const Model& model) {
  const Module& module = model.module(Network::kModule);
  Network network = read_network<Network>(module);
  network.weights = module.weights;
  return network;
}

template <class Network>
void check_network(const Model& model) {
  if (model.has(Network::kModule)) read_network<Network>(model.module(Network::kModule));
}

}  // namespace

void check(const nn::EncoderConfig& config, std::string_view where) {
  check_heads(config.dim, config.heads, where);
  const bool sinusoids =
      config.positions == nn::Positions::kSinusoid || config.positions == nn::Positions::kLabel;
  if (sinusoids && (config.dim % 2 != 0 || config.dim < 4)) {
    refuse_config(where, "sinusoid and label positions need an even dim of at least 4",
                  fmt::format("dim is {}", config.dim));
  }
  const int dilations = static_cast<int>(config.dilations.size());
  if (dilations != 0 && dilations != config.layers) {
    refuse_config(where, fmt::format("{} dilations for {} layers", dilations, config.layers),
                  "give one dilation per layer, or none for full attention");
  }
  if (config.relative_slots && dilations == 0) {
    refuse_config(where, "relative_slots without a window", "give dilations, one per layer");
  }
}

void check(const nn::SelectorConfig& config) {
  check(config.encoder, "selector.encoder");
  if (!config.leaf_rules.empty() && (config.writes() || config.marks != nn::Marks::kInside)) {
    refuse_config("selector", "leaf_rules without marks = \"inside\"",
                  "other Selectors tell leaves apart by themselves");
  }
  static_cast<void>(TokenRules(config.leaf_rules));  // throws if one cannot be read
  if (config.writes())
    check_decoder(config.writer.decoder, config.encoder, "selector.writer.decoder");
}

void check(const nn::SolverConfig& config) {
  check(config.encoder, "solver.encoder");
  check_decoder(config.decoder, config.encoder, "solver.decoder");
}

void check(const nn::RouterConfig& config) {
  check_heads(config.dim, config.heads, "router");
  if (config.readout == nn::Readout::kLast && config.columns != 1) {
    refuse_config("router", "the end column alone cannot hold a value of several tokens",
                  "choose columns = 1, or readout = \"first\"");
  }
}

Module to_module(SelectorModel selector) {
  return module_of<SelectorModel>({selector});
}

Module to_module(SolverModel solver) {
  if (!solver.guard) return module_of<SolverModel>({solver});
  const LeafGuard::Table& table = solver.guard->table();
  const std::uint64_t states = table.accepting.size();
  Module module = module_of<SolverModel>({solver, table.width});
  module.tables = {
      {kGuardClasses, IntegerTable::of<std::uint8_t>({256}, table.class_of)},
      {kGuardNext, IntegerTable::of<std::uint16_t>({states, table.classes()}, table.next)},
      {kGuardAccepting, IntegerTable::of<std::uint8_t>({states}, table.accepting)}};
  return module;
}

Module to_module(RouterModel router) {
  return module_of<RouterModel>({router});
}

SelectorModel selector_of(const Model& model) {
  return network_of<SelectorModel>(model);
}
SolverModel solver_of(const Model& model) {
  return network_of<SolverModel>(model);
}
RouterModel router_of(const Model& model) {
  return network_of<RouterModel>(model);
}

nn::SelectorKind selector_kind(const Model& model) {
  SelectorModel selector;
  fields_of(model.module(kSelectorModule), selector);
  return selector.config.kind;
}

void check_networks(const Model& model) {
  check_network<SelectorModel>(model);
  check_network<SolverModel>(model);
  check_network<RouterModel>(model);
}

}  // namespace nrs::model
