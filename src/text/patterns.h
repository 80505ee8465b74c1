#pragma once
// Where a text can be rewritten, said by patterns: a leaf is a row of tokens of certain classes
// between certain neighbours.
//
//   <number> * <number>     after <start> + - (, before <end> + - * )
#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/arithmetic.h"
#include "text/lexer.h"

namespace nrs::text {

// Names of classes, beside kNumber.
inline constexpr std::string_view kValue = "<value>";  // any of PatternSet::values, or a compound
inline constexpr std::string_view kStart = "<start>";  // before the first token
inline constexpr std::string_view kEnd = "<end>";      // behind the last one

// Groups of places of a leaf: the tokens of a group may change places, and the value is the same.
using AnyOrder = std::vector<std::vector<std::size_t>>;
// Places of a leaf whose tokens make no difference, each with the place whose token is put there.
using NoMatter = std::vector<std::pair<std::size_t, std::size_t>>;

struct Pattern {
  std::vector<std::string> body;   // classes of tokens
  std::vector<std::string> left;   // classes of which one must stand before it
  std::vector<std::string> right;  // classes of which one must stand behind it
  // The value is this token of the leaf, when the tokens of each group of `any_order` are sorted;
  // else a Solver knows it.
  std::optional<std::size_t> copies{};
  AnyOrder any_order{};
  // Once those are sorted: [MED 0 3 5 9] is [MED 3 3 5 5].
  NoMatter no_matter{};
  // Two at a time: the first two tokens of the only group of `any_order` are replaced by the value
  // of the leaf that has just these two. [SM 1 2 3] becomes [SM 3 3], because [SM 1 2] is 3.
  bool folds = false;
  // The value is computed from two numbers; these and the value are among PatternSet::numbers.
  std::optional<Computation> computes{};

  bool operator==(const Pattern&) const = default;
};

// Numbers by size, all else by spelling, numbers first.
bool token_less(std::string_view a, std::string_view b);

// Sorts what stands in the places of each group: all orders of them become one.
template <class Tokens, class Less>
void sort_groups(Tokens& tokens, const AnyOrder& groups, Less less) {
  for (const std::vector<std::size_t>& group : groups) {
    std::vector<typename Tokens::value_type> some;
    for (const std::size_t place : group) some.push_back(tokens[place]);
    std::ranges::stable_sort(some, less);
    for (std::size_t i = 0; i < group.size(); ++i) tokens[group[i]] = some[i];
  }
}

template <class Tokens>
void level(Tokens& tokens, const NoMatter& places) {
  for (const auto& [place, other] : places) tokens[place] = tokens[other];
}

// What folding asks about: the tokens without those of the group, except for its first two.
template <class Tokens>
Tokens first_two(const Tokens& tokens, const std::vector<std::size_t>& group) {
  Tokens rest;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (std::find(group.begin() + 2, group.end(), i) == group.end()) rest.push_back(tokens[i]);
  }
  return rest;
}
// The tokens with `value` instead of the first two of the group.
template <class Tokens>
Tokens folded(Tokens tokens, const std::vector<std::size_t>& group,
              const typename Tokens::value_type& value) {
  tokens[group[0]] = value;
  tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(group[1]));
  return tokens;
}

// When a text in which no leaf is left is final.
struct Finals {
  // Rows of classes; a final text is one of them. Empty if final texts have any length.
  std::vector<std::vector<std::string>> shapes{};
  // If final texts have any length: which class may stand behind which in them.
  std::vector<std::pair<std::string, std::string>> neighbours{};

  bool open() const { return shapes.empty(); }
  bool operator==(const Finals&) const = default;
};

// How many rewrites a text may need, by its number of tokens.
struct StepGrowth {
  double linear = 1;
  double quadratic = 0;

  bool operator==(const StepGrowth&) const = default;
};

struct PatternSet {
  LexerConfig lexer{};
  bool number_class = true;            // numbers are one class
  std::vector<std::string> values{};   // tokens that are one class
  std::vector<std::string> numbers{};  // the heads of numbers that are computed with (Counted)
  std::vector<Pattern> patterns{};
  // Leaves, as they are spelt with what may be in any order sorted, that have another value if they
  // are the whole text.
  std::map<std::string, std::string> alone{};
  Finals finals{};
  StepGrowth growth{};
  std::size_t longest_token = 0;  // in bytes: of all tokens seen
  bool balanced = true;           // no rewrite changes the balance of brackets

  bool operator==(const PatternSet&) const = default;
};

// A class or token, by number.
using Symbol = char32_t;
using Symbols = std::u32string;

// The numbers of tokens and of the classes they belong to.
class Vocabulary {
 public:
  static constexpr Symbol kUnknown = 0;
  static constexpr Symbol kStartSymbol = 1;
  static constexpr Symbol kEndSymbol = 2;

  Vocabulary(Lexer lexer, bool number_class, const std::vector<std::string>& values);

  // The number of a class or token by its name.
  Symbol add(std::string_view name);
  // The class of a token: kUnknown if nothing is known of it.
  Symbol class_of(std::string_view token) const;
  // As class_of(), but a new token gets a number.
  Symbol learn(std::string_view token);
  const std::string& name(Symbol symbol) const { return names_[symbol]; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  // The class of a token by what it looks like; kUnknown if it is one of its own.
  Symbol by_form(std::string_view token) const;

  Lexer lexer_;
  bool number_class_;
  Symbol number_ = kUnknown;
  Symbol value_ = kUnknown;
  std::vector<std::string> names_;
  std::unordered_map<std::string, Symbol, Hash, std::equal_to<>> numbers_;
};

}  // namespace nrs::text
