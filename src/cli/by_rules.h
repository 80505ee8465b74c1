#pragma once
// `nrs simplify --rules` and `nrs bench --rules`: what they do instead of running a model.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rewrite/rules/rule_rewriter.h"

namespace nrs::cli {

struct RuleRunOptions {
  std::string file;  // empty: a model is run
  std::string strategy = "innermost";
  std::string notation;  // empty: as the file says
  std::optional<std::size_t> max_steps;
  std::size_t max_megabytes = 4096;

  bool given() const { return !file.empty(); }
};

// Reads the file. Throws Error.
rewrite::rules::RuleRewriter rule_rewriter(const RuleRunOptions& options);

// How formulas are answered, and shown.
struct RuleAnswers {
  std::vector<std::string> formulas;  // none: those of the file, or else standard input; "-": that
  bool trace = false;
  bool json = false;
  int threads = 0;
};
// Returns the exit code.
int simplify_by_rules(const RuleRunOptions& options, const RuleAnswers& answers);

}  // namespace nrs::cli
