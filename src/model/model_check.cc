#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "base/text.h"
#include "model/config_check.h"
#include "model/json_config.h"
#include "model/model_file.h"
#include "model/refuse_file.h"
#include "nn/tensor_names.h"

namespace nrs {
namespace {

bool same(const Tokenizer& a, const Tokenizer& b) {
  return a.tokens() == b.tokens() && a.specials() == b.specials() &&
         a.rules().rules() == b.rules().rules();
}

void check_weights(const WeightMap& weights, std::span<const ExpectedTensor> expected) {
  for (const ExpectedTensor& tensor : expected) {
    const auto found = weights.find(tensor.name);
    if (found == weights.end()) refuse_file(fmt::format("tensor '{}' is missing", tensor.name));
    const Weights& have = found->second;
    if (have.shape != tensor.shape) {
      refuse_file(fmt::format("tensor '{}' has shape {}, the configuration says {}", tensor.name,
                              show_shape(have.shape), show_shape(tensor.shape)));
    }
    for (std::size_t i = 0; i < have.values.size(); ++i) {
      if (!std::isfinite(have.values[i])) {
        refuse_file(fmt::format("tensor '{}' is {} at index {}", tensor.name, have.values[i], i));
      }
    }
  }
  if (weights.size() == expected.size()) return;  // all there and no other
  for (const auto& entry : weights) {
    if (std::ranges::find(expected, entry.first, &ExpectedTensor::name) == expected.end()) {
      refuse_file(
          fmt::format("tensor '{}' is not part of the configuration", excerpt(entry.first, 80)));
    }
  }
}

void check_output(const Tokenizer& output, const Tokenizer& input, const SolverConfig& config,
                  const std::string& where) {
  if (output.rules().rules() != config.token_rules) {
    refuse_file(where + ": a tokenizer has other rules than the configuration");
  }
  if (output.specials() != Specials::kOutput) {
    refuse_file(where + ": the output vocabulary has no start, end and omega");
  }
  if (config.shared_vocabulary && !same(input, output)) {
    refuse_file(where + ": the shared vocabulary differs between input and output");
  }
}

void check_selector(const SelectorModel& selector) {
  check(selector.config);
  if (selector.tokens.rules().rules() != selector.config.token_rules) {
    refuse_file("selector: the tokenizer has other rules than the configuration");
  }
  if (selector.config.writes()) {
    check_output(selector.output, selector.tokens, writer_network(selector.config), "selector");
  }
  check_weights(selector.weights,
                selector_tensors(selector.config, selector.tokens.size(), selector.output.size()));
}

void check_solver(const SolverModel& solver) {
  check(solver.config);
  if (solver.input.rules().rules() != solver.config.token_rules) {
    refuse_file("solver: a tokenizer has other rules than the configuration");
  }
  check_output(solver.output, solver.input, solver.config, "solver");
  if (!(solver.min_log_prob <= 0) || std::isinf(solver.min_log_prob)) {
    refuse_file(fmt::format("solver: min_log_prob {} is no log-probability", solver.min_log_prob));
  }
  check_weights(solver.weights,
                solver_tensors(solver.config, solver.input.size(), solver.output.size()));
}

void check_router(const RouterModel& router) {
  check(router.config);
  for (const Tokenizer* tokens : {&router.input, &router.output}) {
    if (tokens->rules().rules() != router.config.token_rules) {
      refuse_file("router: a tokenizer has other rules than the configuration");
    }
  }
  if (router.output.specials() != Specials::kOutput) {
    refuse_file("router: the output vocabulary has no start, end and omega");
  }
  check_weights(router.weights,
                router_tensors(router.config, router.input.size(), router.output.size()));
}

void check_object(const std::string& text, const std::string& where) {
  if (!parse_json(text, where).is_object()) refuse_file(where + ": must be an object");
}

}  // namespace

void check_model(const Model& model) {
  if (!model.selector && !model.solver && !model.router) {
    refuse_file("neither a Selector nor a Solver is in it");
  }
  if (model.router && (model.selector || model.solver)) {
    refuse_file("a Neural Data Router has neither Selector nor Solver beside it");
  }
  if (model.selector) check_selector(*model.selector);
  if (model.solver) check_solver(*model.solver);
  if (model.router) check_router(*model.router);
  check_object(model.results, "results");
  if (model.certificate) check_object(*model.certificate, "certificate");
}

}  // namespace nrs
