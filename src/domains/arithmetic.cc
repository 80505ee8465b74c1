// Arithmetic: sums, differences and products of integers, cut to two digits after every operation.
//   formula  (28*-16)   ((15+5)*(3-4))   with merged signs (5+3) for (5--3)
//   value    -48        -20
#include <fmt/format.h>

#include <charconv>

#include "base/rng.h"
#include "domains/brackets.h"
#include "domains/builtin.h"
#include "domains/formula_reader.h"
#include "nrs/error.h"

namespace nrs::domains {
namespace {

constexpr std::string_view kArithmeticAlphabet = "0123456789+-*()";

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
  static constexpr std::string_view kExample = "((1+2)*3)";

  bool open(FormulaReader& reader, OpenTerm& /*term*/) {
    if (!reader.take('(')) return false;
    reader.put('(');
    return true;
  }

  void atom(FormulaReader& reader, const OpenTerm* /*parent*/) {
    reader.peek();
    const std::size_t start = reader.offset();
    const std::size_t out_start = reader.written().size();
    if (reader.take('-')) reader.put('-');
    if (!reader.at_digit()) reader.expected("a number or '('", kArithmeticAlphabet);
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
      if (reader.take(')')) {
        reader.put(')');
        return true;
      }
      const char next = reader.peek();
      if (next == '+' || next == '-' || next == '*') {
        reader.fail("an operator takes two arguments", "put brackets around the first two");
      }
      reader.expected("')'", kArithmeticAlphabet);
    }
    for (const char op : {'+', '-', '*'}) {
      if (!reader.take(op)) continue;
      reader.put(op);
      return false;
    }
    if (reader.peek() == ')') reader.fail("brackets need an operator and two arguments");
    reader.expected("'+', '-' or '*'", kArithmeticAlphabet);
  }
};

// Draws a full tree of the given depth behind what is in `text`; its depth is bounded by the length
// that a formula may have, so recursion is safe.
class ArithmeticTree {
 public:
  ArithmeticTree(Rng& rng, bool merge, std::string& text) : rng_(rng), merge_(merge), text_(text) {}

  int draw(int nesting) {
    if (nesting == 0) return draw_number();
    const std::uint64_t die =
        rng_.below(100);  // products a little more often, as in the paper's data
    const char op = die < 34 ? '*' : die < 67 ? '+' : '-';
    text_ += '(';
    const int left = draw(nesting - 1);
    text_ += op;
    const int right = draw(nesting - 1);
    text_ += ')';
    return apply(op, left, right);
  }

 private:
  int draw_number() {
    const int number = rng_.between(kMostNegative, kMostPositive);
    int printed = number;
    if (number < 0 && merge_ && !text_.empty() && (text_.back() == '+' || text_.back() == '-')) {
      text_.back() = text_.back() == '+' ? '-' : '+';
      printed = -number;
    }
    append(text_, printed);
    return number;
  }

  static void append(std::string& text, int number) {
    if (number < 0) text += '-';
    const int magnitude = number < 0 ? -number : number;
    if (magnitude >= 10) text += static_cast<char>('0' + magnitude / 10);
    text += static_cast<char>('0' + magnitude % 10);
  }

  Rng& rng_;
  bool merge_;
  std::string& text_;
};

class Arithmetic : public BracketDomain {
 public:
  Arithmetic() : BracketDomain('(', ')') {}

  std::string_view name() const override { return "arithmetic"; }
  std::string_view alphabet() const override { return kArithmeticAlphabet; }
  std::size_t longest_leaf() const override { return std::string_view("(-99--99)").size(); }

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
    if (!a || leaf.empty()) return {};
    const char op = leaf.front();
    if (op != '+' && op != '-' && op != '*') return {};
    leaf.remove_prefix(1);
    if (leaf.empty()) return {};
    const std::optional<int> b = take_number(leaf);
    if (!b || !leaf.empty()) return {};
    return std::to_string(apply(op, *a, *b));
  }

  // Only where two signs meet: `*-` stays.
  void merge_signs(std::string& formula) const override {
    std::size_t kept = 0;
    for (const char c : formula) {
      const bool meets =
          c == '-' && kept > 0 && (formula[kept - 1] == '+' || formula[kept - 1] == '-');
      if (meets) {
        formula[kept - 1] = formula[kept - 1] == '+' ? '-' : '+';
      } else {
        formula[kept++] = c;
      }
    }
    formula.resize(kept);
  }

  void generate(const Shape& shape, Rng& rng, Sample& sample) const override {
    sample.signs_merged = rng.chance(kMergeSigns);
    sample.formula.clear();
    const int result = ArithmeticTree(rng, sample.signs_merged, sample.formula).draw(shape.nesting);
    sample.value = std::to_string(result);
  }

  std::size_t longest_formula(const Shape& shape) const override {
    const std::size_t operators = full_tree_operators(shape.nesting);
    return 3 * operators + 3 * (operators + 1);
  }

  void for_each_leaf(FormulaSpace /*space*/, const Visit& visit) const override {
    std::string leaf;
    for (int a = kMostNegative; a <= kMostPositive; ++a) {
      for (const char op : {'+', '-', '*'}) {
        for (int b = kMostNegative; b <= kMostPositive; ++b) {
          leaf = fmt::format("({}{}{})", a, op, b);
          visit(leaf, std::to_string(apply(op, a, b)));
        }
      }
    }
  }

  void for_each_atom(const VisitText& visit) const override {
    for (int a = kMostNegative; a <= kMostPositive; ++a) visit(std::to_string(a));
  }

  std::optional<std::size_t> listable(const Shape& shape) const override {
    if (shape.nesting == 0) return 199;
    if (shape.nesting == 1) return 3 * 199 * 199;
    return {};
  }
};

}  // namespace

const Domain& arithmetic() {
  static const Arithmetic domain;
  return domain;
}

}  // namespace nrs::domains
