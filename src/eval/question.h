#pragma once
// The questions of an evaluation: formulas with the values that they should come to.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/distinct.h"
#include "nrs/domain.h"

namespace nrs::eval {

struct Question {
  const Domain* domain = nullptr;  // null: a rewriting system that we know only from examples
  std::string formula;             // in the form that the engines work on
  std::string value;
  int nesting = 0;
  std::optional<int> args;  // of the operators, if it is known
  std::size_t line = 0;     // in the data file; 0 if it was generated
};

// May throw to end the questions.
using TakeQuestion = std::function<void(Question&& question)>;

// Reads a CSV file with the columns X (or formula) and Y (or value), in order and in bounded
// memory. `nesting`, `num_operands` and `domain` are used if they are there; other columns are
// passed over. A formula is read by the domain that its row names, else by the first of `domains`
// that accepts it; with no domains at all the texts are taken as they are. Throws Error (input)
// with file and line at the first row that is bad.
void read_questions(const std::filesystem::path& path, std::span<const Domain* const> domains,
                    const TakeQuestion& take);

// Draws a level; returns how many formulas it has.
std::size_t generate_questions(const Domain& domain, const data::LevelRequest& request,
                               data::SeenTexts& seen, const TakeQuestion& take);

// Whether an answer is the value of a question: the same text, or the same in the domain's own
// form.
bool right_answer(const Question& question, const std::string& answer);

}  // namespace nrs::eval
