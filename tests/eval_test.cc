// Evaluation: scores, error classes, and the first step that went wrong.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "eval/evaluate.h"
#include "flawed_modules.h"
#include "nrs/error.h"
#include "property.h"
#include "temporary.h"

namespace nrs::eval {
namespace {

const Domain& arithmetic() {
  return find_domain("arithmetic");
}

Question question(const std::string& formula, const std::string& value) {
  return {&arithmetic(), formula, value, arithmetic().nesting(formula), 2, 0};
}

Scores evaluate_all(const Rewriter& rewriter, const std::vector<Question>& questions,
                    const EvaluationWatch& watch = {}, int threads = 1) {
  const auto any_domain = [&](const Domain*) -> const Rewriter& { return rewriter; };
  return evaluate(any_domain, threads, watch, [&](const TakeQuestion& take) {
    for (Question copy : questions) take(std::move(copy));
  });
}

// The one failure of one formula.
Failure failure_of(const Rewriter& subject, const Question& asked) {
  Failure found;
  EvaluationWatch watch;
  watch.on_failure = [&](const Failure& failure) { found = failure; };
  const Scores scores = evaluate_all(subject, {asked}, watch);
  EXPECT_EQ(scores.total().correct, 0u);
  EXPECT_EQ(scores.total().of(found.error), 1u);
  return found;
}

std::vector<Question> generated(int count) {
  std::vector<Question> questions;
  data::SeenTexts seen;
  for (int nesting = 1; nesting <= 4; ++nesting) {
    generate_questions(arithmetic(), {.nesting = nesting, .count = static_cast<std::size_t>(count)},
                       seen, [&](Question&& made) { questions.push_back(std::move(made)); });
  }
  return questions;
}

TEST(Evaluate, TheOracleGetsEverythingRight) {
  check_law("right, answered, final", [] {
    const AnyFormula any = any_formula();
    const std::vector<Question> questions(3, {any.domain, any.sample.formula, any.sample.value,
                                              any.shape.nesting, any.shape.args, 0});
    const Scores scores = evaluate_all(rewrite::OracleRewriter(*any.domain), questions);
    RC_ASSERT(scores.levels.size() == 1u);
    RC_ASSERT(scores.total().formulas == 3u);  // the same formula again is another question
    RC_ASSERT(scores.total().correct == 3u);
    RC_ASSERT(scores.total().answered == 3u);
    RC_ASSERT(scores.stops.at("final") == 3u);
  });
}

TEST(Evaluate, AWrongValueIsTheSolversFault) {
  const FlawedSolver solver(arithmetic(), [](std::string_view leaf, Solution& solution) {
    if (leaf == "(20*-1)") solution.value = "20";
  });
  const rewrite::OracleSelector exact(arithmetic());
  const rewrite::FastNrs subject(exact, solver);
  const Failure failure = failure_of(subject, question("((15+5)*(3-4))", "-20"));
  EXPECT_EQ(failure.error, ErrorClass::kSolver);
  ASSERT_TRUE(failure.fault);
  EXPECT_EQ(failure.fault->fault, Fault::kWrongValue);
  EXPECT_EQ(failure.fault->round, 1u);
  EXPECT_EQ(failure.fault->formula, "(20*-1)");
  EXPECT_EQ(failure.fault->value, "20");
  EXPECT_EQ(failure.fault->expected, "-20");
  EXPECT_EQ(failure.right_with_oracle_solver, true);
  EXPECT_EQ(failure.right_with_oracle_selector, false);
}

TEST(Evaluate, TheFirstOfSeveralFaultsIsNamed) {
  const FlawedSolver solver(arithmetic(), [](std::string_view leaf, Solution& solution) {
    if (leaf == "(3-4)") solution.value = "7";
    if (leaf == "(20*7)") solution.value = "1";
  });
  const rewrite::OracleSelector exact(arithmetic());
  const rewrite::FastNrs subject(exact, solver);
  const Failure failure = failure_of(subject, question("((15+5)*(3-4))", "-20"));
  ASSERT_TRUE(failure.fault);
  EXPECT_EQ(failure.fault->leaf(), "(3-4)");
  EXPECT_EQ(failure.fault->round, 0u);
}

TEST(Evaluate, APartThatIsNoLeafIsMalformed) {
  const FlawedSelector selector(arithmetic(),
                                [](std::string_view text, std::vector<SelectedLeaf>& leaves) {
                                  if (text == "(20*-1)")
                                    leaves = {{.span = {1, 3}}};  // the 20 alone
                                });
  const FlawedSolver solver(arithmetic(), [](std::string_view leaf, Solution& solution) {
    if (leaf == "20") solution = {.value = "2"};
  });
  const rewrite::FastNrs subject(selector, solver);
  const Failure failure = failure_of(subject, question("((15+5)*(3-4))", "-20"));
  EXPECT_EQ(failure.error, ErrorClass::kMalformed);
  ASSERT_TRUE(failure.fault);
  EXPECT_EQ(failure.fault->leaf(), "20");
  EXPECT_EQ(module_of(failure.fault->fault), "selector");
}

// The Selector only goes astray where a leaf was left standing, and with an exact Solver none is.
TEST(Evaluate, SwappingInTheOracleTellsWhoseFaultItIs) {
  const FlawedSelector selector(arithmetic(),
                                [](std::string_view text, std::vector<SelectedLeaf>& leaves) {
                                  if (text == "(20*(3-4))")
                                    leaves.insert(leaves.begin(), {.span = {0, 4}});
                                });
  const FlawedSolver solver(arithmetic(), [](std::string_view leaf, Solution& solution) {
    if (leaf == "(3-4)") solution.log_prob = -3;
    if (leaf == "(20*") solution = {.value = "(1*"};
  });
  const rewrite::FastNrs subject(selector, solver, -1);
  const Failure failure = failure_of(subject, question("((15+5)*(3-4))", "-20"));
  EXPECT_EQ(failure.right_with_oracle_solver, true);
  EXPECT_EQ(failure.right_with_oracle_selector, false);
  ASSERT_TRUE(failure.fault);
  EXPECT_EQ(failure.fault->fault, Fault::kUnsure);
  EXPECT_EQ(failure.fault->leaf(), "(3-4)");
  EXPECT_EQ(failure.fault->round, 0u);
  EXPECT_EQ(failure.error, ErrorClass::kOther);
}

TEST(Evaluate, AMissedLeafIsTheSelectorsFault) {
  const FlawedSelector selector(arithmetic(),
                                [](std::string_view text, std::vector<SelectedLeaf>& leaves) {
                                  if (text == "(20*-1)") leaves.clear();
                                });
  const rewrite::OracleSolver exact(arithmetic());
  const rewrite::FastNrs subject(selector, exact);
  const Failure failure = failure_of(subject, question("((15+5)*(3-4))", "-20"));
  EXPECT_EQ(failure.result.stop, Stop::kNoLeaf);
  EXPECT_EQ(failure.error, ErrorClass::kOther);
  ASSERT_TRUE(failure.fault);
  EXPECT_EQ(failure.fault->fault, Fault::kMissedLeaf);
  EXPECT_EQ(failure.right_with_oracle_selector, true);
}

TEST(Evaluate, UnsureOfTheRightValueIsNoWrongValue) {
  for (const bool right : {true, false}) {
    const FlawedSolver solver(arithmetic(), [&](std::string_view leaf, Solution& solution) {
      if (leaf != "(20*-1)") return;
      solution.log_prob = -3;
      if (!right) solution.value = "5";
    });
    const rewrite::OracleSelector exact(arithmetic());
    const rewrite::FastNrs subject(exact, solver, -1);
    const Failure failure = failure_of(subject, question("((15+5)*(3-4))", "-20"));
    EXPECT_EQ(failure.result.stop, Stop::kLowConfidence);
    EXPECT_EQ(failure.error, right ? ErrorClass::kOther : ErrorClass::kSolver);
    ASSERT_TRUE(failure.fault);
    EXPECT_EQ(failure.fault->fault, right ? Fault::kUnsure : Fault::kWrongValue);
    EXPECT_EQ(failure.fault->log_prob, -3);
  }
}

TEST(Evaluate, OmegaTooEarlyIsAWrongValue) {
  const FlawedSolver solver(arithmetic(), [](std::string_view leaf, Solution& solution) {
    if (leaf == "(20*-1)") solution = {.value = {}, .omega = true};
  });
  const rewrite::OracleSelector exact(arithmetic());
  const rewrite::FastNrs subject(exact, solver);
  const Failure failure = failure_of(subject, question("((15+5)*(3-4))", "-20"));
  EXPECT_EQ(failure.result.stop, Stop::kFinal);
  EXPECT_EQ(failure.error, ErrorClass::kSolver);
  const auto json = to_json(failure);
  EXPECT_EQ(json["fault"]["value"], "omega");
  EXPECT_EQ(json["fault"]["expected"], "-20");
  EXPECT_EQ(json["right_with"]["oracle_solver"], true);
}

TEST(Evaluate, ALeafThatIsNotInTheFormulaIsMissing) {
  const FlawedWriter writer(arithmetic(), [](const std::string& formula, std::string& written) {
    if (formula == "((15+5)*-1)") written = "(15+4)";
  });
  const rewrite::OracleSolver exact(arithmetic());
  const rewrite::Nrs subject(writer, exact);
  const Failure failure = failure_of(subject, question("((15+5)*(3-4))", "-20"));
  EXPECT_EQ(failure.result.stop, Stop::kMissing);
  EXPECT_EQ(failure.error, ErrorClass::kMissing);
  ASSERT_TRUE(failure.fault);
  EXPECT_EQ(failure.fault->round, 1u);
  EXPECT_EQ(failure.fault->leaf(), "(15+5)");
  EXPECT_EQ(failure.fault->written, "(15+4)");
  EXPECT_EQ(failure.right_with_oracle_selector, true);
  EXPECT_EQ(failure.right_with_oracle_solver, false);
}

TEST(Evaluate, AWriterIsRightWithoutFaults) {
  const FlawedWriter writer(arithmetic(), [](const std::string&, std::string&) {});
  const rewrite::OracleSolver exact(arithmetic());
  const rewrite::Nrs subject(writer, exact);
  EXPECT_EQ(evaluate_all(subject, generated(50)).total().correct, 200u);
}

TEST(Evaluate, AWrongValueInTheDataIsNobodysFault) {
  const Failure failure =
      failure_of(rewrite::OracleRewriter(arithmetic()), question("((15+5)*(3-4))", "20"));
  EXPECT_EQ(failure.error, ErrorClass::kOther);
  ASSERT_TRUE(failure.fault);
  EXPECT_EQ(module_of(failure.fault->fault), "data");
}

TEST(Evaluate, ScoresDoNotDependOnThreads) {
  const FlawedSolver solver(arithmetic(), [](std::string_view leaf, Solution& solution) {
    if (leaf.find("+1") != std::string_view::npos) solution.value = "3";
    if (leaf.find("*2") != std::string_view::npos) solution.log_prob = -5;
  });
  const rewrite::OracleSelector exact(arithmetic());
  const rewrite::FastNrs subject(exact, solver, -1);
  const std::vector<Question> questions = generated(700);
  const auto run = [&](int threads) {
    std::string lines;
    EvaluationWatch watch;
    watch.on_failure = [&](const Failure& failure) { lines += to_json(failure).dump() + "\n"; };
    Scores scores = evaluate_all(subject, questions, watch, threads);
    scores.seconds = scores.cpu_seconds = 0;
    return std::pair(to_json(EvalSetting{}, scores).dump(), lines);
  };
  const auto alone = run(1);
  EXPECT_EQ(alone, run(3));
  const auto json = nlohmann::json::parse(alone.first);
  EXPECT_EQ(json["formulas"], questions.size());
  EXPECT_GT(json["solver"], 0);
  EXPECT_GT(json["other"], 0);
  EXPECT_EQ(json["correct"].get<std::size_t>() + json["solver"].get<std::size_t>() +
                json["other"].get<std::size_t>() + json["malformed"].get<std::size_t>(),
            questions.size());
  // An answer that is given without being right is told apart from one that is not given.
  EXPECT_LT(json["answered"], questions.size());
  EXPECT_LT(json["selective_accuracy"], 1.0);
  EXPECT_GT(json["selective_accuracy"], json["accuracy"]);
}

TEST(Evaluate, AnInterruptLeavesTheScoresSoFar) {
  int asked = 0;
  EvaluationWatch watch;
  watch.stop = [&] { return ++asked > 1; };
  Scores scores = evaluate_all(rewrite::OracleRewriter(arithmetic()), generated(700), watch);
  EXPECT_TRUE(scores.interrupted);
  // One piece of the first batch, and no more.
  EXPECT_EQ(scores.total().formulas, 64u);
  EXPECT_EQ(scores.total().correct, 64u);
  EXPECT_NE(to_table({}, scores).find("interrupted"), std::string::npos);

  // Too late to change anything.
  watch.stop = nullptr;
  watch.on_batch = [&](const Scores&) { watch.stop = [] { return true; }; };
  scores = evaluate_all(rewrite::OracleRewriter(arithmetic()), generated(10), watch);
  EXPECT_FALSE(scores.interrupted);
  EXPECT_EQ(scores.total().formulas, 40u);
}

TEST(Evaluate, WithoutADomainTextsAreComparedAsTheyAre) {
  const FlawedSolver solver(arithmetic(), [](std::string_view, Solution&) {});
  const rewrite::OracleSelector selector(arithmetic());
  const rewrite::FastNrs subject(selector, solver);
  Question known = question("(1+2)", "3");
  known.domain = nullptr;
  Question wrong = known;
  wrong.value = "+3";
  Failure failure;
  EvaluationWatch watch;
  watch.on_failure = [&](const Failure& found) { failure = found; };
  const Scores scores = evaluate_all(subject, {known, wrong}, watch);
  EXPECT_EQ(scores.total().correct, 1u);
  EXPECT_EQ(failure.error, ErrorClass::kOther);
  EXPECT_FALSE(failure.fault);
  EXPECT_FALSE(failure.right_with_oracle_solver);
}

TEST(Report, PercentIsCutNotRounded) {
  EXPECT_EQ(show_percent(1, 3), "33.33");
  EXPECT_EQ(show_percent(2, 3), "66.66");
  EXPECT_EQ(show_percent(999'999, 1'000'000), "99.99");
  EXPECT_EQ(show_percent(1'000'000, 1'000'000), "100");
  EXPECT_EQ(show_percent(0, 0), "-");
}

TEST(Report, TheTableHasAColumnForWhatDiffers) {
  Scores scores;
  Tally tally;
  tally.formulas = 10;
  tally.answered = 9;
  tally.correct = 8;
  tally.errors = {0, 0, 1, 1};
  scores.levels[{"listops", 1, 2}] = tally;
  scores.levels[{"listops", 1, 3}] = tally;
  const std::string table = to_table({}, scores);
  EXPECT_EQ(table.substr(0, table.find('\n')),
            "nesting  args  formulas  right      %  answered  right of answered  missing  malformed"
            "  solver  other");
  EXPECT_NE(table.find("  total              20     16  80.00        18            88.88 %"),
            std::string::npos)
      << table;
}

class QuestionFile : public TemporaryFolder {
 protected:
  std::vector<Question> read(std::string_view text,
                             std::vector<const Domain*> domains = {&find_domain("arithmetic")}) {
    std::vector<Question> questions;
    read_questions(write("data.csv", text), domains,
                   [&](Question&& read) { questions.push_back(std::move(read)); });
    return questions;
  }
  std::string fault(std::string_view text) {
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      const std::string message = error.what();
      return message.substr(message.find("data.csv"));
    }
    return "no error";
  }
};

TEST_F(QuestionFile, TakesWhatSpreadsheetsWrite) {
  const auto questions =
      read("\xef\xbb\xbfid,X,Y,remark\r\n7,\"( 1 + 2 )\",3,\"a, b\"\r\n\r\n8,5,5,\r\n");
  ASSERT_EQ(questions.size(), 2u);
  EXPECT_EQ(questions[0].formula, "(1+2)");
  EXPECT_EQ(questions[0].nesting, 1);
  EXPECT_EQ(questions[0].args, 2);
  EXPECT_EQ(questions[1].nesting, 0);
  EXPECT_EQ(questions[1].args, std::nullopt);
  EXPECT_EQ(questions[1].line, 4u);
}

TEST_F(QuestionFile, UsesTheColumnsOfADataSet) {
  const auto all = std::vector<const Domain*>(all_domains().begin(), all_domains().end());
  const auto questions = read(
      "X,Y,nesting,num_operands,extra,domain,weight\n"
      "[SM55],0,1,2,no,listops,0.5\n"
      "(x OR True),True,1,2,no,logic,0.5\n",
      all);
  ASSERT_EQ(questions.size(), 2u);
  EXPECT_EQ(questions[0].domain->name(), "listops");
  EXPECT_EQ(questions[1].formula, "(x|T)");
  EXPECT_EQ(questions[1].value, "T");
}

TEST_F(QuestionFile, ABadRowIsToldWithItsLine) {
  EXPECT_EQ(fault("X,Y\n(1+2),3\n(1+$),3\n"), "data.csv:3, column 4: unknown character: '$'");
  EXPECT_EQ(fault("X,Y\n(1+2)\n"), "data.csv:2: 1 fields, but the header has 2");
  EXPECT_EQ(fault("X,Y\n(1+2),(1+2)\n"), "data.csv:2: the value '(1+2)' is not final");
  EXPECT_EQ(fault("X,Y\n(1+2),\n"), "data.csv:2: the value is empty");
  EXPECT_EQ(fault("X,Y\n,3\n"), "data.csv:2: the formula is empty");
  EXPECT_EQ(fault("X,Y\n(1+2),$\n").substr(0, 26), "data.csv:2, value, column ");
  EXPECT_EQ(fault("X,Y,nesting\n(1+2),3,deep\n"), "data.csv:2: 'deep' is not a nesting");
  EXPECT_EQ(fault("X,Y,nesting\n(1+2),3,-1\n"), "data.csv:2: '-1' is not a nesting");
  EXPECT_EQ(fault("X,Z\n(1+2),3\n"), "data.csv:1: no column 'Y' or 'value'");
  EXPECT_EQ(fault(""), "data.csv:1: the header line is missing");
}

TEST_F(QuestionFile, AnotherSystemIsTakenAsItIs) {
  const auto questions = read("formula,value\n{a {b c}},zz\n", {});
  ASSERT_EQ(questions.size(), 1u);
  EXPECT_EQ(questions[0].formula, "{a {b c}}");
  EXPECT_EQ(questions[0].nesting, 2);
  EXPECT_EQ(questions[0].domain, nullptr);
}

TEST(Answer, TheOrderOfVariablesDoesNotCount) {
  const Question asked{&find_domain("algebra"), "(+x*y-x*y)", "+0*x*y", 1, 2, 0};
  EXPECT_TRUE(right_answer(asked, "+0*x*y"));
  EXPECT_TRUE(right_answer(asked, "+0*y*x"));
  EXPECT_FALSE(right_answer(asked, "+0*x"));
  EXPECT_FALSE(right_answer(asked, "(+0*x*y"));
  EXPECT_FALSE(right_answer(asked, ""));
}

}  // namespace
}  // namespace nrs::eval
