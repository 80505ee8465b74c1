// Learned rules: exact rewriting of terms, with a table and a Solver for what has to be computed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "architectures/networks.h"
#include "architectures/rule_model.h"
#include "architectures/taught_solver.h"
#include "model/networks.h"
#include "nrs/error.h"

namespace nrs::architectures {
namespace {

constexpr std::int64_t kMegabytes = 4096;
constexpr std::array<std::string_view, 2> kStrategies{"innermost", "outermost"};
constexpr std::array<std::string_view, 3> kNotations{"functional", "sexpr", "infix"};
constexpr std::array kRuleSettings{
    EngineSetting{.name = "strategy",
                  .help = "rewrite the leftmost innermost or the leftmost outermost redex",
                  .usual = "innermost",
                  .words = kStrategies},
    EngineSetting{
        .name = "notation",
        .help = "notation of terms: functional, sexpr or infix; default: that of the rules",
        .words = kNotations},
    EngineSetting{.name = "max-memory",
                  .help = "give up when terms need more than this many megabytes",
                  .least = 16,
                  .most = 1 << 20,
                  .usual = "4096"},
};

rewrite::rules::RuleOptions options_of(const RewriterOptions& options) {
  rewrite::rules::RuleOptions how;
  if (options.setting("strategy").value_or(0) == 1) how.strategy = term::Strategy::kOutermost;
  if (const auto notation = options.setting("notation")) {
    how.notation = enum_value<term::Notation>(kNotations.at(static_cast<std::size_t>(*notation)));
  }
  // Where addresses have 32 bits, the usual limit is more than there can be.
  const auto megabytes =
      static_cast<std::uint64_t>(options.setting("max-memory").value_or(kMegabytes));
  how.max_bytes = static_cast<std::size_t>(
      std::min<std::uint64_t>(megabytes << 20, std::numeric_limits<std::size_t>::max()));
  return how;
}

class RulesArchitecture final : public Architecture {
 public:
  std::string_view name() const override { return kRulesArchitecture; }
  std::string_view purpose() const override { return "rewrite terms by learned rules"; }
  std::span<const EngineSetting> settings() const override { return kRuleSettings; }
  bool verifiable() const override { return false; }

  std::unique_ptr<const Rewriter> make_rewriter(const model::Model& model,
                                                const RewriterOptions& options) const override {
    rewrite::rules::RuleOptions how = options_of(options);
    term::RuleSet set = rule_set_of(model);
    if (!set.number_rules.empty()) {
      const RuleModel rules = rules_of(model);
      const auto solver = std::make_shared<const TaughtSolver>(model, rules.table, options);
      how.min_log_prob = solver->threshold().value_or(0);
      how.solver = solver;
    }
    return std::make_unique<rewrite::rules::RuleRewriter>(std::move(set), how);
  }

  Compilable compilable(const model::Model& /*model*/) const override {
    return {.hindrance =
                "it has rules, which need no compiling (nrs rules --format cpp writes them "
                "as a program)"};
  }

  nlohmann::ordered_json describe(const model::Model& model) const override {
    nlohmann::ordered_json parts = describe_networks(model);
    parts["rules"] = nlohmann::ordered_json::parse(model.module(kRulesModule).fields);
    return parts;
  }

  std::vector<InfoLine> summary(const model::Model& model) const override {
    const RuleModel rules = rules_of(model);
    std::size_t guesses = 0;
    for (const StoredRule& rule : rules.rules) guesses += rule.support.guess ? 1 : 0;
    std::vector<InfoLine> lines{
        {"rules", fmt::format("{}, {} of them guesses; notation: {}", rules.rules.size(), guesses,
                              enum_name(rules.notation))}};
    for (const StoredRule& rule : rules.number_rules) {
      lines.push_back(
          {"for numbers", fmt::format("{} -> {}", rule.left, fmt::join(rule.rights, " or "))});
    }
    if (!rules.table.empty()) {
      lines.push_back({"table", fmt::format("{} questions with answers", rules.table.size())});
    }
    for (InfoLine& line : summarise_solver(model)) lines.push_back(std::move(line));
    return lines;
  }
  CardNotes card(const model::Model& model) const override {
    const RuleModel rules = rules_of(model);
    CardNotes notes{.how =
                        "Rules with variables rewrite terms exactly. A neural network is used only "
                        "for numbers that have to be computed."};
    for (const auto* part : {&rules.rules, &rules.number_rules}) {
      for (const StoredRule& rule : *part) {
        notes.learned.push_back(fmt::format("{} -> {}{}", rule.left, fmt::join(rule.rights, " or "),
                                            rule.support.guess ? "  (a guess)" : ""));
        if (!rule.support.question.empty()) {
          notes.limits.push_back(
              fmt::format("The rule for `{}` is a guess; what becomes of `{}` "
                          "would decide.",
                          rule.left, rule.support.question));
        }
      }
    }
    notes.limits.emplace_back(
        "A term that no rule rewrites is called final, even where a rule was forgotten: `nrs "
        "check` lists such terms.");
    notes.limits.emplace_back(
        "Unless the certificate proves that the rules terminate and are confluent, a term may stop "
        "at the limit of steps, or have several normal forms.");
    if (!rules.number_rules.empty()) {
      notes.limits.emplace_back(
          model.has(model::kSolverModule)
              ? "Numbers that are in no taught example are computed by a network. A value that it "
                "is not sure of is not used."
              : "Questions about numbers that no example answers get no answer.");
    }
    return notes;
  }
};

}  // namespace

std::unique_ptr<const rewrite::rules::RuleRewriter> make_rule_rewriter(
    term::RuleSet rules, const RewriterOptions& options) {
  check_settings(rules_architecture(), options);
  return std::make_unique<rewrite::rules::RuleRewriter>(std::move(rules), options_of(options));
}

const Architecture& rules_architecture() {
  static const RulesArchitecture architecture;
  return architecture;
}

}  // namespace nrs::architectures
