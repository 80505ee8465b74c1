#pragma once
// The modules that are networks: a Selector, a Solver, a Neural Data Router. Here they have types;
// in a model they are Modules.
#include <optional>
#include <string_view>

#include "model/leaf_guard.h"
#include "model/model_file.h"
#include "model/tokenizer.h"
#include "nn/config.h"

namespace nrs::model {

// The names of these modules in a model.
inline constexpr std::string_view kSelectorModule = "selector";
inline constexpr std::string_view kSolverModule = "solver";
inline constexpr std::string_view kRouterModule = "router";

struct SelectorModel {
  static constexpr std::string_view kModule = kSelectorModule;

  nn::SelectorConfig config;
  Tokenizer tokens;
  nn::WeightMap weights;
  bool half = false;
  // Of a Selector that writes.
  Tokenizer output{};        // the same as `tokens` if config.writer.shared_vocabulary
  int window_threshold = 0;  // formulas of this many tokens or more are read in windows; 0: none
};

struct SolverModel {
  static constexpr std::string_view kModule = kSolverModule;

  nn::SolverConfig config;
  Tokenizer input;
  Tokenizer output;         // the same as `input` if config.shared_vocabulary
  double min_log_prob = 0;  // a value with a lower joint log-probability is not sure enough
  nn::WeightMap weights;
  bool half = false;
  std::optional<LeafGuard> guard{};  // which texts it may be asked; nothing: all
};

struct RouterModel {
  static constexpr std::string_view kModule = kRouterModule;

  nn::RouterConfig config;
  Tokenizer input;
  Tokenizer output;
  nn::WeightMap weights;
  bool half = false;
};

// Whether the fields of a configuration fit together; single ranges are the visitors' affair. They
// throw Error (usage). `where` names the struct in the message.
void check(const nn::EncoderConfig& config, std::string_view where);
void check(const nn::SelectorConfig& config);
void check(const nn::SolverConfig& config);
void check(const nn::RouterConfig& config);

// Law: reading what these give is the same again.
Module to_module(SelectorModel selector);
Module to_module(SolverModel solver);
Module to_module(RouterModel router);

// Throw Error (input) if the model has no such module, or it does not hold together.
SelectorModel selector_of(const Model& model);
SolverModel solver_of(const Model& model);
RouterModel router_of(const Model& model);

// The same, of the configuration only.
nn::SelectorKind selector_kind(const Model& model);

// Throws Error (input) if a module of one of these names does not hold together.
void check_networks(const Model& model);

}  // namespace nrs::model
