#include "induce/judge.h"

#include <algorithm>

namespace nrs::induce {
namespace {

// How long two results are rewritten to see whether they meet.
constexpr int kMostRewrites = 400;
// How deep a term is looked into for that.
constexpr int kDeepestJoin = 300;
// Steps of one rule that would show its variety, if it had any.
constexpr std::uint32_t kTellingSteps = 6;

}  // namespace

void Judge::accept(const Pair& rule) {
  const std::size_t root = term::number(terms_.symbol(rule.left));
  if (accepted_.size() <= root) accepted_.resize(root + 1);
  accepted_[root].emplace_back(terms_, rule);
}

bool Judge::too_many(const Verdict& verdict) const {
  return verdict.contradictions > static_cast<std::uint32_t>(tolerance_ * verdict.steps);
}

// Without tolerance the normal forms come first, because they cost less. With it, what a rule
// explains must be known before.
std::optional<Verdict> Judge::judge(const Pair& rule, Detours detours) {
  Pattern pattern(terms_, rule);
  const RootFacts& facts = evidence_.of_root(terms_.symbol(rule.left));
  Verdict verdict;
  const bool good =
      tolerance_ == 0
          ? judge_normals(facts, pattern, verdict) && judge_examples(facts, pattern, verdict)
          : judge_examples(facts, pattern, verdict) && judge_normals(facts, pattern, verdict);
  if (!good || (detours == Detours::kFew && !few_detours(verdict))) return std::nullopt;
  return verdict;
}

// A rule that mostly gives other results than those seen is not the one that gave them. One that
// was seen in many steps and still in as few forms as it has detours is too general.
bool Judge::few_detours(const Verdict& verdict) {
  const bool many_steps = verdict.steps >= kTellingSteps;
  return verdict.detours <= (many_steps ? std::max(verdict.direct, 1U) - 1 : verdict.direct);
}

bool Judge::judge_normals(const RootFacts& facts, Pattern& pattern, Verdict& verdict) const {
  for (const Term term : facts.normals) {
    if (!pattern.matches(term)) continue;
    ++verdict.contradictions;
    if (too_many(verdict)) return false;
  }
  return true;
}

bool Judge::judge_examples(const RootFacts& facts, Pattern& pattern, Verdict& verdict) {
  for (const std::uint32_t e : facts.examples) {
    const Example& example = evidence_.examples()[e];
    if (!pattern.matches(example.pair.left)) continue;
    if (pattern.gives(example.pair.right)) {
      verdict.explained.push_back(e);
      verdict.steps += static_cast<std::uint32_t>(example.steps.size());
      verdict.direct += example.lowest;
    } else if (example.lowest) {
      if (joins(example.pair.left, pattern.result(terms_), pattern)) {
        ++verdict.detours;
      } else {
        ++verdict.contradictions;
        if (tolerance_ == 0) return false;
      }
    }
  }
  return !too_many(verdict);
}

// Convergence is the judge: another result is as good if it has the same normal form.
bool Judge::joins(Term redex, Term result, Pattern& rule) {
  const std::optional<Term> wanted = evidence_.normal_form(redex);
  if (!wanted) return false;
  int fuel = kMostRewrites;
  Pattern own = rule;
  return normalise(result, own, fuel, 0) == wanted;
}

std::optional<Term> Judge::normalise(Term term, Pattern& rule, int& fuel, int depth) {
  while (!evidence_.normal(term)) {
    if (const std::optional<Term> known = evidence_.normal_form(term)) return known;
    if (--fuel < 0 || depth > kDeepestJoin) return std::nullopt;
    std::vector<Term> args(terms_.args(term).begin(), terms_.args(term).end());
    for (Term& arg : args) {
      const std::optional<Term> below = normalise(arg, rule, fuel, depth + 1);
      if (!below) return std::nullopt;
      arg = *below;
    }
    const Term rebuilt = terms_.make(terms_.symbol(term), args);
    if (evidence_.normal(rebuilt)) return rebuilt;
    if (const std::optional<Term> known = evidence_.normal_form(rebuilt)) return known;
    const std::optional<Term> next = rewrite_root(rebuilt, rule);
    if (!next) return rebuilt;
    term = *next;
  }
  return term;
}

std::optional<Term> Judge::rewrite_root(Term term, Pattern& rule) {
  if (const std::optional<Term> seen = evidence_.contractum(term)) return seen;
  const std::size_t root = term::number(terms_.symbol(term));
  if (root < accepted_.size()) {
    for (Pattern& pattern : accepted_[root]) {
      if (pattern.matches(term)) return pattern.result(terms_);
    }
  }
  if (rule.matches(term)) return rule.result(terms_);
  return std::nullopt;
}

}  // namespace nrs::induce
