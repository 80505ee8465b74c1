#include "eval/fault.h"

#include <algorithm>
#include <utility>

#include "eval/stages.h"

namespace nrs::eval {
namespace {

bool contains(const std::vector<Span>& leaves, Span span) {
  return std::binary_search(leaves.begin(), leaves.end(), span);
}

// The value of a leaf; of an atom, for which the Solver should say omega, nothing.
std::string exact_value(const Domain& domain, std::string_view leaf) {
  return domain.value(leaf).value_or("");
}

// What is wrong with an attempt, if anything. `found` tells the formula.
std::optional<FirstFault> judge(const Domain& domain, const std::vector<Span>& leaves,
                                const Attempt& attempt, bool sure, FirstFault found) {
  found.span = attempt.step.leaf;
  found.value = attempt.step.value;
  found.omega = attempt.omega;
  found.log_prob = attempt.solver_log_prob;
  if (!contains(leaves, found.span)) {
    found.fault = Fault::kNotALeaf;
    return found;
  }
  found.expected = exact_value(domain, found.leaf());
  if (found.omega != found.expected.empty() || found.value != found.expected) {
    found.fault = Fault::kWrongValue;
    return found;
  }
  if (sure) return {};
  found.fault = Fault::kUnsure;
  return found;
}

bool matches(Fault fault, std::optional<Culprit> blame) {
  return !blame || module_of(fault) == (*blame == Culprit::kSelector ? "selector" : "solver");
}

// A round in which something was rewritten. A part that is no leaf does harm only if it was
// rewritten; but a leaf of which the Solver is not sure stands in the way for ever.
std::optional<FirstFault> fault_in_round(const Domain& domain, const FirstFault& here,
                                         const Round& round, std::optional<Culprit> blame) {
  const std::vector<Span> leaves = expected_leaves(domain, here.formula);
  for (const Attempt& attempt : round) {
    const std::optional<FirstFault> found =
        judge(domain, leaves, attempt, /*sure=*/attempt.applied, here);
    if (!found || (found->fault == Fault::kNotALeaf && !attempt.applied)) continue;
    if (matches(found->fault, blame)) return found;
  }
  return {};
}

// The last round: the formula is one that should have been rewritten, or said to be final.
FirstFault fault_at_end(const Domain& domain, FirstFault here, Round last, double min_log_prob,
                        std::optional<Culprit> blame) {
  const std::vector<Span> leaves = expected_leaves(domain, here.formula);
  const auto sure = [&](const Attempt& attempt) { return attempt.solver_log_prob >= min_log_prob; };
  // What was sure made the engine stop; else it is the leaves that could not be solved.
  std::stable_sort(last.begin(), last.end(), [&](const Attempt& a, const Attempt& b) {
    return std::pair(!sure(a), !contains(leaves, a.step.leaf)) <
           std::pair(!sure(b), !contains(leaves, b.step.leaf));
  });
  std::optional<FirstFault> other;
  for (const Attempt& attempt : last) {
    const std::optional<FirstFault> found = judge(domain, leaves, attempt, sure(attempt), here);
    if (!found) continue;
    if (matches(found->fault, blame)) return *found;
    if (!other) other = found;
  }
  const auto missed = std::find_if(leaves.begin(), leaves.end(), [&](Span leaf) {
    return std::none_of(last.begin(), last.end(),
                        [&](const Attempt& attempt) { return attempt.step.leaf == leaf; });
  });
  if (missed != leaves.end() && (!other || blame == Culprit::kSelector)) {
    here.span = *missed;
    here.fault = Fault::kMissedLeaf;
    here.expected = exact_value(domain, here.leaf());
    return here;
  }
  return other.value_or(here);
}

// The NRS's Selector wrote something that is nowhere in the formula, and that was the end.
FirstFault fault_of_writer(const Domain& domain, FirstFault here, const Result& result) {
  const std::vector<Span> leaves = expected_leaves(domain, here.formula);
  here.fault = Fault::kNotInFormula;
  if (!leaves.empty()) here.span = leaves.back();
  here.expected = exact_value(domain, here.leaf());
  if (!result.rejected.empty()) here.written = result.rejected.front().text;
  return here;
}

}  // namespace

std::string_view module_of(Fault fault) {
  switch (fault) {
    case Fault::kNotInFormula:
    case Fault::kNotALeaf:
    case Fault::kMissedLeaf:
      return "selector";
    case Fault::kWrongValue:
    case Fault::kUnsure:
      return "solver";
    case Fault::kLimit:
      return "engine";
    case Fault::kData:
      return "data";
  }
  return "unknown";
}

bool can_be_analysed(std::string_view formula, const Result& result) {
  constexpr std::size_t kMostWork = std::size_t{1} << 27;  // characters looked at: about a second
  return result.rounds + 1 <= kMostWork / std::max<std::size_t>(formula.size(), 1);
}

std::optional<FirstFault> find_fault(const Domain& domain, std::string_view formula,
                                     const Result& result, double min_log_prob,
                                     std::optional<Culprit> blame) {
  if (!can_be_analysed(formula, result)) return {};
  FirstFault here;
  here.formula = formula;
  std::vector<Step> steps;
  Round last;
  for (const Round& round : result.record) {
    steps.clear();
    for (const Attempt& attempt : round) {
      if (attempt.applied) steps.push_back(attempt.step);
    }
    if (steps.empty()) {
      last = round;
      break;
    }
    if (auto found = fault_in_round(domain, here, round, blame)) return found;
    here.formula = combine(here.formula, steps);
    ++here.round;
  }
  here.span = {0, here.formula.size()};
  if (result.stop == Stop::kMissing) return fault_of_writer(domain, here, result);
  if (result.stop == Stop::kStepLimit || result.stop == Stop::kCycle) return here;
  FirstFault found = fault_at_end(domain, here, last, min_log_prob, blame);
  if (found.fault == Fault::kLimit && result.ok()) found.fault = Fault::kData;
  return found;
}

}  // namespace nrs::eval
