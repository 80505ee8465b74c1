// ListOps: smallest, largest and sum modulo 10 of lists of digits, written without separators.
//   formula  [MIN[SM54][MIN39]]
//   value    3
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/rng.h"
#include "domains/brackets.h"
#include "domains/formula_reader.h"

namespace nrs::domains {
namespace {

constexpr int kMostArgs = 4;
constexpr std::array<std::string_view, 3> kNames = {"MIN", "MAX", "SM"};

// What a list of no digits comes to, and then with each digit.
int start_value(std::size_t op) {
  return op == 0 ? 9 : 0;
}
int apply_list(std::size_t op, int value, int digit) {
  if (op == 0) return std::min(value, digit);
  return op == 1 ? std::max(value, digit) : (value + digit) % 10;
}

class ListOpsSyntax {
 public:
  static constexpr std::string_view kAlphabet = "0123456789[]AIMNSX";
  static constexpr std::string_view kExample = "[MIN[MAX12]3]";

  bool open(FormulaReader& reader, OpenTerm& /*term*/) {
    if (!reader.copy('[')) return false;
    for (const std::string_view name : kNames) {
      if (reader.copy(name)) return true;
    }
    for (const std::string_view name : kNames) reader.refuse_other_case({name});
    reader.peek();
    reader.expected("MIN, MAX or SM");
  }

  void atom(FormulaReader& reader, const OpenTerm* parent) {
    reader.peek();
    if (reader.at_digit()) {
      reader.put(reader.next());
      return;
    }
    if (parent != nullptr && reader.peek() == ']') fail_too_few(reader, *parent);
    reader.expected("a digit or '['");
  }

  bool close(FormulaReader& reader, OpenTerm& term) {
    if (reader.copy(']')) {
      if (term.args < 2) fail_too_few(reader, term);
      return true;
    }
    if (term.args == kMostArgs) {
      const char next = reader.peek();
      if (next == '[' || reader.at_digit()) {
        reader.fail(fmt::format("the operator at column {} has more than {} arguments",
                                term.opened_at + 2, kMostArgs));
      }
      reader.expected("']'");
    }
    return false;
  }

 private:
  [[noreturn]] static void fail_too_few(FormulaReader& reader, const OpenTerm& term) {
    reader.fail_at(
        term.opened_at + 1,
        fmt::format("the operator has {} argument{}", term.args, term.args == 1 ? "" : "s"),
        "it takes 2 to 4");
  }
};

class ListOps : public BracketDomain {
 public:
  ListOps() : BracketDomain({"listops", ListOpsSyntax::kAlphabet, "[MIN9999]"}) {}

  int most_args() const override { return kMostArgs; }

  std::string read(std::string_view text) const override {
    return read_formula<ListOpsSyntax>(text);
  }

  bool is_atom(std::string_view text) const override {
    return text.size() == 1 && text[0] >= '0' && text[0] <= '9';
  }

  std::optional<std::string> value(std::string_view leaf) const override {
    if (leaf.size() < 5 || leaf.front() != '[' || leaf.back() != ']') return {};
    leaf = leaf.substr(1, leaf.size() - 2);
    for (std::size_t op = 0; op < kNames.size(); ++op) {
      if (!leaf.starts_with(kNames[op])) continue;
      leaf.remove_prefix(kNames[op].size());
      if (leaf.size() < 2 || leaf.size() > kMostArgs) return {};
      int folded = start_value(op);
      for (const char c : leaf) {
        if (c < '0' || c > '9') return {};
        folded = apply_list(op, folded, c - '0');
      }
      return std::string(1, static_cast<char>('0' + folded));
    }
    return {};
  }

  int args(std::string_view leaf) const override {
    return static_cast<int>(
        std::count_if(leaf.begin(), leaf.end(), [](char c) { return c >= '0' && c <= '9'; }));
  }

  std::size_t longest_formula(const Shape& shape) const override {
    const std::size_t operators = full_tree_operators(shape.nesting);
    return operators * (5 + static_cast<std::size_t>(shape.args - 2)) + operators + 1;
  }

  void for_each_leaf(FormulaSpace /*space*/, const Visit& visit) const override {
    for (int args = 2; args <= kMostArgs; ++args) {
      for (const std::string_view name : kNames) for_each_list(name, args, visit);
    }
  }

  void for_each_atom(const VisitText& visit) const override {
    for (char c = '0'; c <= '9'; ++c) visit(std::string(1, c));
  }

  // Of the deeper shapes only two levels of two arguments each have few formulas.
  std::optional<std::size_t> listable(const Shape& shape) const override {
    if (shape.nesting == 0) return 10;
    if (shape.nesting == 1) return kNames.size() * lists(shape.args);
    if (shape.nesting == 2 && shape.args == 2) return kNames.size() * 300 * 300;
    return {};
  }

 protected:
  void for_each_nested(const Shape& /*shape*/, const Visit& visit) const override {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const std::string_view name : kNames) {
      for_each_list(name, 2, [&](std::string_view leaf, std::string_view its_value) {
        pairs.emplace_back(leaf, its_value);
      });
    }
    for (const std::string_view name : kNames) {
      for (const auto& [left, left_value] : pairs) {
        for (const auto& [right, right_value] : pairs) {
          const std::string solved = fmt::format("[{}{}{}]", name, left_value, right_value);
          visit(fmt::format("[{}{}{}]", name, left, right), *value(solved));
        }
      }
    }
  }

  std::string draw(const Shape& shape, bool /*merge*/, Rng& rng, std::string& text) const override {
    return std::to_string(shape.nesting == 0 ? draw_digit(rng, text)
                                             : draw_tree(shape.nesting, shape.args, rng, text));
  }

 private:
  static int draw_digit(Rng& rng, std::string& text) {
    const int digit = rng.between(0, 9);
    text += static_cast<char>('0' + digit);
    return digit;
  }

  // A tree in which every inner operator has two operators among its arguments; its depth is
  // bounded by the length that a formula may have, so recursion is safe.
  static int draw_tree(int nesting, int args, Rng& rng, std::string& text) {
    const std::size_t op = rng.below(kNames.size());
    text += '[';
    text += kNames[op];
    int first = -1;
    int second = -1;
    if (nesting > 1) {
      first = rng.between(0, args - 1);
      second = rng.between(0, args - 2);
      if (second >= first) ++second;
    }
    int value = start_value(op);
    for (int i = 0; i < args; ++i) {
      const bool inner = i == first || i == second;
      const int argument = inner ? draw_tree(nesting - 1, args, rng, text) : draw_digit(rng, text);
      value = apply_list(op, value, argument);
    }
    text += ']';
    return value;
  }

  static std::size_t lists(int args) { return args == 2 ? 100 : args == 3 ? 1000 : 10000; }

  void for_each_list(std::string_view name, int args, const Visit& visit) const {
    for (std::size_t digits = 0; digits < lists(args); ++digits) {
      const std::string leaf = fmt::format("[{}{:0{}}]", name, digits, args);
      visit(leaf, *value(leaf));
    }
  }
};

}  // namespace

const Domain& listops() {
  static const ListOps domain;
  return domain;
}

}  // namespace nrs::domains
