// Bytes as terms in every notation: what can be read is printed and read again as the same term.
#include "fuzz.h"
#include "term/notation.h"

namespace nrs {
namespace {

void check(std::string_view text, term::Notation notation) {
  term::Terms terms;
  const term::Term term = term::read_term(terms, text, notation);
  const std::string printed = term::to_string(terms, term, notation);
  fuzz::expect(term::read_term(terms, printed, notation) == term);
}

}  // namespace

void fuzz::check(std::string_view text) {
  using enum term::Notation;
  for_each_reader({kFunctional, kSexpr, kInfix},
                  [&](auto notation) { nrs::check(text, notation); });
}

}  // namespace nrs
