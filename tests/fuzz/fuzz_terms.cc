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
}  // namespace nrs

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const nrs::term::Notation notation :
       {nrs::term::Notation::kFunctional, nrs::term::Notation::kSexpr,
        nrs::term::Notation::kInfix}) {
    try {
      nrs::check(nrs::fuzz::text_of(data, size), notation);
    } catch (const nrs::Error&) {
    }
  }
  return 0;
}
