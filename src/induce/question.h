#pragma once
// The term that would decide about a rule with little support.
#include <optional>
#include <unordered_map>
#include <vector>

#include "induce/evidence.h"

namespace nrs::induce {

class Questions {
 public:
  explicit Questions(Terms& terms, const Evidence& evidence);

  // An instance of the left side, or one that differs from it in one place, that no chain shows:
  // what becomes of it tells whether the rule is too general or too special. Nothing if there is no
  // normal form to put in.
  std::optional<Term> deciding(const Pair& rule, Term seen);

 private:
  bool is_new(Term whole) const;
  std::optional<Term> other(Symbol above, std::size_t arg, Term seen) const;

  Terms& terms_;
  const Evidence& evidence_;
  // Small normal forms by the place where they stand: symbol and argument.
  std::unordered_map<std::uint64_t, std::vector<Term>> fillers_;
};

}  // namespace nrs::induce
