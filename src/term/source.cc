#include "term/source.h"

#include <algorithm>

#include "base/text.h"

namespace nrs::term {
namespace {

constexpr std::string_view kUtf8Arrow = "→";

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

}  // namespace

bool is_operator(char c) {
  return std::string_view("+-*/^<>=&!~:%@").find(c) != std::string_view::npos;
}

Source::Source(std::string_view text, std::string name, std::size_t first_line)
    : text_(text), name_(std::move(name)), first_line_(first_line) {
  for (std::size_t i = text.find('\n'); i != std::string_view::npos; i = text.find('\n', i + 1)) {
    line_ends_.push_back(i);
  }
}

std::size_t Source::line_of(std::size_t offset) const {
  const auto next = std::ranges::lower_bound(line_ends_, offset);
  return first_line_ + static_cast<std::size_t>(next - line_ends_.begin());
}

Error Source::error(std::size_t offset, const std::string& message, std::string hint) const {
  if (name_.empty()) return Error::at(offset, message, std::move(hint));
  const std::size_t line_end = offset == 0 ? std::string_view::npos : text_.rfind('\n', offset - 1);
  const std::size_t begin = line_end == std::string_view::npos ? 0 : line_end + 1;
  // Continuation bytes of UTF-8 are no characters of their own.
  const auto column = std::count_if(text_.begin() + static_cast<std::ptrdiff_t>(begin),
                                    text_.begin() + static_cast<std::ptrdiff_t>(offset),
                                    [](char c) { return (c & 0xC0) != 0x80; });
  return Error(ErrorKind::kInput,
               name_ + ":" + std::to_string(line_of(offset)) + ":" + std::to_string(column + 1) +
                   ": " + message,
               std::move(hint));
}

std::string Token::shown() const {
  switch (kind) {
    case TokenKind::kEnd:
      return "the end";
    case TokenKind::kLineEnd:
      return "the end of the line";
    case TokenKind::kName:
      return "\"" + excerpt(text) + "\"";
    default:
      return "'" + std::string(text) + "'";
  }
}

Lexer::Lexer(const Source& source, LexerOptions options, std::size_t begin)
    : source_(source), options_(options), at_(begin) {
  read_token();
}

Token Lexer::take() {
  const Token taken = token_;
  if (taken.kind != TokenKind::kEnd) read_token();
  return taken;
}

bool Lexer::skip(TokenKind kind) {
  if (token_.kind != kind) return false;
  take();
  return true;
}

Token Lexer::expect(TokenKind kind, std::string_view what, const std::string& hint) {
  if (token_.kind != kind) {
    throw error(token_, "expected " + std::string(what) + ", found " + token_.shown(), hint);
  }
  return take();
}

void Lexer::pass_blanks() {
  const std::string_view text = source_.text();
  while (at_ < text.size()) {
    if (options_.comment != 0 && text[at_] == options_.comment) {
      at_ = std::min(text.find('\n', at_), text.size());
    } else if (is_blank(text[at_]) && !(options_.line_ends && text[at_] == '\n')) {
      ++at_;
    } else {
      return;
    }
  }
}

void Lexer::pass_to_close() {
  const std::string_view text = source_.text();
  std::size_t open = 0;
  for (; at_ < text.size(); ++at_) {
    if (text[at_] == ')' && open-- == 0) return read_token();
    if (text[at_] == '(') ++open;
  }
  throw error(token_, "the bracket before " + token_.shown() + " is never closed");
}

// The length of the arrow there, or 0.
std::size_t Lexer::arrow_at(std::size_t offset) const {
  const std::string_view rest = source_.text().substr(offset);
  if (rest.starts_with("->") || rest.starts_with("=>")) return 2;
  return rest.starts_with(kUtf8Arrow) ? kUtf8Arrow.size() : 0;
}

void Lexer::read_token() {
  pass_blanks();
  const std::string_view text = source_.text();
  token_ = {TokenKind::kEnd, {}, at_, false};
  if (at_ == text.size()) return;
  const std::size_t arrow = options_.arrows ? arrow_at(at_) : 0;
  std::size_t length = 1;
  if (text[at_] == '\n') {
    token_.kind = TokenKind::kLineEnd;
  } else if (text[at_] == '(') {
    token_.kind = TokenKind::kOpen;
  } else if (text[at_] == ')') {
    token_.kind = TokenKind::kClose;
  } else if (text[at_] == ',' && options_.commas) {
    token_.kind = TokenKind::kComma;
  } else if (arrow > 0) {
    token_.kind = TokenKind::kArrow;
    length = arrow;
  } else if (text[at_] == '|') {
    return read_quoted();
  } else {
    return read_name();
  }
  token_.text = text.substr(at_, length);
  at_ += length;
}

void Lexer::read_quoted() {
  const std::string_view text = source_.text();
  const std::size_t begin = at_ + 1;
  const std::size_t end = text.find_first_of("|\n", begin);
  if (end == std::string_view::npos || text[end] != '|') {
    throw source_.error(at_, "a name begins with '|' but does not end with it",
                        "write it as |name|, on one line");
  }
  if (end == begin) throw source_.error(at_, "an empty name", "put a name between the bars");
  token_ = {TokenKind::kName, text.substr(begin, end - begin), at_, true};
  at_ = end + 1;
}

void Lexer::read_name() {
  const std::string_view text = source_.text();
  const std::size_t begin = at_;
  const bool operators = options_.operators && is_operator(text[at_]);
  const auto ends = [&](char c) {
    return is_blank(c) || c == '(' || c == ')' || c == '|' || (c == ',' && options_.commas) ||
           (options_.operators && is_operator(c) != operators);
  };
  while (at_ < text.size() && !ends(text[at_]) && !(options_.arrows && arrow_at(at_) > 0)) ++at_;
  for (std::size_t i = begin; i < at_; ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7f) {
      throw source_.error(i, "unexpected " + show_character(text, i));
    }
  }
  token_ = {TokenKind::kName, text.substr(begin, at_ - begin), begin, false};
}

}  // namespace nrs::term
