#include "text/lexer.h"

#include <algorithm>

#include "base/text.h"

namespace nrs::text {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

// The code point of a well-formed character.
char32_t code_point(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0);
  char32_t code = byte(0) & (0xFF >> (character.size() + 1));
  for (std::size_t i = 1; i < character.size(); ++i) code = (code << 6) | (byte(i) & 0x3F);
  return code;
}

// Letters of the alphabets that words are written with. Symbols such as ∧ are none.
bool is_letter(char32_t code) {
  if (code < 0x80) return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
  return (code >= 0xC0 && code <= 0x24F && code != 0xD7 && code != 0xF7) ||
         (code >= 0x370 && code <= 0x5FF);
}

std::size_t character_length(std::string_view rest) {
  return std::max<std::size_t>(1, utf8_length(rest));
}

// How many bytes the letters at the start of `rest` take.
std::size_t letters(std::string_view rest) {
  std::size_t size = 0;
  while (size < rest.size()) {
    const std::size_t length = utf8_length(rest.substr(size));
    if (length == 0 || !is_letter(code_point(rest.substr(size, length)))) break;
    size += length;
  }
  return size;
}

std::size_t digits(std::string_view rest) {
  const auto end = std::find_if_not(rest.begin(), rest.end(), is_digit);
  return static_cast<std::size_t>(end - rest.begin());
}

bool closes(char c) {
  return c == ')' || c == ']' || c == '}';
}

}  // namespace

bool is_number(std::string_view token) {
  return !token.empty() && is_digit(token.back());
}

bool is_word(std::string_view token) {
  return letters(token) > 0;
}

Lexer::Lexer(LexerConfig config) : config_(std::move(config)) {
  if (config_.compounds.empty()) return;
  nodes_.emplace_back();
  ends_.push_back(false);
  for (const std::vector<std::string>& row : config_.compounds) {
    std::size_t node = 0;
    for (const std::string& token : row) {
      const auto [next, is_new] = nodes_[node].emplace(token, nodes_.size());
      node = next->second;
      if (!is_new) continue;
      nodes_.emplace_back();
      ends_.push_back(false);
    }
    ends_[node] = true;
  }
}

std::size_t Lexer::compound_size(std::string_view text, std::span<const Span> tokens) const {
  std::size_t node = 0, size = 1;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view token = tokens[i].of(text);
    const auto next = nodes_[node].find(is_number(token) ? kNumber : token);
    if (next == nodes_[node].end()) break;
    node = next->second;
    if (ends_[node]) size = i + 1;
  }
  return size;
}

bool Lexer::is_compound(std::string_view token) const {
  return !nodes_.empty() && cut_simple(token, true).size() > 1;
}

std::vector<Span> Lexer::cut(std::string_view text, bool starts) const {
  std::vector<Span> simple = cut_simple(text, starts);
  if (nodes_.empty()) return simple;
  std::vector<Span> tokens;
  for (std::size_t i = 0; i < simple.size();) {
    const std::size_t size = compound_size(text, std::span(simple).subspan(i));
    tokens.push_back({simple[i].begin, simple[i + size - 1].end});
    i += size;
  }
  return tokens;
}

std::size_t Lexer::token_length(std::string_view rest) const {
  if (config_.numbers && is_digit(rest.front())) return digits(rest);
  if (config_.words) {
    if (const std::size_t size = letters(rest)) return size;
  }
  return character_length(rest);
}

// A sign is part of the number behind it unless an operand stands before it: 3--4 is 3 minus -4.
bool Lexer::joins_sign(std::string_view text, const std::vector<Span>& before, Span token,
                       bool starts) const {
  if (before.empty() || !is_digit(text[token.begin])) return false;
  const Span sign = before.back();
  if (sign.end != token.begin || sign.size() != 1) return false;
  if (config_.signs.find(text[sign.begin]) == std::string::npos) return false;
  if (before.size() == 1) return starts;
  const std::string_view operand = before[before.size() - 2].of(text);
  return !is_number(operand) && !is_word(operand) && !closes(operand.back());
}

std::vector<Span> Lexer::cut_simple(std::string_view text, bool starts) const {
  std::vector<Span> tokens;
  for (std::size_t i = 0; i < text.size();) {
    if (is_blank(text[i])) {
      ++i;
      continue;
    }
    const Span token{i, i + token_length(text.substr(i))};
    i = token.end;
    if (joins_sign(text, tokens, token, starts)) {
      tokens.back().end = token.end;
    } else {
      tokens.push_back(token);
    }
  }
  return tokens;
}

std::vector<std::string_view> Lexer::tokens(std::string_view text) const {
  std::vector<std::string_view> tokens;
  for (const Span span : cut(text)) tokens.push_back(span.of(text));
  return tokens;
}

std::string Lexer::spell(const std::vector<std::string_view>& tokens) const {
  std::string text;
  for (const std::string_view token : tokens) {
    if (config_.spaced && !text.empty()) text += ' ';
    text += token;
  }
  return text;
}

}  // namespace nrs::text
