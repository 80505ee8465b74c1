#include "taught/explain_answer.h"

#include <map>
#include <string>

#include "nrs/error.h"
#include "taught/neighbourhoods.h"
#include "taught/replay.h"

namespace nrs::taught {
namespace {

using examples::Example;

class Explainer {
 public:
  Explainer(const Rewriter& rewriter, std::span<const Example> known)
      : rewriter_(rewriter), around_(rewriter, known) {
    for (const UsedLeaf& leaf : around_.leaves()) values_.emplace(leaf.leaf, leaf.value);
  }

  void explain(Example& example, examples::Kind kind) const {
    if (!example.complete || example.formulas.size() != 2 || !example.places.empty()) return;
    std::string question;
    try {
      question = rewriter_.canonical(example.formulas[0]);
    } catch (const Error&) {
      return;  // a new token, so nothing in it is known
    }
    const Result now = rewriter_.rewrite(question, {.leaves = Leaves::kLast, .keep_rounds = true});
    if (now.ok()) {
      const bool steps = kind == examples::Kind::kSteps && now.steps > 1;
      if (steps && same_formula(now.formula, example.formulas[1])) agree(question, now, example);
      return;
    }
    const std::vector<Span> tokens = around_.lexer().cut(question);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      for (std::size_t k = i; k < tokens.size(); ++k) {
        if (try_leaf(question, {tokens[i].begin, tokens[k].end}, example)) return;
      }
    }
  }

 private:
  // Whether the question comes to its answer if this is a leaf; the example then has all steps.
  bool try_leaf(const std::string& question, Span leaf, Example& example) const {
    const auto known = values_.find(leaf.of(question));
    if (known == values_.end()) return false;
    const std::string next = replace_part(question, leaf, known->second);
    const Result result = rewriter_.rewrite(next, {.leaves = Leaves::kLast, .keep_rounds = true});
    if (!result.ok() || !same_formula(result.formula, example.formulas[1])) return false;
    example.kind = examples::Kind::kSteps;
    example.formulas = {question};
    example.places = {{{leaf.begin, leaf.end, known->second}}};
    add_rest(next, result, example);
    return true;
  }

  // An answer that the model would have given speaks for all its steps.
  static void agree(const std::string& question, const Result& result, Example& example) {
    example.kind = examples::Kind::kSteps;
    example.formulas.clear();
    add_rest(question, result, example);
  }

  static void add_rest(const std::string& first, const Result& result, Example& example) {
    const std::vector<std::string> formulas = replay(first, result.record);
    for (std::size_t i = 0; i < formulas.size() && i < result.record.size(); ++i) {
      std::vector<examples::Place> places;
      for (const Attempt& attempt : result.record[i]) {
        if (!attempt.applied) continue;
        places.push_back({attempt.step.leaf.begin, attempt.step.leaf.end, attempt.step.value});
      }
      if (places.empty()) break;
      example.formulas.push_back(formulas[i]);
      example.places.push_back(std::move(places));
    }
    example.formulas.push_back(result.formula);
    example.places.emplace_back();
  }

  const Rewriter& rewriter_;
  Neighbourhoods around_;
  std::map<std::string, std::string, std::less<>> values_;  // of the leaves that were used
};

}  // namespace

std::vector<Example> explain_answers(const Rewriter& rewriter, std::span<const Example> known,
                                     std::vector<Example> answered, examples::Kind kind) {
  const Explainer explainer(rewriter, known);
  for (Example& example : answered) explainer.explain(example, kind);
  return answered;
}

}  // namespace nrs::taught
