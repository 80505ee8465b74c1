#pragma once
// Rewriters that consist of two modules: one finds leaves, the Solver gives them their values. Both
// architectures of the paper are such, and so is the oracle.
#include <optional>
#include <span>
#include <vector>

#include "nrs/modules.h"
#include "nrs/rewriter.h"
#include "rewrite/habits.h"

namespace nrs::rewrite {

// Law: with exact modules every formula reaches its value, whichever leaves are taken first. The
// cost of a run grows with the length of the formula plus the number of rewrites, not with their
// product, as long as reach() is bounded.
class ModularRewriter : public Rewriter {
 public:
  using Formulas = std::span<const std::string_view>;

  // What the first module finds in a formula as it stands.
  struct Found {
    std::vector<Span> leaves;
    double log_prob = 0;  // of all of them together
  };

  // The modules must outlive this.
  explicit ModularRewriter(const Solver& solver, std::optional<double> threshold = {})
      : solver_(solver), threshold_(threshold) {}

  std::vector<Result> run(Formulas formulas, const RunOptions& options) const override {
    return run_with(solver_, formulas, options);
  }
  std::optional<double> threshold() const override { return threshold_; }
  const ModularRewriter* modular() const override { return this; }

  const Solver& solver() const { return solver_; }
  virtual std::vector<Found> find(Formulas formulas) const = 0;
  // Whether find() means to find every leaf or the last one only.
  virtual Leaves wanted() const = 0;
  // As Selector::reach().
  virtual std::size_t reach() const = 0;

  // The same with another module instead of its own.
  virtual std::vector<Result> run_with(const Solver& solver, Formulas formulas,
                                       const RunOptions& options) const = 0;
  std::vector<Result> run_with(const Selector& selector, Formulas formulas,
                               const RunOptions& options) const;

 protected:
  RunOptions calibrated(const RunOptions& options) const;

 private:
  const Solver& solver_;
  std::optional<double> threshold_;
};

// FastNRS: a Selector marks all leaves at once. RunOptions::leaves says which of them are taken.
class FastNrs : public ModularRewriter {
 public:
  FastNrs(const Selector& selector, const Solver& solver, std::optional<double> threshold = {},
          const Habits& habits = {})
      : ModularRewriter(solver, threshold), selector_(selector), habits_(habits) {}

  using ModularRewriter::run_with;
  std::vector<Result> run_with(const Solver& solver, Formulas formulas,
                               const RunOptions& options) const override;
  std::vector<Found> find(Formulas formulas) const override;
  Leaves wanted() const override { return Leaves::kAll; }
  std::size_t reach() const override { return selector_.reach(); }

 private:
  const Selector& selector_;
  Habits habits_;
};

// NRS: one leaf, the last one, is written, found and rewritten at a time.
class Nrs : public ModularRewriter {
 public:
  Nrs(const LeafWriter& writer, const Solver& solver, std::optional<double> threshold = {})
      : ModularRewriter(solver, threshold), writer_(writer) {}

  using ModularRewriter::run_with;
  std::vector<Result> run_with(const Solver& solver, Formulas formulas,
                               const RunOptions& options) const override;
  std::vector<Found> find(Formulas formulas) const override;
  Leaves wanted() const override { return Leaves::kLast; }
  std::size_t reach() const override { return Selector::kUnbounded; }

 private:
  const LeafWriter& writer_;
};

}  // namespace nrs::rewrite
