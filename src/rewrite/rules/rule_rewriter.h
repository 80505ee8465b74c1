#pragma once
// A Rewriter by rules: formulas are terms, and results are exact.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nrs/modules.h"
#include "nrs/rewriter.h"
#include "rewrite/rules/machine.h"
#include "rewrite/rules/program.h"
#include "term/reduce.h"
#include "term/rule.h"

namespace nrs::rewrite::rules {

struct RuleOptions {
  term::Strategy strategy = term::Strategy::kInnermost;
  std::optional<term::Notation> notation{};  // of formulas and results; unset: that of the rules
  std::size_t max_bytes = std::numeric_limits<std::uint32_t>::max();
  // For rules with numbers that have to be computed. A value with a lower log-probability, unless
  // it is from a table, is not used.
  std::shared_ptr<const Solver> solver{};
  double min_log_prob = 0;
};

// Steps without RunOptions::max_steps: for the machine, and one by one (outermost, or recorded).
inline constexpr std::size_t kDefaultSteps = 1'000'000'000;
inline constexpr std::size_t kDefaultSlowSteps = 100'000;

// Innermost rewriting without a record runs on the machine, millions of steps a second. Rules about
// numbers are not for the machine: then normal forms are found in the store of terms. Outermost or
// recorded, steps are taken one by one. The first formula of a record is the canonical() one. If a
// limit is reached on the machine, the result is the formula itself.
//
// Const and thread-safe.
class RuleRewriter : public Rewriter {
 public:
  // Throws Error if the rules cannot be compiled.
  explicit RuleRewriter(term::RuleSet rules, RuleOptions options = {});
  ~RuleRewriter() override;

  std::vector<Result> run(std::span<const std::string_view> formulas,
                          const RunOptions& options) const override;
  // Throws Error (input, with the column) if it is not a term for these rules.
  void check(std::string_view formula) const override;
  // Without superfluous blanks and brackets.
  std::string canonical(std::string formula) const override;
  std::optional<double> threshold() const override;
  // The terms that a REC file asks for.
  std::vector<std::string> evals() const;

  const term::RuleSet& rules() const { return rules_; }

 private:
  // What a thread needs for itself, and what a run does.
  struct Worker;
  struct Reduction;
  class Lease;

  Result run_one(Worker& worker, std::string_view formula, const RunOptions& options) const;
  Result run_machine(Worker& worker, term::Term term, const RunOptions& options) const;
  Result run_store(Worker& worker, term::Term term, const RunOptions& options) const;
  Result run_steps(Worker& worker, term::Term term, const RunOptions& options) const;
  Attempt attempt(const Worker& worker, const Reduction& reduction, std::size_t rule) const;
  Attempt refused(Worker& worker, const Reduction& reduction, term::Term whole,
                  std::string_view text) const;
  term::Notation notation() const { return options_.notation.value_or(rules_.notation); }

  const term::RuleSet rules_;
  const RuleOptions options_;
  const Program program_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace nrs::rewrite::rules
