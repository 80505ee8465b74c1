#include "eval/fault.h"

#include <algorithm>
#include <utility>

#include "eval/stages.h"

namespace nrs::eval {
namespace {

// Goes through a derivation and stops at the first fault.
class FaultFinder {
 public:
  FaultFinder(const Domain& domain, std::string_view formula, double min_log_prob,
              std::string_view blame)
      : domain_(domain), min_log_prob_(min_log_prob), blame_(blame) {
    go_to(std::string(formula));
  }

  FirstFault find(const Result& result) {
    Round last;
    for (const Round& round : result.record) {
      std::vector<Step> steps;
      for (const Attempt& attempt : round) {
        if (attempt.applied) steps.push_back(attempt.step);
      }
      if (steps.empty()) {
        last = round;
        break;
      }
      if (const auto found = fault_in_round(round)) return *found;
      go_to(combine(here_.formula, steps));
      ++here_.round;
    }
    if (result.stop == Stop::kMissing) return fault_of_writer(result);
    if (result.stop == Stop::kStepLimit || result.stop == Stop::kCycle) return here_;
    FirstFault found = fault_at_end(last);
    if (found.fault == Fault::kLimit && result.ok()) found.fault = Fault::kData;
    return found;
  }

 private:
  void go_to(std::string formula) {
    here_.formula = std::move(formula);
    here_.span = {0, here_.formula.size()};
    leaves_ = expected_leaves(domain_, here_.formula);
  }

  bool is_leaf(Span span) const { return std::ranges::binary_search(leaves_, span); }

  // With the value of the leaf; of an atom, for which the Solver should say omega, none.
  FirstFault fault_at(Span span, Fault fault) const {
    FirstFault found = here_;
    found.fault = fault;
    found.span = span;
    found.expected = domain_.value(found.leaf()).value_or("");
    return found;
  }

  // What is wrong with an attempt, if anything.
  std::optional<FirstFault> judge(const Attempt& attempt, bool sure) const {
    FirstFault found = fault_at(attempt.step.leaf, Fault::kUnsure);
    found.value = attempt.step.value;
    found.omega = attempt.omega;
    found.log_prob = attempt.solver_log_prob;
    if (!is_leaf(found.span)) {
      found.fault = Fault::kNotALeaf;
      found.expected.clear();
    } else if (found.omega != found.expected.empty() || found.value != found.expected) {
      found.fault = Fault::kWrongValue;
    } else if (sure) {
      return {};
    }
    return found;
  }

  bool is_blamed(Fault fault) const { return blame_.empty() || module_of(fault) == blame_; }

  // A round in which something was rewritten. A part that is no leaf does harm only if it was
  // rewritten; but a leaf of which the Solver is not sure stands in the way for ever.
  std::optional<FirstFault> fault_in_round(const Round& round) const {
    for (const Attempt& attempt : round) {
      const std::optional<FirstFault> found = judge(attempt, /*sure=*/attempt.applied);
      if (!found || (found->fault == Fault::kNotALeaf && !attempt.applied)) continue;
      if (is_blamed(found->fault)) return found;
    }
    return {};
  }

  // The last round: the formula is one that should have been rewritten, or said to be final.
  FirstFault fault_at_end(Round last) const {
    const auto sure = [&](const Attempt& attempt) {
      return attempt.solver_log_prob >= min_log_prob_;
    };
    // What was sure made the engine stop; else it is the leaves that could not be solved.
    std::ranges::stable_sort(last, {}, [&](const Attempt& attempt) {
      return std::pair(!sure(attempt), !is_leaf(attempt.step.leaf));
    });
    std::optional<FirstFault> other;
    for (const Attempt& attempt : last) {
      const std::optional<FirstFault> found = judge(attempt, sure(attempt));
      if (!found) continue;
      if (is_blamed(found->fault)) return *found;
      if (!other) other = found;
    }
    const auto missed = std::ranges::find_if(leaves_, [&](Span leaf) {
      return std::ranges::none_of(
          last, [&](const Attempt& attempt) { return attempt.step.leaf == leaf; });
    });
    if (missed != leaves_.end() && (!other || blame_ == "selector")) {
      return fault_at(*missed, Fault::kMissedLeaf);
    }
    return other.value_or(here_);
  }

  // The NRS's Selector wrote something that is nowhere in the formula, and that was the end.
  FirstFault fault_of_writer(const Result& result) const {
    FirstFault found =
        fault_at(leaves_.empty() ? here_.span : leaves_.back(), Fault::kNotInFormula);
    if (!result.rejected.empty()) found.written = result.rejected.front().text;
    return found;
  }

  const Domain& domain_;
  double min_log_prob_;
  std::string_view blame_;
  FirstFault here_;           // in the whole formula, as it stands in this round
  std::vector<Span> leaves_;  // that it has
};

}  // namespace

std::string_view module_of(Fault fault) {
  // In the order of Fault.
  constexpr std::array<std::string_view, 7> kModules{"selector", "selector", "selector", "solver",
                                                     "solver",   "engine",   "data"};
  return kModules[static_cast<std::size_t>(fault)];
}

bool can_be_analysed(std::string_view formula, const Result& result) {
  constexpr std::size_t kMostWork = std::size_t{1} << 27;  // characters looked at: about a second
  return result.rounds + 1 <= kMostWork / std::max<std::size_t>(formula.size(), 1);
}

FirstFault find_fault(const Domain& domain, std::string_view formula, const Result& result,
                      double min_log_prob, std::string_view blame) {
  return FaultFinder(domain, formula, min_log_prob, blame).find(result);
}

}  // namespace nrs::eval
