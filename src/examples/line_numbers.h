#pragma once
// Lines that begin with their number: "12. a -> b". The number is no part of the formula.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "examples/line_form.h"

namespace nrs::examples {

// How the numbers of lines are written: what stands before and behind the digits.
struct LineNumbers {
  std::string_view before;  // "#", an opening bracket, or nothing
  std::string_view behind;  // ".", ")", ":", "," or nothing; blanks follow, or a tab

  // What a line says behind its number; nothing if it has none. `number` is that number.
  std::optional<std::string_view> without(std::string_view line, std::uint64_t& number) const;
};

// Nothing unless every line begins with a number, written in the same way, which goes up by one
// from line to line. Comments do not count.
std::optional<LineNumbers> line_numbers(Sample sample);

// The lines of a sample that `numbers` was found in, without numbers.
std::vector<NumberedLine> without_numbers(Sample sample, const LineNumbers& numbers);

// Lines as `form` reads them once their numbers are left out.
std::unique_ptr<LineForm> numbered_form(LineNumbers numbers, std::unique_ptr<LineForm> form);

}  // namespace nrs::examples
