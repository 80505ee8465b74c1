// What a taught model keeps, how it does on examples, and what it would ask.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "nrs/error.h"
#include "taught/explain_answer.h"
#include "taught/kept_examples.h"
#include "taught/open_questions.h"
#include "taught/replay.h"
#include "taught/rest.h"
#include "taught/verify_taught.h"

namespace nrs::taught {
namespace {

using examples::Example;
using examples::Kind;

// Booleans in words: rewrites the first leaf of a table whose neighbour on the left is allowed.
class Words : public Rewriter {
 public:
  std::map<std::string, std::string> table{
      {"not True", "False"}, {"not False", "True"}, {"( True )", "True"}, {"( False )", "False"}};
  std::set<std::string> left{"<start>", "("};  // of a leaf

  void check(std::string_view formula) const override {
    if (formula.find('?') != std::string_view::npos) throw Error(ErrorKind::kInput, "unknown: ?");
  }
  std::vector<Result> run(std::span<const std::string_view> formulas,
                          const RunOptions& options) const override {
    std::vector<Result> results;
    for (const std::string_view formula : formulas) results.push_back(one(formula, options));
    return results;
  }

 private:
  Result one(std::string_view formula, const RunOptions& options) const {
    Result result;
    result.formula = formula;
    while (const std::optional<Step> step = next(result.formula)) {
      const Step steps[] = {*step};
      if (options.keep_rounds) result.record.push_back({Attempt{.step = *step, .applied = true}});
      result.formula = combine(result.formula, steps);
      ++result.steps;
    }
    const bool final = result.formula == "True" || result.formula == "False";
    result.stop = final ? Stop::kFinal : Stop::kNoLeaf;
    return result;
  }

  std::optional<Step> next(const std::string& formula) const {
    std::optional<Step> first;
    for (const auto& [leaf, value] : table) {
      for (std::size_t at = formula.find(leaf); at != std::string::npos;
           at = formula.find(leaf, at + 1)) {
        const std::size_t blank = at < 2 ? std::string::npos : formula.rfind(' ', at - 2);
        const std::string before =
            at == 0 ? "<start>" : formula.substr(blank + 1, at - 1 - (blank + 1));
        if (!left.contains(before) || (first && first->leaf.begin < at)) continue;
        first = Step{{at, at + leaf.size()}, value};
      }
    }
    return first;
  }
};

Example chain(std::vector<std::string> formulas, Kind kind = Kind::kSteps) {
  static std::uint32_t line = 0;
  return {.line = ++line, .kind = kind, .formulas = std::move(formulas)};
}

std::vector<Example> some() {
  return {chain({"not True", "False"}),
          chain({"not False", "True"}),
          chain({"( True )", "True"}),
          chain({"( not True )", "( False )", "False"}),
          chain({"( ( False ) )", "( False )", "False"}),
          chain({"True"})};
}

TEST(KeptExamples, AreTheSameAgain) {
  Example placed{.line = 7, .complete = false, .all_places = true, .formulas = {"a\"b⊤"}};
  placed.places = {{{1, 2, "\\x"}, {2, 3, ""}}};
  Example terms = chain({"f(g(x))", "f(x)"});
  terms.positions = {"1"};
  const KeptExamples kept{.examples = {placed, terms, chain({"1+2", "3"}, Kind::kAnswer)},
                          .kind = Kind::kAnswer,
                          .left_out = 3,
                          .lines = 12};
  model::Model model;
  EXPECT_FALSE(kept_examples(model));
  keep_examples(model, kept);
  EXPECT_EQ(require_examples(model), kept);
}

TEST(KeptExamples, LeavesTheLongestOut) {
  KeptExamples kept{.examples = {chain({std::string(200, 'x'), "y"}), chain({"a", "b"})}};
  model::Model model;
  keep_examples(model, kept, /*most_bytes=*/100);
  kept.examples.erase(kept.examples.begin());
  kept.left_out = 1;
  EXPECT_EQ(require_examples(model), kept);
}

TEST(KeptExamples, RefusesWhatIsDamaged) {
  model::Model model;
  EXPECT_THROW(require_examples(model), Error);
  keep_examples(model, {.examples = {chain({"a", "b"})}});
  std::string& bytes = model.modules.at(std::string(kExamplesModule)).tables.begin()->second.bytes;
  bytes[0] = 'x';
  EXPECT_THROW(require_examples(model), Error);
  bytes = "{\"line\":1,\"formulas\":[]}\n";
  EXPECT_THROW(require_examples(model), Error);
}

Replay replay_of(const Rewriter& rewriter, const Example& example) {
  Replay replay = replay_examples(rewriter, {&example, 1}).front();
  replay.example = nullptr;
  return replay;
}

TEST(Replay, TellsRightFromWrongAndRefused) {
  const Words words;
  EXPECT_EQ(replay_of(words, chain({"( not True )", "( False )", "False"})).verdict,
            Verdict::kRight);
  EXPECT_EQ(replay_of(words, chain({"True"})).verdict, Verdict::kRight);
  const Replay stuck = replay_of(words, chain({"not not True", "not False", "True"}));
  EXPECT_EQ(stuck.verdict, Verdict::kRefused);
  EXPECT_EQ(stuck.blame, Blame::kLeaf);
  EXPECT_EQ(replay_of(words, chain({"?", "True"})).blame, Blame::kUnread);
}

TEST(Replay, SaysWhetherLeafOrValueIsWrong) {
  Words words;
  words.table["not True"] = "True";
  const Replay value = replay_of(words, chain({"( not True )", "( False )", "False"}));
  EXPECT_EQ(value.verdict, Verdict::kWrong);
  EXPECT_EQ(value.blame, Blame::kValue);
  EXPECT_EQ(value.formula, "( not True )");
  EXPECT_EQ(value.what, "'not True' became 'True', in the example 'False'");
  words = {};
  words.table["False and False"] = "False";
  words.table["True or"] = "False and";  // takes a part of a leaf
  const Replay leaf = replay_of(words, chain({"True or False", "True"}));
  EXPECT_EQ(leaf.blame, Blame::kLeaf);
  EXPECT_EQ(replay_of(words, chain({"True or False", "True"}, Kind::kAnswer)).blame,
            Blame::kUntold);
}

TEST(Replay, ComparesStatedPlaces) {
  const Words words;
  Example example{.complete = false, .formulas = {"( not True )"}};
  example.places = {{{2, 10, "False"}}};
  EXPECT_EQ(replay_of(words, example).verdict, Verdict::kRight);
  example.places[0][0].value = "True";
  EXPECT_EQ(replay_of(words, example).blame, Blame::kValue);
  example.places = {{{0, 12, "False"}}};
  example.all_places = true;
  EXPECT_EQ(replay_of(words, example).blame, Blame::kLeaf);
}

TEST(Replay, GroupsByLength) {
  const Words words;
  std::vector<Example> examples = some();
  examples.push_back(chain({"not ( not True )", "not False", "True"}));
  const std::vector<LengthScore> scores = by_length(replay_examples(words, examples));
  EXPECT_EQ(scores.size(), 5);
  const LengthScore total = total_of(scores);
  EXPECT_EQ(total.asked, 7);
  EXPECT_EQ(total.right, 6);
  EXPECT_EQ(total.refused(), 1);
  EXPECT_EQ(total.shortest, 4);
  EXPECT_EQ(total.longest, 16);
}

TEST(RestChecker, AsksWhatWasNotTaughtAndKeepsWhatIsRefused) {
  const Words words;
  RestChecker checker(words, some(), 1 << 20, {});
  for (const Example& known : some()) checker.take(Example(known));
  checker.take(chain({"( not False )", "True"}, Kind::kAnswer));   // right
  checker.take(chain({"( not True )", "True"}, Kind::kAnswer));    // known, whatever its answer
  checker.take(chain({"( ( True ) )", "False"}, Kind::kAnswer));   // wrong
  checker.take(chain({"not not False", "False"}, Kind::kAnswer));  // refused
  const Rest rest = checker.result();
  EXPECT_EQ(rest.score.asked, 3u);
  EXPECT_EQ(rest.score.right, 1u);
  EXPECT_EQ(rest.score.wrong, 1u);
  EXPECT_EQ(rest.wrong.size(), 1u);
  ASSERT_EQ(rest.refused.size(), 1u);
  EXPECT_EQ(rest.refused[0].formulas[0], "not not False");
}

TEST(OpenQuestions, AskWhatTheModelCannotAnswer) {
  const Words words;
  const std::vector<Example> examples = some();
  const OpenQuestions questions = open_questions(words, examples);
  ASSERT_FALSE(questions.ask.empty());
  std::set<std::string> why;
  for (const OpenQuestion& question : questions.ask) {
    EXPECT_FALSE(words.rewrite(question.formula).ok()) << question.formula;
    why.insert(question.why);
  }
  EXPECT_TRUE(why.contains("not <value> after not"));
  EXPECT_TRUE(why.contains("( <value> ) after not"));
  Words more = words;
  more.left.insert("not");
  for (const OpenQuestion& question : open_questions(more, examples).ask) {
    EXPECT_EQ(question.why.find("after not"), std::string::npos) << question.why;
  }
}

// Adds two numbers, or negates one; what stands between is no formula.
class Sums : public Rewriter {
 public:
  std::vector<Result> run(std::span<const std::string_view> formulas,
                          const RunOptions& options) const override {
    std::vector<Result> results;
    for (const std::string_view formula : formulas) {
      Result& result = results.emplace_back();
      result.formula = formula;
      const std::size_t plus = formula.find('+');
      if (formula.starts_with("--")) asked_malformed = true;
      if (plus != std::string_view::npos) {
        const int sum = std::stoi(std::string(formula.substr(0, plus))) +
                        std::stoi(std::string(formula.substr(plus + 1)));
        const Step step{{0, formula.size()}, std::to_string(sum)};
        if (options.keep_rounds) result.record.push_back({Attempt{.step = step, .applied = true}});
        result.formula = step.value;
      }
      result.stop = Stop::kFinal;
    }
    return results;
  }
  mutable bool asked_malformed = false;
};

TEST(OpenQuestions, TakeASignForAPartOfItsNumber) {
  const Sums sums;
  const std::vector<Example> examples{chain({"-3+1", "-2"}), chain({"-2+-1", "-3"}),
                                      chain({"-4+6", "2"}), chain({"1+2", "3"})};
  open_questions(sums, examples);
  EXPECT_FALSE(sums.asked_malformed);
}

TEST(OpenQuestions, AskForALeafThatOthersSuggest) {
  Words words;
  words.table.erase("not False");
  std::vector<Example> examples = some();
  std::erase_if(examples, [](const Example& e) { return e.formulas[0] == "not False"; });
  examples.push_back(chain({"False"}));
  const OpenQuestions questions = open_questions(words, examples);
  EXPECT_EQ(questions.leaves, 1);
  EXPECT_TRUE(std::ranges::any_of(questions.ask, [](const OpenQuestion& question) {
    return question.formula == "not False" && question.missing == Missing::kLeaf;
  }));
}

TEST(ExplainAnswers, FindsTheLeafBetweenNewNeighbours) {
  const Words words;
  const std::vector<Example> known = some();
  const Example asked = chain({"not not True", "True"}, Kind::kAnswer);
  const Example explained = explain_answers(words, known, {asked}, Kind::kAnswer).front();
  EXPECT_EQ(explained.formulas, (std::vector<std::string>{"not not True", "not False", "True"}));
  ASSERT_EQ(explained.places.size(), 3);
  EXPECT_EQ(explained.places[0], (std::vector<examples::Place>{{4, 12, "False"}}));
  EXPECT_EQ(explained.places[1], (std::vector<examples::Place>{{0, 9, "True"}}));
  // A wrong answer explains nothing.
  const Example wrong = chain({"not not True", "False"}, Kind::kAnswer);
  EXPECT_EQ(explain_answers(words, known, {wrong}, Kind::kAnswer).front(), wrong);
}

TEST(VerifyTaught, FindsWhatIsWrongInLongerFormulas) {
  const KeptExamples kept{.examples = some()};
  const Words words;
  const TaughtCheck good = verify_taught(words, kept, {.contexts = 200});
  EXPECT_EQ(good.verdict(), "exact");
  EXPECT_EQ(good.contexts.asked, 200);
  EXPECT_GT(good.contexts.longest, 20);
  Words bad = words;
  bad.table["( ( ( False )"] = "( ( True";  // never met in what was taught
  const TaughtCheck wrong = verify_taught(bad, kept, {.contexts = 200, .threads = 3});
  EXPECT_EQ(wrong.examples.wrong, 0);
  EXPECT_EQ(wrong.verdict(), "wrong");
  EXPECT_FALSE(wrong.first.empty());
  EXPECT_EQ(to_json(wrong), to_json(verify_taught(bad, kept, {.contexts = 200})));
}

}  // namespace
}  // namespace nrs::taught
