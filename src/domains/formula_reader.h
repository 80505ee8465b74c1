#pragma once
// Reads formulas as people write them. Each domain gives the syntax of its terms; the loop over a
// formula and its errors are here. Millions of formulas go through this, so that the common case of
// each step is inline, and the rest is not.
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nrs::domains {

// One operator whose closing bracket has not been read yet.
struct OpenTerm {
  std::size_t opened_at = 0;  // offset of its bracket, for messages
  int args = 0;               // arguments read so far
  char op = 0;                // for syntaxes that need to remember it
};

// A text that is being read: the place, and the canonical text so far.
class FormulaReader {
 public:
  // `alphabet` is what formulas may have, for messages.
  FormulaReader(std::string_view text, std::string_view alphabet);

  // The next character that is not a space; NUL at the end.
  char peek() {
    skip_spaces();
    return offset_ < text_.size() ? text_[offset_] : '\0';
  }
  // The one after that.
  char peek_second();
  // Takes `expected` (a character or a word) if it comes next. A NUL in the text is not the end of
  // it, and never what a syntax asks for.
  bool take(char expected) {
    if (peek() != expected || expected == '\0') return false;
    ++offset_;
    return true;
  }
  bool take(std::string_view expected) {
    // Most characters begin no word, and this is asked at each.
    if (peek() != expected.front() || !text_.substr(offset_).starts_with(expected)) return false;
    offset_ += expected.size();
    return true;
  }
  // Takes it to the canonical text.
  template <class Expected>
  bool copy(Expected expected) {
    if (!take(expected)) return false;
    put(expected);
    return true;
  }
  // Takes the bracket behind the last argument; `too_many` is said where an operator comes instead.
  void close(std::string_view operators, std::string_view too_many, std::string_view hint) {
    if (!copy(')')) fail_to_close(operators, too_many, hint);
  }
  // Takes the next character as it is, a space too: digits of one number must touch.
  char next() { return text_[offset_++]; }
  bool at_digit() const {
    return offset_ < text_.size() && text_[offset_] >= '0' && text_[offset_] <= '9';
  }
  // Whether the next character begins a word of more than one letter.
  bool at_word() const { return letter_at(offset_) && letter_at(offset_ + 1); }
  bool at_end() {
    skip_spaces();
    return offset_ == text_.size();
  }

  // To the canonical text.
  void put(char c) {
    if (written_ == out_.size()) make_room();
    out_[written_++] = c;
  }
  void put(std::string_view text) {
    for (const char c : text) put(c);
  }
  std::string_view written() const { return {out_.data(), written_}; }
  std::string take_written() {
    out_.resize(written_);
    return std::move(out_);
  }

  std::size_t offset() const { return offset_; }
  [[noreturn]] void fail(const std::string& message, std::string hint = {}) const;
  [[noreturn]] void fail_at(std::size_t offset, const std::string& message,
                            std::string hint = {}) const;
  // "expected X, found Y" here; says so if Y is a character that no formula has.
  [[noreturn]] void expected(std::string_view what) const;
  [[noreturn]] void fail_not_closed(const OpenTerm& term) const;
  // Fails if one of these words comes next in the wrong case: "and" for "AND".
  void refuse_other_case(std::initializer_list<std::string_view> words);

 private:
  void skip_spaces() {
    while (offset_ < text_.size() && (text_[offset_] == ' ' || text_[offset_] == '\t')) ++offset_;
  }
  void make_room();
  [[noreturn]] void fail_to_close(std::string_view operators, std::string_view too_many,
                                  std::string_view hint);
  bool letter_at(std::size_t offset) const {
    if (offset >= text_.size()) return false;
    const char c = text_[offset];
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  std::string_view text_;
  std::string_view alphabet_;
  std::size_t offset_ = 0;
  std::string out_;  // with room behind what is written
  std::size_t written_ = 0;
};

// A stack that needs no memory of its own unless a formula is deep.
class OpenTerms {
 public:
  bool empty() const { return size_ == 0; }
  OpenTerm& back() { return size_ <= kNear ? near_[size_ - 1] : far_.back(); }
  void push(const OpenTerm& term) {
    if (size_ < kNear) {
      near_[size_] = term;
    } else {
      far_.push_back(term);
    }
    ++size_;
  }
  void pop() {
    if (size_-- > kNear) far_.pop_back();
  }

 private:
  static constexpr std::size_t kNear = 16;
  OpenTerm near_[kNear];
  std::vector<OpenTerm> far_;
  std::size_t size_ = 0;
};

// How one domain writes its terms: a class with
//   bool open(FormulaReader&, OpenTerm&)
//                             takes the beginning of an operator term, if one begins
//   void atom(FormulaReader&, const OpenTerm* parent)
//                             takes an atom, an argument of `parent` (null: the whole formula),
//                             or fails
//   bool close(FormulaReader&, OpenTerm&)
//                             after an argument: takes the end of the term and returns true, or
//                             takes what stands before the next argument
//   kAlphabet                 of the domain
//   kExample                  a formula with two operators, to show people who have left out
//                             brackets
// A whole formula at the front of `text`; `end` is where it ends. It has its own stack, because
// input may be nested as deeply as it is long.
template <class Syntax>
std::string read_first(std::string_view text, Syntax& syntax, std::size_t& end) {
  FormulaReader reader(text, Syntax::kAlphabet);
  OpenTerms stack;
  do {
    reader.peek();
    OpenTerm term{.opened_at = reader.offset()};
    if (syntax.open(reader, term)) {
      stack.push(term);
      continue;
    }
    syntax.atom(reader, stack.empty() ? nullptr : &stack.back());
    while (!stack.empty()) {
      ++stack.back().args;
      if (reader.at_end()) reader.fail_not_closed(stack.back());
      if (!syntax.close(reader, stack.back())) break;
      stack.pop();
    }
  } while (!stack.empty());
  reader.peek();
  end = reader.offset();
  return reader.take_written();
}

// The error of a text that goes on at `end` behind a whole formula, as 1+2 does behind 1.
// `read` reads the text with brackets around it.
using ReadFirst = std::string (*)(std::string_view text, std::size_t& end);
[[noreturn]] void fail_to_end(std::string_view text, std::size_t end, std::string_view example,
                              ReadFirst read);

// Throws Error with the column.
template <class Syntax>
std::string read_formula(std::string_view text) {
  const ReadFirst read = [](std::string_view whole, std::size_t& end) {
    Syntax syntax;
    return read_first(whole, syntax, end);
  };
  std::size_t end = 0;
  std::string formula = read(text, end);
  if (end < text.size()) fail_to_end(text, end, Syntax::kExample, read);
  return formula;
}

}  // namespace nrs::domains
