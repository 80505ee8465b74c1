#pragma once
// The text of a file or of a line, read token by token, with errors that name their place.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "nrs/error.h"

namespace nrs::term {

// A text with a name. Does not own it.
class Source {
 public:
  // `name` goes in front of errors, "rules.trs:3:7: ..."; without one they say "column 7: ...".
  Source(std::string_view text, std::string name, std::size_t first_line = 1);

  std::string_view text() const { return text_; }
  const std::string& name() const { return name_; }
  // A fault at a byte of the text; the column counts characters.
  Error error(std::size_t offset, const std::string& message, std::string hint = {}) const;
  std::size_t line_of(std::size_t offset) const;

 private:
  std::string_view text_;
  std::string name_;
  std::size_t first_line_;
  std::vector<std::size_t> line_ends_;  // every rule asks for its line
};

enum class TokenKind { kName, kOpen, kClose, kComma, kArrow, kLineEnd, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;   // of a name: without the bars
  std::size_t offset = 0;  // where it begins
  bool quoted = false;     // |name|

  // A bare word: keywords are never quoted.
  bool is(std::string_view word) const {
    return kind == TokenKind::kName && !quoted && text == word;
  }
  // The token as a message shows it.
  std::string shown() const;
};

struct LexerOptions {
  char comment =
      '#';  // begins one that goes to the end of the line, where a name could begin; 0: none
  bool line_ends = false;  // a line end is a token
  bool arrows = true;      // "->", "=>" and "→" are tokens, and end a name
  bool operators = false;  // a run of operator characters is a name of its own (infix)
  bool commas = true;      // a comma is a token, and ends a name
};

// Names are runs of anything but white space, brackets and bars (and commas, and arrows); a name
// with one of those is written between bars: |a b|.
class Lexer {
 public:
  Lexer(const Source& source, LexerOptions options, std::size_t begin = 0);

  // The next token; stays there.
  const Token& peek() const { return token_; }
  // The next token; goes on to the one after it.
  Token take();
  // Takes the next token if it is of this kind.
  bool skip(TokenKind kind);
  // Takes the next token, which must be of this kind.
  Token expect(TokenKind kind, std::string_view what, const std::string& hint = {});

  // Passes over the text from behind the next token to the bracket that closes what is open there,
  // whatever it is; that bracket is then the next token.
  void pass_to_close();

  const Source& source() const { return source_; }
  Error error(const Token& token, const std::string& message, std::string hint = {}) const {
    return source_.error(token.offset, message, std::move(hint));
  }

 private:
  void pass_blanks();
  void read_token();
  void read_quoted();
  void read_name();
  std::size_t arrow_at(std::size_t offset) const;

  const Source& source_;
  LexerOptions options_;
  std::size_t at_;
  Token token_;
};

// Characters of infix operators.
bool is_operator(char c);

}  // namespace nrs::term
