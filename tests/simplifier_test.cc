// The library as other programs use it (nrs/nrs.h).
#include <gtest/gtest.h>

#include <limits>

#include "base/rng.h"
#include "nrs/nrs.h"
#include "random_model.h"
#include "temporary.h"

namespace nrs {
namespace {

const std::string kFlatAlphabet = "+-01x";  // no brackets: no rewrite can break them

// A model with random weights that is never too unsure: it rewrites a lot, if not to the point.
class SimplifierTest : public TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    nn::SelectorConfig selector;
    selector.encoder = {
        .dim = 8, .heads = 2, .positions = nn::Positions::kNone, .dilations = {1, 2}};
    nn::SolverConfig solver;
    solver.encoder.dim = 8;
    solver.encoder.heads = 2;
    model::Model model;
    model.name = "random";
    model.modules["selector"] = model::to_module(random_selector(selector, kFlatAlphabet, 5));
    model.modules["solver"] = model::to_module(random_solver(solver, kFlatAlphabet, 6));
    change_solver(model, [](model::SolverModel& made) { made.min_log_prob = -100; });
    model::save_model(path(), model);
    Rng rng(7);
    for (int i = 0; i < 1500; ++i)
      formulas.push_back(random_text(1 + rng.below(40), kFlatAlphabet, rng));
  }

  std::filesystem::path path() const { return folder / "random.nrs"; }

  std::vector<std::string> formulas;
};

void expect_same(const Answer& a, const Answer& b) {
  EXPECT_EQ(a.formula, b.formula);
  EXPECT_EQ(a.stop, b.stop);
  EXPECT_EQ(a.steps.size(), b.steps.size());
}

TEST_F(SimplifierTest, ManyHaveTheAnswersOfEachAloneWithAnyNumberOfThreads) {
  const Simplifier one(path(), {.steps = true});
  const Simplifier three(path(), {.steps = true, .threads = 3});
  const std::vector<Answer> together = one.simplify(formulas);
  const std::vector<Answer> threaded = three.simplify(formulas);
  ASSERT_EQ(together.size(), formulas.size());
  ASSERT_EQ(threaded.size(), formulas.size());
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    expect_same(threaded[i], together[i]);
    if (i % 10 == 0) expect_same(one.simplify(formulas[i]), together[i]);
  }
}

TEST_F(SimplifierTest, TheStepsLeadFromTheFormulaToTheAnswer) {
  const Simplifier simplifier(path(), {.steps = true});
  std::size_t count = 0;
  for (const std::string& formula : formulas) {
    const Answer answer = simplifier.simplify(formula);
    std::string now = formula;
    std::vector<Step> round;
    for (std::size_t i = 0; i < answer.steps.size(); ++i) {
      const Rewrite& step = answer.steps[i];
      ASSERT_EQ(step.span.of(now), step.leaf);
      ASSERT_LE(step.solver_log_prob, 0);
      round.push_back({step.span, step.value});
      if (i + 1 < answer.steps.size() && answer.steps[i + 1].round == step.round) continue;
      now = combine(now, round);
      round.clear();
    }
    ASSERT_EQ(now, answer.formula);
    count += answer.steps.size();
  }
  EXPECT_GT(count, 100u);
}

TEST_F(SimplifierTest, WithoutBeingAskedItKeepsNoSteps) {
  const Simplifier simplifier(path());
  for (const Answer& answer : simplifier.simplify(formulas)) EXPECT_TRUE(answer.steps.empty());
}

TEST_F(SimplifierTest, TheCallerCanBeStricterThanTheModel) {
  EXPECT_EQ(Simplifier(path()).min_log_prob(), -100);
  const Simplifier strict(path(), {.min_log_prob = std::numeric_limits<double>::infinity()});
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    const Answer answer = strict.simplify(formulas[i]);
    EXPECT_FALSE(answer.ok());
    EXPECT_EQ(answer.formula, formulas[i]);
  }
}

TEST_F(SimplifierTest, BadInputIsAnErrorWithItsPlace) {
  const Simplifier simplifier(path());
  EXPECT_EQ(simplifier.model_name(), "random");
  const auto line = [](const auto& call) {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(line([&] { simplifier.simplify("1+2"); }),
            "column 3: '2' is not a token of this model");
  EXPECT_EQ(line([&] { simplifier.simplify(""); }), "column 1: the formula is empty");
  const std::vector<std::string> some = {"1", "1+2"};
  EXPECT_EQ(line([&] { simplifier.simplify(some); }),
            "formula 2, column 3: '2' is not a token of this model");
  EXPECT_EQ(line([&] { simplifier.check("1"); }), "no error");
  EXPECT_TRUE(simplifier.simplify(std::vector<std::string>()).empty());
  EXPECT_THROW(Simplifier(folder / "absent.nrs"), Error);
}

}  // namespace
}  // namespace nrs
