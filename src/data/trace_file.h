#pragma once
// Reads rewrite examples from a file of worked derivations. This is how users bring in a rewriting
// system of their own.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "data/example.h"

namespace nrs::data {

// The one local rewrite that turns `formula` into `next`. The texts alone may be ambiguous: did
// `(3+0)` become `3`, or did `+0` disappear? These rules decide: the leaf and its value are not
// empty, every bracket of the leaf has its partner, and no number is cut in two. Throws Error
// (input) if the two are the same, or if the changed part is not one leaf: a text without brackets,
// or one innermost pair of brackets.
Step recover_step(std::string_view formula, std::string_view next);

// Reads examples in the order in which their formulas first appear. By extension:
//   .csv    columns `formula` (or `X`) and `next`: one rewrite per row, several rows may share a
//           formula; an empty `next` says that the formula is final.
//   .jsonl  {"formula": "((1+2)*3)", "steps": [{"begin": 1, "end": 6, "value": "3"}]}
//           or {"formula": "9", "final": true}, or {"formula": "...", "next": "..."}
// Throws Error (input) with file and line for anything else.
std::vector<RewriteExample> read_trace_file(const std::filesystem::path& path);

// One line of JSON, without the line end.
std::string to_json_line(const RewriteExample& example);

}  // namespace nrs::data
