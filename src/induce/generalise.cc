#include "induce/generalise.h"

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

namespace nrs::induce {
namespace {

// Below this depth two different terms become a variable, whatever they have in common. No rule
// that a person would write is deeper, and it bounds the recursion.
constexpr int kDeepestRule = 60;

class Generaliser {
 public:
  explicit Generaliser(Terms& terms) : terms_(terms) {}

  // `may_name`: whether pairs of subterms that were not met before may become variables.
  Term run(Term a, Term b, bool may_name, int depth = 0) {
    if (a == b && terms_.ground(a)) return a;
    const Symbol symbol = terms_.symbol(a);
    if (symbol == terms_.symbol(b) && !terms_.is_variable(symbol) && depth < kDeepestRule) {
      const std::size_t arity = terms_.arity(symbol);
      std::vector<Term> args(arity);
      for (std::size_t i = 0; i < arity && !failed_; ++i) {
        args[i] = run(terms_.arg(a, i), terms_.arg(b, i), may_name, depth + 1);
      }
      return failed_ ? a : terms_.make(symbol, args);
    }
    const auto found = variables_.find({a, b});
    if (found != variables_.end()) return found->second;
    if (!may_name) {
      failed_ = true;
      return a;
    }
    const Term variable = terms_.variable("?" + std::to_string(variables_.size() + 1));
    variables_.emplace(Pair{a, b}, variable);
    return variable;
  }

  bool failed() const { return failed_; }

 private:
  Terms& terms_;
  std::unordered_map<Pair, Term, HashPair> variables_;
  bool failed_ = false;
};

}  // namespace

std::optional<Pair> generalise(Terms& terms, const Pair& a, const Pair& b) {
  if (terms.symbol(a.left) != terms.symbol(b.left)) return std::nullopt;
  Generaliser generaliser(terms);
  const Term left = generaliser.run(a.left, b.left, true);
  const Term right = generaliser.run(a.right, b.right, false);
  if (generaliser.failed() || terms.is_variable(left)) return std::nullopt;
  return Pair{left, right};
}

std::optional<Pair> with_canonical_names(Terms& terms, const Pair& rule) {
  return generalise(terms, rule, rule);
}

}  // namespace nrs::induce
