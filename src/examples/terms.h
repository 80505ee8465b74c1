#pragma once
// Formulas as terms: whether they are, and in which notation.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "examples/examples.h"
#include "term/notation.h"
#include "term/term.h"

namespace nrs::examples {

// Reads formulas of one notation into one store, which must live longer.
class TermReader {
 public:
  TermReader(term::Terms& terms, term::Notation notation);
  // Throws Error with the column.
  term::Term read(std::string_view formula);

 private:
  term::Terms& terms_;
  term::LexerOptions options_;
  term::Notation notation_;
};

// The notation in which the most of these examples can be read; of several such, one in which some
// formula has arguments, and if all can be read, the one with the fewest symbols. Meant for a few
// dozen examples.
term::Notation likeliest_notation(std::span<const Example> examples);

// What the texts alone can tell of whether rules with variables or networks that read characters
// are the likelier explanation.
enum class Likely : std::uint8_t {
  kTerms,   // functional notation or S-expressions
  kEither,  // infix with all brackets: ((a+b)*c) may follow rules, ((15+5)*2) is computed
  kText,    // not all formulas are terms, or none has arguments
};

struct TermsOrText {
  Likely likely = Likely::kText;
  std::optional<term::Notation> notation{};  // if they are terms
  std::string why{};                         // in a few words, for the summary
};

// Looks at all formulas, unless the first ones show that it is text, or there are more than a
// hundred thousand examples; of these, some are tried, evenly spread. One formula in twenty may be
// unreadable. The same examples give the same answer.
TermsOrText terms_or_text(std::span<const Example> examples, const Progress& progress = {});

}  // namespace nrs::examples
