#pragma once
// How many formulas came to their value, and what went wrong with the others, level by level.
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "eval/fault.h"
#include "eval/question.h"

namespace nrs::eval {

// The paper's classes of errors. docs/evaluation.md defines them.
enum class ErrorClass { kMissing, kMalformed, kSolver, kOther };

std::string_view name_of(ErrorClass error);

// Of a derivation that did not end in the value. Without a fault (nobody knows the domain, or the
// derivation is too long) the class is told from the way it stopped.
ErrorClass classify(const Result& result, const std::optional<FirstFault>& fault);

struct Tally {
  std::size_t formulas = 0;
  std::size_t answered = 0;  // ended by omega: the engine says that this is the value
  std::size_t correct = 0;
  std::array<std::size_t, 4> errors{};  // by ErrorClass; together they are formulas - correct

  void add(const Tally& other);
  std::size_t of(ErrorClass error) const { return errors[static_cast<std::size_t>(error)]; }
  double accuracy() const { return share(correct, formulas); }
  // Of the answers that were given, how many are right.
  double selective_accuracy() const { return share(correct, answered); }

 private:
  static double share(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

struct Level {
  std::string domain;  // empty: not known
  int nesting = 0;
  std::optional<int> args;

  auto operator<=>(const Level&) const = default;
};

Level level_of(const Question& question);

struct Scores {
  std::map<Level, Tally> levels;
  std::map<std::string_view, std::size_t> stops;  // by reason
  double seconds = 0;                             // of the engine, by the clock on the wall
  double cpu_seconds = 0;                         // of the processor, all threads added up
  bool interrupted = false;                       // not all questions were asked

  Tally total() const;
};

}  // namespace nrs::eval
