#pragma once
// How sure the two modules of a model are of what they say: the studies of the paper's appendix, as
// data for the report.
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "data/distinct.h"
#include "nrs/domain.h"
#include "rewrite/modular.h"

namespace nrs::lab {

struct ConfidenceRequest {
  const Domain* domain = nullptr;
  FormulaSpace space = FormulaSpace::kWhole;
  int nesting = 6;          // levels 1 to this
  std::size_t count = 100;  // formulas per level, half of them partly rewritten
  std::uint64_t seed = 0;
  std::size_t most_leaves = 100'000;         // if there are more, that many of them, evenly spread
  const data::SeenTexts* trained = nullptr;  // only these leaves; null: all
};

// The Selector on formulas of one length.
struct SelectorConfidence {
  std::size_t characters = 0;
  std::size_t formulas = 0;
  std::size_t right = 0;
  double confidence = 0;  // mean joint probability of what it selected
};
// By length.
std::vector<SelectorConfidence> selector_confidence(const rewrite::ModularRewriter& rewriter,
                                                    const ConfidenceRequest& request);

// About how many characters the longest formulas have that a Selector is trained on: those of the
// levels below the paper's out-of-distribution ones.
std::size_t longest_trained_formula(const ConfidenceRequest& request);

// The Solver on leaves: how many have which joint log-probability.
struct SolverConfidence {
  static constexpr std::size_t kBins = 100;

  std::size_t leaves = 0;
  std::size_t right = 0;
  std::size_t unsure = 0;           // below the model's threshold
  double least = 0;                 // the bins are equal parts of [least, 0]
  std::vector<std::size_t> counts;  // [kBins]
};
SolverConfidence solver_confidence(const rewrite::ModularRewriter& rewriter,
                                   const ConfidenceRequest& request);

// A list for each field.
nlohmann::ordered_json to_json(const std::vector<SelectorConfidence>& lengths);
nlohmann::ordered_json to_json(const SolverConfidence& solver);
// As text with a line for each list, however long it is: of columns a line each.
std::string show_columns(const nlohmann::ordered_json& value, std::size_t indent = 0);

}  // namespace nrs::lab
