#pragma once
// Simplifies formulas with a trained model.
//
//   const nrs::Simplifier simplifier("arithmetic.nrs");
//   const nrs::Answer answer = simplifier.simplify("((15+5)*(3-4))");
//   if (answer.ok()) std::cout << answer.formula << "\n";  // -20
//
// A program needs only this header and the three small ones that it includes. They use only types
// of the standard library. Bad input and bad files throw nrs::Error. A model that makes a mistake
// or is not sure does not throw: the answer then has a stop reason.
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nrs/error.h"
#include "nrs/formula.h"
#include "nrs/stop.h"

namespace nrs {

struct SimplifierOptions {
  bool steps = false;  // keep every rewrite, in Answer::steps
  int threads = 1;     // per call; 0: all cores. More than one helps with many or long formulas
  // A value of lower log-probability is not used. Unset: the threshold of the model, which was
  // calibrated when it was trained. Higher means fewer answers, and fewer wrong ones.
  std::optional<double> min_log_prob = std::nullopt;
};

// One leaf that was replaced by its value.
struct Rewrite {
  std::size_t round = 0;  // from 0; the leaves of one round are replaced together
  Span span;              // of the leaf, in bytes of the formula as it stood before the round
  std::string leaf;
  std::string value;
  double selector_log_prob = 0;  // how sure the model is that this is a leaf
  double solver_log_prob = 0;    // and that this is its value
  Origin origin{};               // what gave the value
};

struct Answer {
  std::string formula;  // the normal form if ok(), else the last formula reached
  Stop stop = Stop::kStepLimit;
  std::vector<Rewrite> steps;  // empty unless asked for
  std::optional<Error> error;  // of a bad formula, which has no answer: simplify_each()

  bool ok() const { return !error && stop == Stop::kFinal; }
};

// A model that has been loaded. Const after construction; simplify() may be called from several
// threads at once. Law: the answer to a formula depends neither on other calls or formulas nor on
// the number of threads.
class Simplifier {
 public:
  // Reads a model file. Throws Error (I/O), or Error (input) if it is not a complete model.
  explicit Simplifier(const std::filesystem::path& model, SimplifierOptions options = {});
  ~Simplifier();
  Simplifier(Simplifier&&) noexcept;
  Simplifier& operator=(Simplifier&&) noexcept;

  // A formula is in the notation that the model was trained with. Throws Error (input) with the
  // offset of a character that the model does not know.
  Answer simplify(std::string_view formula) const;
  // Many formulas in one call are faster than one call each. The answers are in the same order. If
  // any formula is bad, an Error names the first one and there are no answers.
  std::vector<Answer> simplify(std::span<const std::string> formulas) const;

  // The same, but a bad formula does not keep the others from being answered: its own answer has
  // the error.
  std::vector<Answer> simplify_each(std::span<const std::string> formulas) const;

  // Throws what simplify() would throw.
  void check(std::string_view formula) const;

  // The name in the model file, and the log-probability below which a value is not used.
  const std::string& model_name() const;
  double min_log_prob() const;

 private:
  struct Loaded;
  std::unique_ptr<Loaded> loaded_;
};

}  // namespace nrs
