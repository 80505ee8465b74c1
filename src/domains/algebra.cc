// Algebra: sums of like monomials, coefficients cut to two digits after every sum.
//   formula  ((-43*y+66*y)-6*y)   raw (+5*x+-3*x)   with merged signs (+5*x-3*x)
//   value    +17*y                +2*x
// A monomial always shows its sign; its variables are in order; coefficient 1 is not written, and 0
// keeps the variables: -b*x*y, +0*x*y.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/rng.h"
#include "domains/brackets.h"
#include "domains/formula_reader.h"

namespace nrs::domains {
namespace {

constexpr std::string_view kVariables = "abxy";
constexpr int kDrawnTo = 98;  // the paper's data stops here; 99 appears as a value only

// All monomials of a formula have the same variables, and x or y is always among them.
constexpr std::array<std::string_view, 12> kSets = {
    "x", "y", "x*y", "a*x", "a*y", "a*x*y", "b*x", "b*y", "b*x*y", "a*b*x", "a*b*y", "a*b*x*y"};

// Null for other variables, or in another order.
const std::string_view* find_set(std::string_view variables) {
  const auto* const found = std::ranges::find(kSets, variables);
  return found == kSets.end() ? nullptr : found;
}

struct Monomial {
  int coefficient = 0;
  std::string_view variables;
};

Monomial sum(const Monomial& a, const Monomial& b) {
  return {sign_preserving_modulo(a.coefficient + b.coefficient), a.variables};
}

void append(const Monomial& monomial, bool merge, std::string& text) {
  append_sign(monomial.coefficient < 0 ? '-' : '+', merge, text);
  if (monomial.coefficient != 1 && monomial.coefficient != -1) {
    append_magnitude(monomial.coefficient, text);
    text += '*';
  }
  text += monomial.variables;
}

std::string print(const Monomial& monomial) {
  std::string text;
  append(monomial, /*merge=*/false, text);
  return text;
}

// Takes a monomial in canonical form from the front of `text`.
std::optional<Monomial> take_monomial(std::string_view& text) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return {};
  const bool negative = text[0] == '-';
  std::size_t i = 1;
  int magnitude = 0;
  while (i < text.size() && i < 4 && text[i] >= '0' && text[i] <= '9') {
    magnitude = 10 * magnitude + (text[i++] - '0');
  }
  if (i == 1) {
    magnitude = 1;
  } else {
    const bool canonical = magnitude <= kMostPositive && magnitude != 1 &&
                           i == (magnitude < 10 ? 2u : 3u) && !(negative && magnitude == 0);
    if (!canonical || i == text.size() || text[i] != '*') return {};
    ++i;
  }
  const std::size_t start = i;
  while (i < text.size() && kVariables.find(text[i]) != std::string_view::npos) {
    ++i;
    if (i + 1 < text.size() && text[i] == '*') ++i;
  }
  const std::string_view* set = find_set(text.substr(start, i - start));
  if (set == nullptr) return {};
  text.remove_prefix(i);
  return Monomial{negative ? -magnitude : magnitude, *set};
}

class AlgebraSyntax {
 public:
  static constexpr std::string_view kAlphabet = "0123456789+-*()abxy";
  static constexpr std::string_view kExample = "((2*x+3*x)+x)";

  bool open(FormulaReader& reader, OpenTerm& /*term*/) { return reader.copy('('); }

  // People leave out the sign of a first monomial, write coefficient 1, or variables in any order.
  void atom(FormulaReader& reader, const OpenTerm* parent) {
    const bool second = parent != nullptr && parent->args == 1;
    const bool negative = reader.take('-');
    if (!negative && !reader.take('+') && second && reader.written().back() != '+') {
      reader.expected("'+' or '-'");
    }
    reader.peek();
    const int magnitude = reader.at_digit() ? take_coefficient(reader) : 1;
    const std::string_view variables = take_variables(reader);
    reader.put(print({negative ? -magnitude : magnitude, variables}));
  }

  bool close(FormulaReader& reader, OpenTerm& term) {
    if (term.args == 2) {
      reader.close("+-", "a sum has two arguments", "put brackets around the first two");
      return true;
    }
    const char next = reader.peek();
    if (next == ')') reader.fail("brackets need a sum of two arguments");
    if (next != '+' && next != '-') reader.expected("'+' or '-'");
    const char after = reader.peek_second();
    if (next == '-' && after == '(') {
      reader.fail("a bracket cannot be subtracted", "add it and change its signs");
    }
    // `+` is the sum itself before a bracket or another sign; else it is the sign of the monomial.
    if (after == '(' || after == '+' || after == '-') reader.copy('+');
    return false;
  }

 private:
  static int take_coefficient(FormulaReader& reader) {
    const std::size_t start = reader.offset();
    std::string digits;
    while (reader.at_digit()) digits += reader.next();
    if (digits.size() > 1 && digits[0] == '0') {
      reader.fail_at(start, fmt::format("{} has a leading zero", digits.substr(0, 24)));
    }
    if (digits.size() > 2) {
      reader.fail_at(start, fmt::format("{} is out of range", digits.substr(0, 24)),
                     "coefficients go from -99 to 99");
    }
    if (!reader.take('*')) {
      reader.peek();
      reader.expected("'*' and a variable");
    }
    return std::stoi(digits);
  }

  std::string_view take_variables(FormulaReader& reader) {
    reader.peek();
    const std::size_t start = reader.offset();
    std::string found;
    do {
      const char variable = reader.peek();
      if (kVariables.find(variable) == std::string_view::npos || variable == '\0') {
        reader.expected("a variable: a, b, x or y");
      }
      if (found.find(variable) != std::string::npos) {
        reader.fail(fmt::format("'{}' appears twice in one monomial", variable));
      }
      found += reader.next();
    } while (reader.take('*'));
    std::string sorted;
    for (const char variable : kVariables) {
      if (found.find(variable) == std::string::npos) continue;
      if (!sorted.empty()) sorted += '*';
      sorted += variable;
    }
    const std::string_view* set = find_set(sorted);
    if (set == nullptr) {
      reader.fail_at(start, fmt::format("'{}' lacks x and y", sorted),
                     "every monomial contains one of them");
    }
    if (!variables_.empty() && variables_ != *set) {
      reader.fail_at(start, fmt::format("'{}' cannot be added to '{}'", *set, variables_),
                     "all monomials of a formula have the same variables");
    }
    return variables_ = *set;
  }

  std::string_view variables_;
};

// Draws a full tree of sums; its depth is bounded by the length that a formula may have, so
// recursion is safe.
class AlgebraTree {
 public:
  AlgebraTree(const Shape& shape, bool merge, Rng& rng, std::string& text)
      : rng_(rng), paper_(shape.space == FormulaSpace::kPaper), merge_(merge), text_(text) {
    const bool binomial = rng.chance(0.5);
    std::string set = draw_subset("xy");
    if (binomial) set = draw_subset("ab") + "*" + set;
    variables_ = *find_set(set);
    // The paper's level-1 formulas from a binomial add one shared coefficient to both.
    if (paper_ && shape.nesting == 1 && binomial) shared_ = draw_coefficient();
  }

  Monomial draw(int nesting) {
    if (nesting == 0) {
      const Monomial monomial{sign_preserving_modulo(shared_ + draw_coefficient()), variables_};
      append(monomial, merge_, text_);
      return monomial;
    }
    text_ += '(';
    const Monomial left = draw(nesting - 1);
    text_ += '+';
    const Monomial right = draw(nesting - 1);
    text_ += ')';
    return sum(left, right);
  }

 private:
  std::string draw_subset(std::string_view two) {
    if (rng_.chance(0.5)) return std::string(1, two[rng_.below(2)]);
    return std::string{two[0], '*', two[1]};
  }

  // Drawn evenly, nearly all coefficients have two digits, and those that are not written hardly
  // ever meet: so of the whole space, a quarter is 1 or -1 and a quarter has one digit.
  int draw_coefficient() {
    if (paper_) return rng_.between(kMostNegative, kDrawnTo);
    if (rng_.chance(0.25)) return rng_.chance(0.5) ? 1 : -1;
    return rng_.chance(1.0 / 3) ? rng_.between(-9, 9) : rng_.between(kMostNegative, kMostPositive);
  }

  Rng& rng_;
  bool paper_;
  bool merge_;
  std::string& text_;
  std::string_view variables_;
  int shared_ = 0;
};

class Algebra : public BracketDomain {
 public:
  Algebra() : BracketDomain({"algebra", AlgebraSyntax::kAlphabet, "(+99*a*b*x*y+-99*a*b*x*y)"}) {}

  std::string read(std::string_view text) const override {
    return read_formula<AlgebraSyntax>(text);
  }

  bool is_atom(std::string_view text) const override { return take_monomial(text) && text.empty(); }

  std::optional<std::string> value(std::string_view leaf) const override {
    if (leaf.size() < 6 || leaf.front() != '(' || leaf.back() != ')') return {};
    leaf = leaf.substr(1, leaf.size() - 2);
    const std::optional<Monomial> a = take_monomial(leaf);
    if (!a || leaf.size() < 2) return {};
    if (leaf[0] == '+' && (leaf[1] == '+' || leaf[1] == '-')) leaf.remove_prefix(1);
    const std::optional<Monomial> b = take_monomial(leaf);
    if (!b || !leaf.empty() || a->variables != b->variables) return {};
    return print(sum(*a, *b));
  }

  std::size_t longest_formula(const Shape& shape) const override {
    const std::size_t operators = full_tree_operators(shape.nesting);
    return 3 * operators + (operators + 1) * std::string_view("+99*a*b*x*y").size();
  }

  void for_each_leaf(FormulaSpace /*space*/, const Visit& visit) const override {
    for (const std::string_view set : kSets) {
      for (int a = kMostNegative; a <= kMostPositive; ++a) {
        for (int b = kMostNegative; b <= kMostPositive; ++b) {
          const std::string left = print({a, set});
          const std::string right = print({b, set});
          const std::string value = print(sum({a, set}, {b, set}));
          visit(fmt::format("({}+{})", left, right), value);
          visit(fmt::format("({}{})", left, right), value);
        }
      }
    }
  }

  void for_each_atom(const VisitText& visit) const override {
    for (const std::string_view set : kSets) {
      for (int a = kMostNegative; a <= kMostPositive; ++a) visit(print({a, set}));
    }
  }

  std::optional<std::size_t> listable(const Shape& shape) const override {
    if (shape.nesting == 0) return kSets.size() * kNumbers;
    if (shape.nesting == 1) return kSets.size() * 2 * kNumbers * kNumbers;
    return {};
  }

 protected:
  std::string draw(const Shape& shape, bool merge, Rng& rng, std::string& text) const override {
    return print(AlgebraTree(shape, merge, rng, text).draw(shape.nesting));
  }
};

}  // namespace

const Domain& algebra() {
  static const Algebra domain;
  return domain;
}

}  // namespace nrs::domains
