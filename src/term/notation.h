#pragma once
// Terms as text, in three notations:
//   functional  f(a,g(b))     a name and its arguments; what chains and most rule files use
//   sexpr       (f a (g b))   the same in Lisp's way
//   infix       ((a+b)*c)     operators between their arguments; other symbols as in functional
//
// Law: a term that is printed and read again in the same notation is the same term. Names with
// blanks, brackets and the like are written between bars, |a b|; bars and line ends cannot be part
// of a name. Neither reading nor printing recurses.
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "term/source.h"
#include "term/term.h"

namespace nrs::term {

enum class Notation { kFunctional, kSexpr, kInfix };
constexpr auto enum_names(Notation) {
  return std::to_array<EnumName<Notation>>({
      {Notation::kFunctional, "functional"},
      {Notation::kSexpr, "sexpr"},
      {Notation::kInfix, "infix"},
  });
}

// What a name with so many arguments stands for. Throws Error if it may not stand there.
using Resolve = std::function<Symbol(const Token& name, std::size_t arity)>;

// Names that begin with '?' are variables, all others function symbols of whatever arity they are
// used with. What there is to know of a text that comes without a rule file.
Resolve any_symbol(Terms& terms);

// Reads one term, which must be all of the text. Throws Error with the column.
Term read_term(Terms& terms, std::string_view text, Notation notation, const Resolve& resolve);
Term read_term(Terms& terms, std::string_view text, Notation notation = Notation::kFunctional);

// Reads one term from tokens and stops behind it. The lexer must be one of lexer_options().
Term parse_term(Terms& terms, Lexer& lexer, Notation notation, const Resolve& resolve);
LexerOptions lexer_options(Notation notation);

// Appends the term, without blanks except those that S-expressions need.
void print_term(const Terms& terms, Term term, Notation notation, std::string& out);
std::string to_string(const Terms& terms, Term term, Notation notation = Notation::kFunctional);

// A name as it must be written in functional notation, or as an S-expression: between bars if
// anything else would be read in its place.
std::string written_name(std::string_view name);

}  // namespace nrs::term
