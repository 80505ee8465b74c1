#pragma once
// What the domains have in common: all write an operator and its arguments in brackets.
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "nrs/domain.h"

namespace nrs::domains {

// The fraction of formulas with numbers that are printed as people write them: `(5--3)` as `(5+3)`.
inline constexpr double kMergeSigns = 0.8;

// One operator whose closing bracket has not been read yet.
struct OpenTerm {
  std::size_t opened_at = 0;  // offset of its bracket, for messages
  int args = 0;               // arguments read so far
  char op = 0;                // for syntaxes that need to remember it
};

// A text that is being read: the place, and the canonical text so far.
class FormulaReader {
 public:
  explicit FormulaReader(std::string_view text);

  // The next character that is not a space; NUL at the end.
  char peek();
  // The one after that.
  char peek_second();
  // Takes `expected` (a character or a word) if it comes next.
  bool take(char expected);
  bool take(std::string_view expected);
  // Takes the next character as it is, a space too: digits of one number must touch.
  char next();
  bool at_digit() const;

  std::size_t offset() const { return offset_; }
  [[noreturn]] void fail(const std::string& message, std::string hint = {}) const;
  [[noreturn]] void fail_at(std::size_t offset, const std::string& message,
                            std::string hint = {}) const;
  // "expected X, found Y" here; says so if Y is a character that no formula has.
  [[noreturn]] void expected(std::string_view what, std::string_view alphabet) const;
  // Fails if one of these words comes next in the wrong case: "and" for "AND".
  void refuse_other_case(std::initializer_list<std::string_view> words);

  std::string out;

 private:
  void skip_spaces();

  std::string_view text_;
  std::size_t offset_ = 0;
};

// How one domain writes its terms. read_formula() drives it with its own stack, because input may
// be nested as deeply as it is long.
class Syntax {
 public:
  virtual ~Syntax() = default;
  // Takes the beginning of an operator term, if one begins here.
  virtual bool open(FormulaReader& reader, OpenTerm& term) = 0;
  // Takes an atom, an argument of `parent` (null: the whole formula). Fails if there is none.
  virtual void atom(FormulaReader& reader, const OpenTerm* parent) = 0;
  // After an argument: takes the end of the term and returns true, or takes what stands before the
  // next argument and returns false.
  virtual bool close(FormulaReader& reader, OpenTerm& term) = 0;
  // A formula with two operators, to show people who have left out brackets.
  virtual std::string_view example() const = 0;
};

// Throws Error with the column.
std::string read_formula(std::string_view text, Syntax& syntax);

// A domain whose leaves are the innermost bracket pairs that have a value.
class BracketDomain : public Domain {
 public:
  BracketDomain(char open, char close) : open_(open), close_(close) {}

  std::vector<Span> leaves(std::string_view text) const override;
  int nesting(std::string_view formula) const override;

 private:
  char open_;
  char close_;
};

// Nodes of a full binary skeleton of this depth: 2^nesting - 1, saturating where no formula could
// be that large.
std::size_t full_tree_operators(int nesting);

// Keeps a number within -99..99: its sign and its last two digits. -448 becomes -48.
inline int sign_preserving_modulo(int value) {
  return value % 100;
}

inline constexpr int kMostNegative = -99;
inline constexpr int kMostPositive = 99;

}  // namespace nrs::domains
