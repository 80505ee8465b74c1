#include "domains/formula_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "nrs/error.h"
#include "nrs/formula.h"

namespace nrs::domains {
namespace {

constexpr std::string_view kCaseMatters = "case matters: write ";

// Of words in ASCII. Not std::tolower: it looks up the locale.
bool same_letter(char a, char b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return lower(a) == lower(b);
}

// What to write instead of a text that goes on behind a whole formula. Empty if what follows is not
// the rest of a formula.
std::string missing_brackets(std::string_view text, std::size_t end, std::string_view example,
                             ReadFirst read) {
  constexpr std::size_t kShown = 60;
  if (std::string_view(")]").find(text[end]) != std::string_view::npos) return {};
  const std::string with = fmt::format("{}{}{}", example.front(), text, example.back());
  try {
    std::size_t with_end = 0;
    read(with, with_end);
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

FormulaReader::FormulaReader(std::string_view text, std::string_view alphabet)
    : text_(text), alphabet_(alphabet) {
  if (text.size() > kMaxFormulaLength) throw formula_too_long();
  if (at_end()) fail_at(0, "the formula is empty");
  out_.resize(text.size());
}

char FormulaReader::peek_second() {
  skip_spaces();
  const std::size_t first = offset_;
  offset_ = std::min(offset_ + 1, text_.size());
  const char second = peek();
  offset_ = first;
  return second;
}

// Few domains ever need it: what people write is hardly ever shorter.
void FormulaReader::make_room() {
  out_.resize(2 * out_.size());
}

void FormulaReader::fail(const std::string& message, std::string hint) const {
  fail_at(offset_, message, std::move(hint));
}

void FormulaReader::fail_at(std::size_t offset, const std::string& message,
                            std::string hint) const {
  throw Error::at(offset, message, std::move(hint));
}

void FormulaReader::expected(std::string_view what) const {
  const std::string found = show_character(text_, offset_);
  const bool known =
      offset_ >= text_.size() || alphabet_.find(text_[offset_]) != std::string_view::npos;
  if (!known) fail(fmt::format("unknown character: {}", found), fmt::format("expected {}", what));
  fail(fmt::format("expected {}, found {}", what, found));
}

void FormulaReader::fail_to_close(std::string_view operators, std::string_view too_many,
                                  std::string_view hint) {
  if (operators.find(peek()) != std::string_view::npos) {
    fail(std::string(too_many), std::string(hint));
  }
  expected("')'");
}

void FormulaReader::fail_not_closed(const OpenTerm& term) const {
  fail(fmt::format("the bracket opened at column {} is not closed", term.opened_at + 1));
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

void fail_to_end(std::string_view text, std::size_t end, std::string_view example, ReadFirst read) {
  throw Error::at(end,
                  fmt::format("the formula is complete, but {} follows", show_character(text, end)),
                  missing_brackets(text, end, example, read));
}

}  // namespace nrs::domains
