#pragma once
// Reading and writing rule files. docs/rule-files.md describes the formats.
//
// The readers are strict: every fault is an Error of one line with file, line and column and, where
// there is something to say, a hint.
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "term/rule.h"

namespace nrs::term {

enum class RuleFormat {
  kText,  // our own: one `l -> r` a line
  kAri,   // (format TRS) (fun f 2) (rule l r); also MSTRS, with sorts
  kTrs,   // (VAR x) (RULES l -> r)
  kRec,   // REC-SPEC ... END-SPEC, with sorts, conditions and terms to evaluate
};
constexpr auto enum_names(RuleFormat) {
  return std::to_array<EnumName<RuleFormat>>({
      {RuleFormat::kText, "text"},
      {RuleFormat::kAri, "ari"},
      {RuleFormat::kTrs, "trs"},
      {RuleFormat::kRec, "rec"},
  });
}
// By the extension of the name, .ari, .trs or .rec; everything else is text.
RuleFormat rule_format_of_file(const std::filesystem::path& path);

// Throws Error. The files that a REC file includes are looked for beside it.
RuleSet read_rule_file(const std::filesystem::path& path);

// A rule file that is already in memory. `name` goes in front of errors; REC includes are looked
// for in `folder`, or refused if it is empty.
RuleSet read_rules(std::string_view text, RuleFormat format, const std::string& name,
                   const std::filesystem::path& folder = {});

}  // namespace nrs::term
