// Logic: conjunction, disjunction and negation of truth values and letters.
//   formula  ((l|l)&(r&F))   in the paper's notation ((l OR l) AND (r AND False))
//   value    F
// A leaf has a value where logic gives one without knowing the letters: (v&F) is F, (v|v) is v.
// (a&b) and (!a) are read, but nothing rewrites them.
#include <algorithm>
#include <array>

#include "base/rng.h"
#include "domains/brackets.h"
#include "domains/formula_reader.h"

namespace nrs::domains {
namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";

bool is_variable_letter(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_atom_char(char c) {
  return is_variable_letter(c) || c == 'T' || c == 'F';
}

// Value of `a op b`, or NUL if it depends on the letters.
char apply(char op, char a, char b) {
  const char absorbing = op == '&' ? 'F' : 'T';
  const char neutral = op == '&' ? 'T' : 'F';
  if (a == absorbing || b == absorbing) return absorbing;
  if (a == neutral) return b;
  if (b == neutral || a == b) return a;
  return '\0';
}

using PaperWord = std::pair<char, std::string_view>;
constexpr std::array<PaperWord, 5> kPaperWords = {
    {{'&', " AND "}, {'|', " OR "}, {'!', "NOT "}, {'T', "True"}, {'F', "False"}}};

class LogicSyntax {
 public:
  static constexpr std::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyzTF&|!()";
  static constexpr std::string_view kExample = "((a|T)&F)";

  bool open(FormulaReader& reader, OpenTerm& term) {
    if (!reader.copy('(')) return false;
    if (reader.take('!') || reader.take("NOT")) {
      term.op = '!';
      reader.put('!');
    }
    return true;
  }

  void atom(FormulaReader& reader, const OpenTerm* /*parent*/) {
    const char first = reader.peek();
    if (is_atom_char(first) && !reader.at_word()) {
      reader.put(reader.next());
      return;
    }
    reader.refuse_other_case({"True", "False", "NOT"});
    if (reader.take("True")) {
      reader.put('T');
    } else if (reader.take("False")) {
      reader.put('F');
    } else if (is_atom_char(reader.peek())) {
      reader.put(reader.next());
    } else {
      if (reader.peek() == '!' || reader.take("NOT")) {
        reader.fail("a negation needs its own brackets", "write (!a)");
      }
      reader.expected("a letter a-z, T, F or '('");
    }
  }

  bool close(FormulaReader& reader, OpenTerm& term) {
    const bool negation = term.op == '!';
    if (term.args == (negation ? 1 : 2)) {
      reader.close("&|",
                   negation ? "a negation has one argument" : "'&' and '|' have two arguments",
                   "put brackets around what is before it");
      return true;
    }
    const char op = reader.take('&') || reader.take("AND")  ? '&'
                    : reader.take('|') || reader.take("OR") ? '|'
                                                            : '\0';
    if (op == '\0') {
      reader.refuse_other_case({"AND", "OR"});
      if (reader.peek() == ')') reader.fail("brackets need an operator and its arguments");
      reader.expected("'&' or '|'");
    }
    reader.put(op);
    return false;
  }
};

// Leaf formulas that have a given value, without their brackets: '?' stands for any letter, '=' for
// the letter itself. First those that the paper's generator makes: it never puts a letter behind a
// truth value.
using Expansion = std::string_view;
constexpr std::array<Expansion, 7> kTrue = {"!F", "?|T", "T&T", "T|T", "T|F", "F|T", "T|?"};
constexpr std::array<Expansion, 7> kFalse = {"!T", "?&F", "T&F", "F&T", "F&F", "F|F", "F&?"};
constexpr std::size_t kPaperTruth = 6;
constexpr std::array<Expansion, 6> kLetter = {"=&T", "=|F", "=&=", "=|=", "T&=", "F|="};
constexpr std::size_t kPaperLetter = 4;

std::span<const Expansion> expansions(char atom, FormulaSpace space) {
  const bool paper = space == FormulaSpace::kPaper;
  if (is_variable_letter(atom)) {
    return std::span(kLetter).first(paper ? kPaperLetter : kLetter.size());
  }
  return std::span(atom == 'T' ? kTrue : kFalse).first(paper ? kPaperTruth : kTrue.size());
}

// Grows a formula from its value downwards: every expansion keeps the value, so formulas grow by
// two operators a level and not by doubling. All with lists of its own: nesting may be very deep.
class LogicTree {
 public:
  LogicTree(Rng& rng, const Shape& shape) : rng_(rng), space_(shape.space) {
    const std::uint64_t kind = rng.below(3);
    nodes_.push_back({.atom = kind == 0 ? 'T' : kind == 1 ? 'F' : draw_letter()});
    std::vector<std::size_t> slots = {0};
    std::vector<std::size_t> deeper;
    for (int level = 0; level < shape.nesting; ++level) {
      deeper.clear();
      const std::size_t expanded = std::min<std::size_t>(2, slots.size());
      for (std::size_t i = 0; i < expanded; ++i) {
        std::swap(slots[i], slots[i + rng.below(slots.size() - i)]);
        expand(slots[i], deeper);
      }
      slots.swap(deeper);
    }
  }

  char value() const { return nodes_[0].atom; }

  void print(std::string& text) {
    // Children come behind their parents.
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      Node& node = nodes_[i];
      if (node.op != '\0') node.length = 3 + length(node.left) + length(node.right);
    }
    text.resize(nodes_[0].length);
    for (const Node& node : nodes_) {
      if (node.op == '\0') {
        text[node.place] = node.atom;
        continue;
      }
      const std::size_t op = node.place + 1 + length(node.left);
      text[node.place] = '(';
      text[op] = node.op;
      text[node.place + node.length - 1] = ')';
      if (node.left != kNone) nodes_[node.left].place = node.place + 1;
      nodes_[node.right].place = op + 1;
    }
  }

 private:
  static constexpr std::size_t kNone = 0;  // the root is nobody's child

  struct Node {
    char atom = '\0';          // its value
    char op = '\0';            // NUL while it is an atom
    std::size_t left = kNone;  // of a negation, too
    std::size_t right = kNone;
    std::size_t length = 1;  // of its text
    std::size_t place = 0;   // of it in the whole
  };

  std::size_t length(std::size_t child) const { return child == kNone ? 0 : nodes_[child].length; }

  char draw_letter() { return kLetters[rng_.below(kLetters.size())]; }

  void expand(std::size_t index, std::vector<std::size_t>& slots) {
    const char atom = nodes_[index].atom;
    const std::span<const Expansion> choices = expansions(atom, space_);
    const Expansion choice = choices[rng_.below(choices.size())];
    const std::size_t op = choice.size() - 2;
    nodes_[index].op = choice[op];
    for (std::size_t i = 0; i < choice.size(); ++i) {
      if (i == op) continue;
      (i < op ? nodes_[index].left : nodes_[index].right) = nodes_.size();
      slots.push_back(nodes_.size());
      const char child = choice[i];
      nodes_.push_back({.atom = child == '?' ? draw_letter() : child == '=' ? atom : child});
    }
  }

  Rng& rng_;
  FormulaSpace space_;
  std::vector<Node> nodes_;
};

// Calls visit(leaf) with every leaf formula that the generator can put in the place of `atom`.
template <class VisitLeaf>
void for_each_expansion(char atom, FormulaSpace space, const VisitLeaf& visit) {
  for (const Expansion expansion : expansions(atom, space)) {
    const bool any = expansion.find('?') != Expansion::npos;
    for (const char letter : any ? kLetters : kLetters.substr(0, 1)) {
      std::string leaf = "(";
      for (const char c : expansion) leaf += c == '?' ? letter : c == '=' ? atom : c;
      visit(leaf + ")");
    }
  }
}

class Logic : public BracketDomain {
 public:
  Logic() : BracketDomain({"logic", LogicSyntax::kAlphabet, "(a&b)"}) {}

  std::string read(std::string_view text) const override { return read_formula<LogicSyntax>(text); }

  std::string paper_notation(std::string_view formula) const override {
    std::string text;
    for (const char c : formula) {
      const auto* const word = std::ranges::find(kPaperWords, c, &PaperWord::first);
      if (word == kPaperWords.end()) {
        text += c;
      } else {
        text += word->second;
      }
    }
    return text;
  }

  bool is_atom(std::string_view text) const override {
    return text.size() == 1 && is_atom_char(text[0]);
  }

  std::optional<std::string> value(std::string_view leaf) const override {
    if (leaf == "(!T)") return "F";
    if (leaf == "(!F)") return "T";
    if (leaf.size() != 5 || leaf.front() != '(' || leaf.back() != ')') return {};
    const char op = leaf[2];
    if ((op != '&' && op != '|') || !is_atom_char(leaf[1]) || !is_atom_char(leaf[3])) return {};
    const char result = apply(op, leaf[1], leaf[3]);
    if (result == '\0') return {};
    return std::string(1, result);
  }

  std::size_t longest_formula(const Shape& shape) const override {
    return shape.nesting == 0 ? 1 : 8 * static_cast<std::size_t>(shape.nesting) - 3;
  }

  void for_each_leaf(FormulaSpace space, const Visit& visit) const override {
    for_each_atom([&](std::string_view atom) {
      for_each_expansion(atom[0], space, [&](const std::string& leaf) { visit(leaf, atom); });
    });
  }

  void for_each_valueless(const VisitText& visit) const override {
    for (const char a : kLetters) {
      visit(std::string{'(', '!', a, ')'});
      for (const char b : kLetters) {
        if (a == b) continue;
        for (const char op : {'&', '|'}) visit(std::string{'(', a, op, b, ')'});
      }
    }
  }

  void for_each_atom(const VisitText& visit) const override {
    for (const char c : {'T', 'F'}) visit(std::string(1, c));
    for (const char c : kLetters) visit(std::string(1, c));
  }

  std::optional<std::size_t> listable(const Shape& shape) const override {
    const bool paper = shape.space == FormulaSpace::kPaper;
    switch (shape.nesting) {
      case 0:
        return 28;
      case 1:
        return paper ? 166 : 270;
      case 2:
        return paper ? 21478 : 99114;
      default:
        return {};
    }
  }

 protected:
  std::string draw(const Shape& shape, bool /*merge*/, Rng& rng, std::string& text) const override {
    LogicTree tree(rng, shape);
    tree.print(text);
    return std::string(1, tree.value());
  }

  void for_each_nested(const Shape& shape, const Visit& visit) const override {
    for_each_leaf(shape.space, [&](std::string_view leaf, std::string_view its_value) {
      const char right = leaf[leaf.size() - 2];
      if (leaf[1] == '!') {
        for_each_expansion(right, shape.space,
                           [&](const std::string& inner) { visit("(!" + inner + ")", its_value); });
        return;
      }
      for_each_expansion(leaf[1], shape.space, [&](const std::string& first) {
        for_each_expansion(right, shape.space, [&](const std::string& second) {
          visit("(" + first + leaf[2] + second + ")", its_value);
        });
      });
    });
  }
};

}  // namespace

const Domain& logic() {
  static const Logic domain;
  return domain;
}

}  // namespace nrs::domains
