#include "induce/question.h"

#include <algorithm>

#include "term/match.h"
#include "term/position.h"

namespace nrs::induce {
namespace {

constexpr std::size_t kMostFillers = 12;

std::uint64_t place(Symbol above, std::size_t arg) {
  return std::uint64_t{term::number(above)} << 32 | arg;
}

}  // namespace

Questions::Questions(Terms& terms, const Evidence& evidence) : terms_(terms), evidence_(evidence) {
  const auto look_into = [&](Term term) {
    for (std::size_t i = 0; i < terms.args(term).size(); ++i) {
      if (!evidence.normal(terms.arg(term, i))) continue;
      std::vector<Term>& known = fillers_[place(terms.symbol(term), i)];
      if (std::find(known.begin(), known.end(), terms.arg(term, i)) == known.end()) {
        known.push_back(terms.arg(term, i));
      }
      std::sort(known.begin(), known.end(), [&](Term a, Term b) {
        return std::pair(terms.size(a), a) < std::pair(terms.size(b), b);
      });
      known.resize(std::min(known.size(), kMostFillers));
    }
  };
  for (std::uint32_t f = 0; f < evidence.root_count(); ++f) {
    for (const Term term : evidence.of_root(static_cast<Symbol>(f)).normals) look_into(term);
  }
  for (const Example& example : evidence.examples()) look_into(example.pair.left);
}

// Another normal form that stood at such a place, of another shape if possible.
std::optional<Term> Questions::other(Symbol above, std::size_t arg, Term seen) const {
  const auto found = fillers_.find(place(above, arg));
  if (found == fillers_.end()) return std::nullopt;
  std::optional<Term> second;
  for (const Term filler : found->second) {
    if (filler == seen) continue;
    if (terms_.symbol(filler) != terms_.symbol(seen)) return filler;
    if (!second) second = filler;
  }
  return second;
}

// Neither it nor what is in it is known to be rewritten.
bool Questions::is_new(Term whole) const {
  const std::vector<Term> parts = term::distinct_subterms(terms_, whole);
  return !evidence_.normal(whole) && std::none_of(parts.begin(), parts.end(), [&](Term part) {
    return evidence_.contractum(part).has_value();
  });
}

std::optional<Term> Questions::deciding(const Pair& rule, Term seen) {
  std::optional<Term> asked;
  // Variables first, from the root down: these places were generalised.
  for (const bool variables : {true, false}) {
    term::for_each_subterm(terms_, rule.left, [&](Term part, const term::Position& at) {
      if (asked || at.empty() || terms_.is_variable(part) != variables) return term::Visit::kDeeper;
      term::Position up(at.begin(), at.end() - 1);
      const Term above = *term::subterm(terms_, rule.left, up);
      const std::optional<Term> filler =
          other(terms_.symbol(above), at.back(), *term::subterm(terms_, seen, at));
      if (!filler) return term::Visit::kDeeper;
      const Term whole = term::replace(terms_, seen, at, *filler);
      if (is_new(whole)) asked = whole;
      return term::Visit::kDeeper;
    });
    if (asked) return asked;
  }
  return asked;
}

}  // namespace nrs::induce
