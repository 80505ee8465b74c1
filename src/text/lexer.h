#pragma once
// Formulas that are not terms, as tokens: numbers, words and single characters.
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nrs/formula.h"

namespace nrs::text {

// How a notation is cut into tokens. Blanks separate tokens and are never part of one.
struct LexerConfig {
  bool numbers = true;  // digits in a row are one token
  bool words = true;    // letters in a row are one token
  std::string signs{};  // characters that belong to a number if no operand stands before them
  bool spaced = false;  // people write a blank between tokens
  // Rows of tokens that are one token together, such as { a , b }; kNumber is any number. Law: the
  // first token of a row is nowhere else in any row, so it does not matter what stands before it.
  std::vector<std::vector<std::string>> compounds{};

  bool operator==(const LexerConfig&) const = default;
};

// Const and thread-safe. Law: what a token is depends on its characters, those beside it, and for a
// sign on the token before it.
class Lexer {
 public:
  explicit Lexer(LexerConfig config);

  // Where the tokens of a text are, from left to right. `starts` is false for a part of a longer
  // text: then its first character may be the middle of a token.
  std::vector<Span> cut(std::string_view text, bool starts = true) const;
  std::vector<std::string_view> tokens(std::string_view text) const;
  // The one way in which some tokens are written: two texts with the same tokens have the same.
  std::string spell(const std::vector<std::string_view>& tokens) const;
  std::string canonical(std::string_view text) const { return spell(tokens(text)); }

  // Whether a token is a row of them.
  bool is_compound(std::string_view token) const;

  const LexerConfig& config() const { return config_; }

 private:
  std::vector<Span> cut_simple(std::string_view text, bool starts) const;
  // How many of the tokens, from the first on, are one compound; 1 if none are.
  std::size_t compound_size(std::string_view text, std::span<const Span> tokens) const;
  std::size_t token_length(std::string_view rest) const;
  bool joins_sign(std::string_view text, const std::vector<Span>& before, Span token,
                  bool starts) const;

  LexerConfig config_;
  using Edges = std::map<std::string, std::size_t, std::less<>>;
  std::vector<Edges> nodes_;  // a tree over the rows of compounds
  std::vector<bool> ends_;    // by node: a row ends here
};

// The name of a class: any number. No token has such a name.
inline constexpr std::string_view kNumber = "<number>";

// Whether a token is a number, with or without a sign.
bool is_number(std::string_view token);
// Whether a token is a word: it begins with a letter.
bool is_word(std::string_view token);

}  // namespace nrs::text
