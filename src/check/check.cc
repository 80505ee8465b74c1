#include "check/check.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "check/completeness.h"
#include "nrs/error.h"

namespace nrs::check {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kStatusNames[] = {"left", "right", "multiset"};

std::string symbol_name(const term::Terms& terms, Symbol symbol) {
  return terms.name(symbol) + "/" + std::to_string(terms.arity(symbol));
}

template <class Values>
Json by_symbol(const term::Terms& terms, const Values& values) {
  Json object = Json::object();
  for (const auto& [symbol, value] : values) object[symbol_name(terms, symbol)] = value;
  return object;
}

// The names by which people and certificates call the orders, and their numbers.
struct Writer {
  const term::Terms& terms;

  Json operator()(const PathOrder& order) const {
    Json status = Json::object();
    for (const auto& [symbol, value] : order.status) {
      status[symbol_name(terms, symbol)] = kStatusNames[static_cast<int>(value)];
    }
    return {{"order", "path"}, {"level", by_symbol(terms, order.level)}, {"status", status}};
  }
  Json operator()(const KnuthBendix& order) const {
    return {{"order", "Knuth-Bendix"},
            {"variable_weight", order.variable_weight},
            {"weight", by_symbol(terms, order.weight)},
            {"level", by_symbol(terms, order.level)}};
  }
  Json operator()(const Polynomials& order) const {
    return {{"order", "polynomials"}, {"coefficients", by_symbol(terms, order.coefficients)}};
  }
};

struct Name {
  std::string operator()(const PathOrder&) const { return "a recursive path order"; }
  std::string operator()(const KnuthBendix&) const { return "a Knuth-Bendix order"; }
  std::string operator()(const Polynomials&) const { return "linear polynomials"; }
};

}  // namespace

Answer Checked::confluent() const {
  if (confluence.orthogonal) return Answer::kYes;
  if (confluence.refuted) return Answer::kNo;
  return confluence.joined && termination ? Answer::kYes : Answer::kUnknown;
}

Checked check_rules(term::RuleSet& rules) {
  const bool conditions =
      std::any_of(rules.rules.begin(), rules.rules.end(),
                  [](const term::Rule& rule) { return !rule.conditions.empty(); });
  if (conditions) {
    throw Error(ErrorKind::kInput, "rules with conditions cannot be checked",
                "critical pairs decide about rules without conditions only");
  }
  return {prove_termination(rules), check_confluence(rules), stuck_terms(rules)};
}

std::string show_orders(const TerminationProof& proof) {
  std::string text;
  for (const TerminationStep& step : proof) {
    text += (text.empty() ? "" : ", then ") + std::visit(Name{}, step.order);
  }
  return text;
}

std::string certificate(const term::RuleSet& rules, const Checked& checked) {
  Json lines = Json::array();
  for (const term::Rule& rule : rules.rules) lines.push_back(term::to_string(rules.terms, rule));
  Json termination = nullptr;
  if (checked.termination) {
    termination = Json::array();
    for (const TerminationStep& step : *checked.termination) {
      Json object = std::visit(Writer{rules.terms}, step.order);
      object["removes"] = step.removed;
      termination.push_back(std::move(object));
    }
  }
  const Json confluence = {{"critical_pairs", checked.confluence.pairs},
                           {"joined", checked.confluence.joined},
                           {"orthogonal", checked.confluence.orthogonal}};
  return Json{{"rules", lines},
              {"termination", termination},
              {"confluence", confluence},
              {"stuck", checked.stuck}}
      .dump();
}

}  // namespace nrs::check
