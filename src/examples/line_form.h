#pragma once
// The forms that a file of examples may have: each reads one line at a time.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "examples/examples.h"

namespace nrs::examples {

// What a line says. Two formulas may leave open whether they are a step or a question with its
// answer; the example then has what is likelier for its form, and the whole file decides.
struct Draft {
  Example example;
  bool open = false;
  bool may_go_on = false;  // if it is a step, nothing is said of whether the second is final
};

class LineForm {
 public:
  virtual ~LineForm() = default;
  virtual Format format() const = 0;
  // Nothing for a line that says nothing. Throws Error (input) without a place. The line is valid
  // UTF-8.
  virtual std::optional<Draft> read(std::string_view line, std::uint32_t number) const = 0;
};

// The lines that a form is found out from, in the order of the file, with their numbers.
struct NumberedLine {
  std::uint32_t number;
  std::string text;
};
using Sample = std::span<const NumberedLine>;

// Each returns nothing if the lines do not have this form.
std::unique_ptr<LineForm> json_form(Sample sample);
std::unique_ptr<LineForm> table_form(Sample sample);
std::unique_ptr<LineForm> columns_form(Sample sample);
// Formulas with separators between them. Always something; `single` is set if no line has a
// separator.
std::unique_ptr<LineForm> chain_form(Sample sample, bool& single);

// Removes blanks at both ends.
std::string_view trimmed(std::string_view text);
// A comment, as far as one line can tell: "# " and something other than an arrow.
bool looks_like_comment(std::string_view line);

// Two formulas of a line, by words that say what they are, or by none.
Draft draft_of_pair(std::string first, std::string second, std::optional<Kind> kind);

}  // namespace nrs::examples
