#include "domains/brackets.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "nrs/error.h"

namespace nrs::domains {
namespace {

constexpr std::string_view kCaseMatters = "case matters: write ";

bool is_space(char c) {
  return c == ' ' || c == '\t';
}

// Of words in ASCII. Not std::tolower: it looks up the locale, and this is asked at each character.
bool same_letter(char a, char b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return lower(a) == lower(b);
}

}  // namespace

FormulaReader::FormulaReader(std::string_view text) : text_(text) {
  if (text.size() > kMaxFormulaLength) throw formula_too_long();
  skip_spaces();
  if (offset_ == text_.size()) fail_at(0, "the formula is empty");
  out.reserve(text.size());
}

void FormulaReader::skip_spaces() {
  while (offset_ < text_.size() && is_space(text_[offset_])) ++offset_;
}

char FormulaReader::peek() {
  skip_spaces();
  return offset_ < text_.size() ? text_[offset_] : '\0';
}

char FormulaReader::peek_second() {
  skip_spaces();
  std::size_t second = offset_ + 1;
  while (second < text_.size() && is_space(text_[second])) ++second;
  return second < text_.size() ? text_[second] : '\0';
}

bool FormulaReader::take(char expected) {
  // A NUL in the text is not the end of it, and never what a syntax asks for.
  if (peek() != expected || expected == '\0') return false;
  ++offset_;
  return true;
}

bool FormulaReader::take(std::string_view expected) {
  // Most characters begin no word, and this is asked at each.
  if (peek() != expected.front() || !text_.substr(offset_).starts_with(expected)) return false;
  offset_ += expected.size();
  return true;
}

char FormulaReader::next() {
  return text_[offset_++];
}

bool FormulaReader::at_digit() const {
  return offset_ < text_.size() && text_[offset_] >= '0' && text_[offset_] <= '9';
}

void FormulaReader::fail(const std::string& message, std::string hint) const {
  fail_at(offset_, message, std::move(hint));
}

void FormulaReader::fail_at(std::size_t offset, const std::string& message,
                            std::string hint) const {
  throw Error::at(offset, message, std::move(hint));
}

void FormulaReader::expected(std::string_view what, std::string_view alphabet) const {
  const std::string found = show_character(text_, offset_);
  const bool known =
      offset_ >= text_.size() || alphabet.find(text_[offset_]) != std::string_view::npos;
  if (!known) fail(fmt::format("unknown character: {}", found), fmt::format("expected {}", what));
  fail(fmt::format("expected {}, found {}", what, found));
}

void FormulaReader::refuse_other_case(std::initializer_list<std::string_view> words) {
  const char first = peek();
  for (const std::string_view word : words) {
    if (!same_letter(first, word.front())) continue;
    const std::string_view found = text_.substr(offset_, word.size());
    if (found == word || !std::ranges::equal(found, word, same_letter)) continue;
    fail(fmt::format("unknown word '{}'", found), fmt::format("{}{}", kCaseMatters, word));
  }
}

namespace {

// A whole formula at the front of `text`; `end` is where it ends.
std::string read_first(std::string_view text, Syntax& syntax, std::size_t& end) {
  FormulaReader reader(text);
  std::vector<OpenTerm> stack;
  do {
    reader.peek();
    OpenTerm term{.opened_at = reader.offset()};
    if (syntax.open(reader, term)) {
      stack.push_back(term);
      continue;
    }
    syntax.atom(reader, stack.empty() ? nullptr : &stack.back());
    while (!stack.empty()) {
      ++stack.back().args;
      if (reader.peek() == '\0' && reader.offset() >= text.size()) {
        reader.fail(fmt::format("the bracket opened at column {} is not closed",
                                stack.back().opened_at + 1));
      }
      if (!syntax.close(reader, stack.back())) break;
      stack.pop_back();
    }
  } while (!stack.empty());
  reader.peek();
  end = reader.offset();
  return std::move(reader.out);
}

// What to write instead of a text that goes on behind a whole formula, as 1+2 does behind 1. Empty
// if what follows is not the rest of a formula.
std::string missing_brackets(std::string_view text, std::size_t end, Syntax& syntax) {
  constexpr std::size_t kShown = 60;
  if (std::string_view(")]").find(text[end]) != std::string_view::npos) return {};
  const std::string_view example = syntax.example();
  const std::string with = fmt::format("{}{}{}", example.front(), text, example.back());
  try {
    std::size_t with_end = 0;
    read_first(with, syntax, with_end);
    if (with_end == with.size()) {
      return text.size() > kShown ? "put brackets around it" : fmt::format("write {}", with);
    }
  } catch (const Error& error) {
    if (error.hint().starts_with(kCaseMatters)) return error.hint();
    // More is missing than one pair, unless what follows is not even an operator.
    if (error.offset().value_or(0) <= end + 1) return {};
  }
  return fmt::format("each operator needs its own brackets, as in {}", example);
}

}  // namespace

std::string read_formula(std::string_view text, Syntax& syntax) {
  std::size_t end = 0;
  std::string formula = read_first(text, syntax, end);
  if (end < text.size()) {
    throw Error::at(
        end, fmt::format("the formula is complete, but {} follows", show_character(text, end)),
        missing_brackets(text, end, syntax));
  }
  return formula;
}

std::vector<Span> BracketDomain::leaves(std::string_view text) const {
  constexpr std::size_t kNone = std::string_view::npos;
  std::vector<Span> found;
  std::size_t opened = kNone;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == open_) opened = i;
    if (text[i] != close_ || opened == kNone) continue;
    const Span span{opened, i + 1};
    if (value(span.of(text))) found.push_back(span);
    opened = kNone;
  }
  return found;
}

int BracketDomain::nesting(std::string_view formula) const {
  int depth = 0;
  int deepest = 0;
  for (const char c : formula) {
    if (c == open_) deepest = std::max(deepest, ++depth);
    if (c == close_) --depth;
  }
  return deepest;
}

std::size_t full_tree_operators(int nesting) {
  return (std::size_t{1} << std::clamp(nesting, 0, 40)) - 1;
}

}  // namespace nrs::domains
