#pragma once
// Places in a term.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "term/term.h"

namespace nrs::term {

// A path of argument numbers from the root, counted from 0; the root itself is empty.
using Position = std::vector<std::uint32_t>;

// "1.2.1", counted from 1 as people do; the root is "root".
std::string to_string(const Position& position);

// The subterm there; nothing if the term has no such position.
std::optional<Term> subterm(const Terms& terms, Term term, const Position& position);

// The term with another subterm at a position that it has.
Term replace(Terms& terms, Term term, const Position& position, Term subterm);

// Whether to look at the arguments of the subterm that was just seen.
enum class Visit { kDeeper, kPastIt };

// Every subterm with its position, from the left, a term before its arguments. Shared nodes are
// seen once for each place where they stand.
void for_each_subterm(const Terms& terms, Term term,
                      const std::function<Visit(Term, const Position&)>& see);

// Every different subterm once, arguments before the terms that have them. Costs no more than the
// nodes of the term, however large it is when written out.
std::vector<Term> distinct_subterms(const Terms& terms, Term term);

// The different variables, from the left.
std::vector<Symbol> variables_of(const Terms& terms, Term term);

// How the term changes when `change` gives other terms for some of its subterms: it is asked from
// the root downwards, and where it answers, that subterm is replaced as a whole.
Term rebuild(Terms& terms, Term term, const std::function<std::optional<Term>(Term)>& change);

}  // namespace nrs::term
