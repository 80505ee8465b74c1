#pragma once
// Matching and substitution.
#include <optional>
#include <utility>
#include <vector>

#include "term/term.h"

namespace nrs::term {

// Terms for variables. Rules have few variables, so a list is searched faster than a table.
class Substitution {
 public:
  std::optional<Term> find(Symbol variable) const {
    for (const auto& [symbol, term] : bindings_) {
      if (symbol == variable) return term;
    }
    return std::nullopt;
  }
  // The variable must be unbound.
  void bind(Symbol variable, Term term) { bindings_.emplace_back(variable, term); }
  void clear() { bindings_.clear(); }
  std::size_t size() const { return bindings_.size(); }
  // In the order in which they were bound.
  auto begin() const { return bindings_.begin(); }
  auto end() const { return bindings_.end(); }

 private:
  std::vector<std::pair<Symbol, Term>> bindings_;
};

// Whether the subject is an instance of the pattern; both are terms of one store.
// Laws: then instantiate(pattern, substitution) is the subject, and the substitution binds exactly
// the variables of the pattern. If not, what the substitution holds is not defined. Bindings that
// it has at the start are kept to. A variable of the subject is matched like a constant.
bool match(const Terms& terms, Term pattern, Term subject, Substitution& substitution);

// The term with the bound variables replaced, all at once; others stay.
Term instantiate(Terms& terms, Term term, const Substitution& substitution);

// Whether two terms differ only in the names of their variables, and those one to one.
bool same_up_to_renaming(const Terms& terms, Term a, Term b);

}  // namespace nrs::term
