#pragma once
// Asks a Rewriter many formulas and keeps the score.
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "eval/fault.h"
#include "eval/question.h"
#include "eval/tally.h"
#include "nrs/rewriter.h"

namespace nrs::eval {

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

}  // namespace nrs::eval
