// Arithmetic: sums, differences and products of integers, cut to two digits after every operation.
//   formula  (28*-16)   ((15+5)*(3-4))   with merged signs (5+3) for (5--3)
//   value    -48        -20
#include <fmt/format.h>

#include <charconv>

#include "base/rng.h"
#include "domains/brackets.h"
#include "domains/formula_reader.h"

namespace nrs::domains {
namespace {

constexpr std::string_view kOperators = "+-*";

// Takes a number in canonical form (no plus, no leading zero, no -0) from the front of `text`.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc{} || number < kMostNegative || number > kMostPositive) return {};
  const auto size = static_cast<std::size_t>(end - text.data());
  const std::size_t digits = number < 0 ? size - 1 : size;
  if (text.front() == '-' && number == 0) return {};
  if (digits != (number > -10 && number < 10 ? 1u : 2u)) return {};
  text.remove_prefix(size);
  return number;
}

int apply(char op, int a, int b) {
  return sign_preserving_modulo(op == '+' ? a + b : op == '-' ? a - b : a * b);
}

class ArithmeticSyntax {
 public:
  static constexpr std::string_view kAlphabet = "0123456789+-*()";
  static constexpr std::string_view kExample = "((1+2)*3)";

  bool open(FormulaReader& reader, OpenTerm& /*term*/) { return reader.copy('('); }

  void atom(FormulaReader& reader, const OpenTerm* /*parent*/) {
    reader.peek();
    const std::size_t start = reader.offset();
    const std::size_t out_start = reader.written().size();
    reader.copy('-');
    if (!reader.at_digit()) reader.expected("a number or '('");
    while (reader.at_digit()) reader.put(reader.next());
    std::string_view number = reader.written().substr(out_start);
    const std::string_view shown = number.substr(0, 24);
    if (take_number(number)) return;
    if (number.ends_with("-0")) reader.fail_at(start, "-0 is not a number here", "write 0");
    const char first_digit = number[number.front() == '-' ? 1 : 0];
    if (first_digit == '0') reader.fail_at(start, fmt::format("{} has a leading zero", shown));
    reader.fail_at(start, fmt::format("{} is out of range", shown), "numbers go from -99 to 99");
  }

  bool close(FormulaReader& reader, OpenTerm& term) {
    if (term.args == 2) {
      reader.close(kOperators, "an operator takes two arguments",
                   "put brackets around the first two");
      return true;
    }
    for (const char op : kOperators) {
      if (reader.copy(op)) return false;
    }
    if (reader.peek() == ')') reader.fail("brackets need an operator and two arguments");
    reader.expected("'+', '-' or '*'");
  }
};

class Arithmetic : public BracketDomain {
 public:
  Arithmetic() : BracketDomain({"arithmetic", ArithmeticSyntax::kAlphabet, "(-99--99)"}) {}

  std::string read(std::string_view text) const override {
    return read_formula<ArithmeticSyntax>(text);
  }

  bool is_atom(std::string_view text) const override {
    return !text.empty() && take_number(text) && text.empty();
  }

  std::optional<std::string> value(std::string_view leaf) const override {
    if (leaf.size() < 5 || leaf.front() != '(' || leaf.back() != ')') return {};
    leaf = leaf.substr(1, leaf.size() - 2);
    const std::optional<int> a = take_number(leaf);
    if (!a || leaf.size() < 2) return {};
    const char op = leaf.front();
    if (kOperators.find(op) == std::string_view::npos) return {};
    leaf.remove_prefix(1);
    const std::optional<int> b = take_number(leaf);
    if (!b || !leaf.empty()) return {};
    return std::to_string(apply(op, *a, *b));
  }

  std::size_t longest_formula(const Shape& shape) const override {
    const std::size_t operators = full_tree_operators(shape.nesting);
    return 3 * operators + 3 * (operators + 1);
  }

  void for_each_leaf(FormulaSpace /*space*/, const Visit& visit) const override {
    for (int a = kMostNegative; a <= kMostPositive; ++a) {
      for (const char op : kOperators) {
        for (int b = kMostNegative; b <= kMostPositive; ++b) {
          visit(fmt::format("({}{}{})", a, op, b), std::to_string(apply(op, a, b)));
        }
      }
    }
  }

  void for_each_atom(const VisitText& visit) const override {
    for (int a = kMostNegative; a <= kMostPositive; ++a) visit(std::to_string(a));
  }

  std::optional<std::size_t> listable(const Shape& shape) const override {
    if (shape.nesting == 0) return kNumbers;
    if (shape.nesting == 1) return kOperators.size() * kNumbers * kNumbers;
    return {};
  }

 protected:
  std::string draw(const Shape& shape, bool merge, Rng& rng, std::string& text) const override {
    return std::to_string(draw_tree(shape.nesting, merge, rng, text));
  }

 private:
  // A full tree; its depth is bounded by the length that a formula may have, so recursion is safe.
  static int draw_tree(int nesting, bool merge, Rng& rng, std::string& text) {
    if (nesting == 0) {
      const int number = rng.between(kMostNegative, kMostPositive);
      if (number < 0) append_sign('-', merge, text);
      append_magnitude(number, text);
      return number;
    }
    // Products are a little more often, as in the paper's data.
    const std::uint64_t die = rng.below(100);
    const char op = die < 34 ? '*' : die < 67 ? '+' : '-';
    text += '(';
    const int left = draw_tree(nesting - 1, merge, rng, text);
    text += op;
    const int right = draw_tree(nesting - 1, merge, rng, text);
    text += ')';
    return apply(op, left, right);
  }
};

}  // namespace

const Domain& arithmetic() {
  static const Arithmetic domain;
  return domain;
}

}  // namespace nrs::domains
