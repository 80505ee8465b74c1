#pragma once
// Text as people see it (characters in messages, tables, suggestions for misspelt words), as C++
// source has it, and as JSON has it.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nrs/error.h"

namespace nrs {

// What some programs put at the beginning of a UTF-8 file. It is no part of the text.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Length of the well-formed UTF-8 character at the start of `text`; 0 if there is none.
std::size_t utf8_length(std::string_view text);

// The character that begins at `offset`, as a message shows it: 'é', NUL, a control character or a
// byte that is not valid UTF-8 by its number, or "the end".
std::string show_character(std::string_view text, std::size_t offset);

// At most `limit` characters of a text for a message, with "..." where it was cut, and nothing in
// it that could upset a terminal.
std::string excerpt(std::string_view text, std::size_t limit = 40);

// The characters of a text, one after the other: a byte that is not part of valid UTF-8 counts as a
// character. They point into `text`.
std::vector<std::string_view> characters(std::string_view text);

// The error for a formula of more than kMaxFormulaLength characters.
Error formula_too_long();

// The last line of what a program wrote, without its end; empty if it wrote nothing.
std::string last_line(std::string_view text);
// The same of what nrs complained, without the name in front.
std::string last_complaint(std::string_view errors);

// Rows of cells in right-aligned columns, each as wide as its widest cell.
std::string align(std::span<const std::vector<std::string>> rows);

// The candidate that begins with `word`, or else looks most like it; nothing if none is close.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

// Text as C++ source has it: in quotes, with escapes.
std::string cpp_string(std::string_view text);
// What may stand behind two slashes: a line that ends in a backslash would go on.
std::string cpp_comment(std::string text);

// How many characters at the front of `text` are the same inside a string of JSON: ASCII, but no
// control characters, no quotes and no backslashes.
std::size_t plain_length(std::string_view text);

}  // namespace nrs
