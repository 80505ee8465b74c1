#pragma once
// How sure the two modules of a model are of what they say: the studies of the paper's appendix, as
// data for the report.
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "data/distinct.h"
#include "nrs/domain.h"
#include "rewrite/modular.h"

namespace nrs::eval {

struct ConfidenceRequest {
  const Domain* domain = nullptr;
  FormulaSpace space = FormulaSpace::kWhole;
  int nesting = 6;          // levels 1 to this
  std::size_t count = 100;  // formulas per level, half of them partly rewritten
  std::uint64_t seed = 0;
  std::size_t most_leaves = 100'000;         // if there are more, that many of them, evenly spread
  const data::SeenTexts* trained = nullptr;  // only these leaves; null: all
};

// The Selector: a list for each of the fields characters, formulas (of that length), right, and
// confidence, the mean joint probability of what it selected.
nlohmann::ordered_json selector_confidence(const rewrite::ModularRewriter& rewriter,
                                           const ConfidenceRequest& request);

// About how many characters the longest formulas have that a Selector is trained on: those of the
// levels below the paper's out-of-distribution ones.
std::size_t longest_trained_formula(const ConfidenceRequest& request);

// The Solver on leaves: how many are right, how many below the model's threshold, and how many have
// which joint log-probability, by equal parts of the range from the least to 0.
nlohmann::ordered_json solver_confidence(const rewrite::ModularRewriter& rewriter,
                                         const ConfidenceRequest& request);

// As text with a line for each list, however long it is: of columns a line each.
std::string show_columns(const nlohmann::ordered_json& value, std::size_t indent = 0);

}  // namespace nrs::eval
