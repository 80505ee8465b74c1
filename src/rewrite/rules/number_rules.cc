#include "rewrite/rules/number_rules.h"

#include <array>

namespace nrs::rewrite::rules {

NumberRules::NumberRules(term::Terms& terms, std::span<const term::NumberRule> rules,
                         const Solver* solver, double min_log_prob)
    : terms_(terms), rules_(rules), solver_(solver), min_log_prob_(min_log_prob) {}

term::Further NumberRules::ask(term::Term term) {
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    term::Substitution match;
    if (terms_.symbol(rules_[i].left) != terms_.symbol(term)) continue;
    if (!term::match_numbers(terms_, rules_[i], term, match)) continue;
    rule_ = i;
    term_ = term;
    if (!compute(rules_[i], match)) return {.refused = true};
    const auto result = term::apply_answer(terms_, rules_[i], solution_.value, match);
    if (!result) return {.refused = true};
    return {.redex = term::Redex{{}, i, *result}};
  }
  return {};
}

bool NumberRules::compute(const term::NumberRule& rule, const term::Substitution& match) {
  solution_ = {};
  solution_.origin = {ValueSource::kRule};
  if (!term::has_computed_places(terms_, rule)) return true;
  const std::string question = term::question_of(terms_, rule, rule_, match);
  solution_ = {};
  solution_.known = false;
  if (solver_ == nullptr) return false;
  solution_ = solver_->solve(std::array{std::string_view(question)}).front();
  const bool sure =
      solution_.origin.source == ValueSource::kTable || solution_.log_prob >= min_log_prob_;
  return solution_.known && !solution_.omega && sure;
}

Stop NumberRules::refusal() const {
  if (!solution_.known) return Stop::kUnknownLeaf;
  return solution_.log_prob < min_log_prob_ ? Stop::kLowConfidence : Stop::kMalformed;
}

}  // namespace nrs::rewrite::rules
