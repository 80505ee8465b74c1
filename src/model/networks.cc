#include "model/networks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "base/text.h"
#include "model/config_check.h"
#include "model/json_config.h"
#include "nn/tensor_names.h"

namespace nrs::model {
namespace {

constexpr const char* kGuardClasses = "solver.guard.class_of";
constexpr const char* kGuardNext = "solver.guard.next";
constexpr const char* kGuardAccepting = "solver.guard.accepting";
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

// Networks as the file has them, but for their tensors.
struct SelectorFields {
  SelectorModel& model;

  template <class Visitor>
  void visit(Visitor& v) {
    v("config", model.config, "architecture");
    VocabularyFields tokens{model.tokens, model.config.token_rules};
    VocabularyFields output{model.output, model.config.token_rules};
    v("vocabulary", tokens, "of formulas");
    v("output_vocabulary", output, "of leaves");
    v("window_threshold", model.window_threshold, "tokens from which windows are used; 0: never",
      Range{0, 1 << 30});
  }
};

struct SolverFields {
  SolverModel& model;
  int guard = kNoGuard;

  template <class Visitor>
  void visit(Visitor& v) {
    v("config", model.config, "architecture");
    VocabularyFields input{model.input, model.config.token_rules};
    VocabularyFields output{model.output, model.config.token_rules};
    v("input_vocabulary", input, "of leaves");
    v("output_vocabulary", output, "of values");
    v("min_log_prob", model.min_log_prob, "confidence threshold", Range{-1e9, 0.0});
    v("guard", guard, "width of its windows; 0: whole texts; -1: there is none",
      Range{-1, 1 << 16});
  }
};

struct RouterFields {
  RouterModel& model;

  template <class Visitor>
  void visit(Visitor& v) {
    v("config", model.config, "architecture");
    VocabularyFields input{model.input, model.config.token_rules};
    VocabularyFields output{model.output, model.config.token_rules};
    v("input_vocabulary", input, "of formulas");
    v("output_vocabulary", output, "of values");
  }
};

template <class Fields>
std::string text_of(std::string_view name, const Fields& fields) {
  try {
    return write_fields(fields).dump();
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::kInput, fmt::format("{}: a token is not UTF-8", name));
  }
}

template <class Fields>
void read(const Module& module, std::string_view name, Fields& fields) {
  const std::string where(name);
  fields.model.half = module.half;
  read_fields(parse_json(module.fields, where), where, fields);
}

bool same(const Tokenizer& a, const Tokenizer& b) {
  return a.tokens() == b.tokens() && a.specials() == b.specials() &&
         a.rules().rules() == b.rules().rules();
}

// Exactly these weights, all finite, and the tables of these names.
void check_tensors(const Module& module, std::span<const nn::ExpectedTensor> expected,
                   std::span<const char* const> tables = {}) {
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

void check_output(const Tokenizer& output, std::string_view where) {
  if (output.specials() == Specials::kOutput) return;
  refuse_file(fmt::format("{}: the output vocabulary has no start, end and omega", where));
}

void check_shared(const Tokenizer& output, const Tokenizer& input, bool shared,
                  std::string_view where) {
  if (!shared || same(input, output)) return;
  refuse_file(fmt::format("{}: the shared vocabulary differs between input and output", where));
}

void check(const SelectorModel& selector) {
  model::check(selector.config);
  if (!selector.config.writes()) return;
  check_output(selector.output, kSelectorModule);
  check_shared(selector.output, selector.tokens, selector.config.writer.shared_vocabulary,
               kSelectorModule);
}

void check(const SolverModel& solver) {
  model::check(solver.config);
  check_output(solver.output, kSolverModule);
  check_shared(solver.output, solver.input, solver.config.shared_vocabulary, kSolverModule);
}

void check(const RouterModel& router) {
  model::check(router.config);
  check_output(router.output, kRouterModule);
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

LeafGuard guard_of(const Module& module, int width) {
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

// The modules without their weights, checked.
SelectorModel read_selector(const Module& module) {
  SelectorModel selector;
  SelectorFields fields{selector};
  read(module, kSelectorModule, fields);
  check(selector);
  check_tensors(module, tensors_of(selector));
  return selector;
}

SolverModel read_solver(const Module& module) {
  SolverModel solver;
  SolverFields fields{solver};
  read(module, kSolverModule, fields);
  if (fields.guard != kNoGuard) {
    solver.guard = guard_of(module, fields.guard);
  } else if (module.tables.contains(kGuardNext)) {
    refuse_file("solver: a guard is stored, but it says that there is none");
  }
  check(solver);
  const char* const tables[] = {kGuardClasses, kGuardNext, kGuardAccepting};
  check_tensors(module, tensors_of(solver), tables);
  return solver;
}

RouterModel read_router(const Module& module) {
  RouterModel router;
  RouterFields fields{router};
  read(module, kRouterModule, fields);
  check(router);
  check_tensors(module, tensors_of(router));
  return router;
}

template <class Network>
Network with_weights(Network (*read)(const Module&), const Module& module) {
  Network network = read(module);
  network.weights = module.weights;
  return network;
}

}  // namespace

Module to_module(SelectorModel selector) {
  return {.fields = text_of(kSelectorModule, SelectorFields{selector}),
          .weights = std::move(selector.weights),
          .half = selector.half};
}

Module to_module(SolverModel solver) {
  const int width = solver.guard ? solver.guard->table().width : kNoGuard;
  Module module{.fields = text_of(kSolverModule, SolverFields{solver, width}),
                .weights = std::move(solver.weights),
                .half = solver.half};
  if (!solver.guard) return module;
  const LeafGuard::Table& table = solver.guard->table();
  const std::uint64_t states = table.accepting.size();
  module.tables = {
      {kGuardClasses, IntegerTable::of<std::uint8_t>({256}, table.class_of)},
      {kGuardNext, IntegerTable::of<std::uint16_t>({states, table.classes()}, table.next)},
      {kGuardAccepting, IntegerTable::of<std::uint8_t>({states}, table.accepting)}};
  return module;
}

Module to_module(RouterModel router) {
  return {.fields = text_of(kRouterModule, RouterFields{router}),
          .weights = std::move(router.weights),
          .half = router.half};
}

SelectorModel selector_of(const Model& model) {
  return with_weights(read_selector, model.module(kSelectorModule));
}
SolverModel solver_of(const Model& model) {
  return with_weights(read_solver, model.module(kSolverModule));
}
RouterModel router_of(const Model& model) {
  return with_weights(read_router, model.module(kRouterModule));
}

nn::SelectorKind selector_kind(const Model& model) {
  SelectorModel selector;
  SelectorFields fields{selector};
  read(model.module(kSelectorModule), kSelectorModule, fields);
  return selector.config.kind;
}

void check_networks(const Model& model) {
  if (model.has(kSelectorModule)) read_selector(model.module(kSelectorModule));
  if (model.has(kSolverModule)) read_solver(model.module(kSolverModule));
  if (model.has(kRouterModule)) read_router(model.module(kRouterModule));
}

}  // namespace nrs::model
