#pragma once
// Asks a Rewriter many formulas and keeps the score, level by level, for programs and for people.
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "eval/fault.h"
#include "eval/question.h"
#include "nrs/rewriter.h"

namespace nrs::eval {

// The paper's classes of errors. docs/evaluation.md defines them.
enum class ErrorClass { kMissing, kMalformed, kSolver, kOther };
constexpr auto enum_names(ErrorClass) {
  return std::to_array<EnumName<ErrorClass>>({
      {ErrorClass::kMissing, "missing"},
      {ErrorClass::kMalformed, "malformed"},
      {ErrorClass::kSolver, "solver"},
      {ErrorClass::kOther, "other"},
  });
}

// A formula that did not come to its value, with all that is known about why.
struct Failure {
  Question question;
  Result result;
  ErrorClass error = ErrorClass::kOther;
  std::optional<FirstFault> fault;
  // Whether it comes to its value with the oracle instead of a module; nothing if nobody knows the
  // domain, or there are no modules.
  std::optional<bool> right_with_oracle_selector;
  std::optional<bool> right_with_oracle_solver;
};

struct Tally {
  std::size_t formulas = 0;
  std::size_t answered = 0;  // ended by omega: the engine says that this is the value
  std::size_t correct = 0;
  std::array<std::size_t, 4> errors{};  // by ErrorClass; together they are formulas - correct

  void add(const Tally& other);
  std::size_t of(ErrorClass error) const { return errors[static_cast<std::size_t>(error)]; }
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

struct EvaluationWatch {
  std::function<bool()> stop;  // asked often, from several threads: end now?
  std::function<void(const Scores& so_far)> on_batch;      // after each batch
  std::function<void(const Failure& failure)> on_failure;  // in the order of the questions
};

// What is evaluated: the Rewriter for the formulas of a domain. A model has one for all.
using RewriterFor = std::function<const Rewriter&(const Domain* domain)>;

// Asks all the questions that `questions` hands to its argument. Formulas are answered in batches,
// so memory does not grow with their number; the scores depend neither on the batches nor on the
// threads, on several of which `rewriter` is asked.
using Questions = std::function<void(const TakeQuestion& take)>;
Scores evaluate(const RewriterFor& rewriter, int threads, const EvaluationWatch& watch,
                const Questions& questions);

// What was evaluated on what.
struct EvalSetting {
  std::string model;  // as it was given; empty: none
  std::string engine;
  std::string data;  // a file, or empty
  std::optional<std::uint64_t> seed;
  int threads = 1;
  double peak_rss_mb = 0;
};

// What is known of a model only by its file, add_origin() adds.
nlohmann::ordered_json to_json(const EvalSetting& setting, const Scores& scores);
// One row per level, with their total.
std::string to_table(const EvalSetting& setting, const Scores& scores);

// One failed derivation, for a line of a JSON-lines file.
nlohmann::ordered_json to_json(const Failure& failure);

// "99.98", cut and not rounded: "100" means all.
std::string show_percent(std::size_t part, std::size_t whole);

}  // namespace nrs::eval
