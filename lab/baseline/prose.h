#pragma once
// A formula as a question in words, and the answer in what someone wrote in words: `Hence (28*-16)
// = -448, which is **-48** modulo -100.` In each kind of answer the last one that is mentioned
// counts. Nothing here recurses: a reply may be long.
#include <optional>
#include <string>
#include <string_view>

#include "nrs/domain.h"

namespace nrs {

// What a language model is asked.
std::string question_of(const Domain& domain, std::string_view formula);
// The value that a reply gives the formula: the last that it mentions, in the form of an atom,
// though it may be too large for one. Nothing if it mentions none.
std::optional<std::string> answer_in(const Domain& domain, std::string_view reply,
                                     std::string_view formula);

// The part of a text that an answer is looked for in: what is in the last \boxed{}, if there is
// one; without phrases such as "modulo 100", whose numbers answer nothing; with plain signs in the
// place of typographic ones.
std::string tidy_prose(std::string_view text);

// These take tidy prose.

// A whole or decimal number as one would write it: "-48", "1234", "2.5"; never "-0" or "07".
std::optional<std::string> last_number(std::string_view prose);
// A product of a number and some of the variables a, b, x and y, at least x or y, in the form
// "+17*a*x". A mere 0 is that of `variables`, such as "a*x".
std::optional<std::string> last_monomial(std::string_view prose, std::string_view variables);
// "T" or "F", also as a word, or one of the letters given.
std::optional<std::string> last_truth(std::string_view prose, std::string_view letters);

}  // namespace nrs
