#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "base/text.h"
#include "model/json_config.h"
#include "model/model_file.h"
#include "model/tensor_names.h"

namespace nrs {
namespace {

[[noreturn]] void refuse(const std::string& reason) {
  throw Error(ErrorKind::kInput, reason);
}

bool same(const Tokenizer& a, const Tokenizer& b) {
  return a.tokens() == b.tokens() && a.specials() == b.specials() &&
         a.rules().rules() == b.rules().rules();
}

void check_values(const std::string& name, const std::vector<float>& values, bool half) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      refuse(fmt::format("tensor '{}' is {} at index {}", name, values[i], i));
    }
    if (half && to_float(to_half(values[i])) != values[i]) {
      refuse(fmt::format("tensor '{}' is {} at index {}, which 16 bits cannot say", name,
                         values[i], i));
    }
  }
}

void check_weights(const WeightMap& weights, std::span<const ExpectedTensor> expected, bool half) {
  for (const ExpectedTensor& tensor : expected) {
    const auto found = weights.find(tensor.name);
    if (found == weights.end()) refuse(fmt::format("tensor '{}' is missing", tensor.name));
    const Weights& have = found->second;
    if (have.shape != tensor.shape) {
      refuse(fmt::format("tensor '{}' has shape {}, the configuration says {}", tensor.name,
                         show_shape(have.shape), show_shape(tensor.shape)));
    }
    check_values(tensor.name, have.values, half);
  }
  if (weights.size() == expected.size()) return;  // all there and no other
  for (const auto& entry : weights) {
    if (std::ranges::find(expected, entry.first, &ExpectedTensor::name) == expected.end()) {
      refuse(fmt::format("tensor '{}' is not part of the configuration", excerpt(entry.first, 80)));
    }
  }
}

void check_output(const Tokenizer& output, const Tokenizer& input, const SolverConfig& config,
                  const std::string& where) {
  if (output.rules().rules() != config.token_rules) {
    refuse(where + ": a tokenizer has other rules than the configuration");
  }
  if (output.specials() != Specials::kOutput) {
    refuse(where + ": the output vocabulary has no start, end and omega");
  }
  if (config.shared_vocabulary && !same(input, output)) {
    refuse(where + ": the shared vocabulary differs between input and output");
  }
}

void check_selector(const SelectorModel& selector, bool half) {
  check(selector.config);
  if (selector.tokens.rules().rules() != selector.config.token_rules) {
    refuse("selector: the tokenizer has other rules than the configuration");
  }
  if (selector.config.writes()) {
    check_output(selector.output, selector.tokens, writer_network(selector.config), "selector");
  }
  check_weights(selector.weights,
                selector_tensors(selector.config, selector.tokens.size(), selector.output.size()),
                half);
}

void check_solver(const SolverModel& solver, bool half) {
  check(solver.config);
  if (solver.input.rules().rules() != solver.config.token_rules) {
    refuse("solver: a tokenizer has other rules than the configuration");
  }
  check_output(solver.output, solver.input, solver.config, "solver");
  if (!(solver.min_log_prob <= 0) || std::isinf(solver.min_log_prob)) {
    refuse(fmt::format("solver: min_log_prob {} is no log-probability", solver.min_log_prob));
  }
  check_weights(solver.weights,
                solver_tensors(solver.config, solver.input.size(), solver.output.size()),
                half);
}

void check_router(const RouterModel& router, bool half) {
  check(router.config);
  for (const Tokenizer* tokens : {&router.input, &router.output}) {
    if (tokens->rules().rules() != router.config.token_rules) {
      refuse("router: a tokenizer has other rules than the configuration");
    }
  }
  if (router.output.specials() != Specials::kOutput) {
    refuse("router: the output vocabulary has no start, end and omega");
  }
  check_weights(router.weights,
                router_tensors(router.config, router.input.size(), router.output.size()),
                half);
}

void check_object(const std::string& text, const std::string& where) {
  if (!parse_json(text, where).is_object()) refuse(where + ": must be an object");
}

}  // namespace

void check_model(const Model& model) {
  if (!model.selector && !model.solver && !model.router) {
    refuse("neither a Selector nor a Solver is in it");
  }
  if (model.router && (model.selector || model.solver)) {
    refuse("a Neural Data Router has neither Selector nor Solver beside it");
  }
  if (model.selector) check_selector(*model.selector, model.half);
  if (model.solver) check_solver(*model.solver, model.half);
  if (model.router) check_router(*model.router, model.half);
  check_object(model.results, "results");
  if (model.certificate) check_object(*model.certificate, "certificate");
}

}  // namespace nrs
