#pragma once
// Modules that are right but for one known fault: what evaluation has to find.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "nrs/domain.h"
#include "nrs/modules.h"
#include "rewrite/oracle.h"

namespace nrs {

// An oracle whose answers a function may change.
class FlawedSolver : public Solver {
 public:
  using Change = std::function<void(std::string_view leaf, Solution& solution)>;
  FlawedSolver(const Domain& domain, Change change) : exact_(domain), change_(std::move(change)) {}

  std::vector<Solution> solve(std::span<const std::string_view> leaves) const override {
    std::vector<Solution> solutions = exact_.solve(leaves);
    for (std::size_t i = 0; i < leaves.size(); ++i) change_(leaves[i], solutions[i]);
    return solutions;
  }

 private:
  rewrite::OracleSolver exact_;
  Change change_;
};

class FlawedSelector : public Selector {
 public:
  using Change = std::function<void(std::string_view text, std::vector<SelectedLeaf>& leaves)>;
  FlawedSelector(const Domain& domain, Change change)
      : exact_(domain), change_(std::move(change)) {}

  std::vector<std::vector<SelectedLeaf>> select(
      std::span<const Fragment> fragments) const override {
    std::vector<std::vector<SelectedLeaf>> found = exact_.select(fragments);
    for (std::size_t i = 0; i < found.size(); ++i) change_(fragments[i].text, found[i]);
    return found;
  }
  std::size_t reach() const override { return exact_.reach(); }

 private:
  rewrite::OracleSelector exact_;
  Change change_;
};

// Writes the last leaf, as exactly as the oracle finds it; what is written may be changed.
class FlawedWriter : public LeafWriter {
 public:
  using Change = std::function<void(const std::string& formula, std::string& written)>;
  FlawedWriter(const Domain& domain, Change change) : domain_(domain), change_(std::move(change)) {}

  std::unique_ptr<Draft> begin(std::string_view formula) const override {
    return std::make_unique<TextDraft>(formula);
  }
  std::vector<std::vector<LeafCandidate>> write(std::span<Draft* const> drafts) const override {
    std::vector<std::vector<LeafCandidate>> all;
    for (const Draft* draft : drafts) all.push_back({candidate(draft->formula())});
    return all;
  }

 private:
  class TextDraft : public Draft {
   public:
    explicit TextDraft(std::string_view formula) : formula_(formula) {}
    const std::string& formula() const override { return formula_; }
    void replace(Span span, std::string_view value) override {
      formula_.replace(span.begin, span.size(), value);
    }

   private:
    std::string formula_;
  };

  LeafCandidate candidate(const std::string& formula) const {
    const std::vector<Span> leaves = domain_.leaves(formula);
    std::string text = leaves.empty() ? formula : std::string(leaves.back().of(formula));
    change_(formula, text);
    const std::size_t at = formula.rfind(text);
    const bool there = at != std::string::npos;
    return {.text = text,
            .agreement = there ? 1.0 : 0.5,
            .place = there ? Span{at, at + text.size()} : Span{}};
  }

  const Domain& domain_;
  Change change_;
};

}  // namespace nrs
