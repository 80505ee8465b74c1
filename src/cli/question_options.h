#pragma once
// The options that say which formulas a model is asked.
#include <cstdint>
#include <string>

#include "cli/options.h"
#include "eval/question.h"

namespace nrs::cli {

struct QuestionOptions {
  std::string data;
  std::string domain;
  std::string nesting;
  std::string args;
  std::string space;  // empty: that of the verb
  std::size_t count = 100;
  std::uint64_t seed = 0;
};

void add_question_options(CLI::App& verb, QuestionOptions& options, const std::string& no_domain);

// Draws formulas of a domain, as asked for; of the `usual` space unless told otherwise. Throws
// Error (usage).
void generate(const Domain& domain, const QuestionOptions& options, FormulaSpace usual, int threads,
              const eval::TakeQuestion& take);

}  // namespace nrs::cli
