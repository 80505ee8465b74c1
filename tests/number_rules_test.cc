// Rules about numbers: matching, questions, learning them from chains, rewriting by them, and the
// model that has them.
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "architectures/architecture.h"
#include "architectures/rule_model.h"
#include "induce/numbers.h"
#include "nrs/error.h"
#include "rewrite/rules/rule_rewriter.h"
#include "term/number_rule.h"
#include "term/rule_file.h"

namespace nrs {
namespace {

using architectures::kRulesArchitecture;
using architectures::kRulesModule;
using architectures::RuleModel;
using architectures::rules_of;
using architectures::RunningModel;
using architectures::store_rule_certificate;
using architectures::stored_rule_certificate;
using architectures::to_module;
using model::Model;
using term::NumberRule;
using term::Terms;

NumberRule number_rule(Terms& terms, std::string_view left, std::vector<std::string> rights) {
  const auto side = [&](std::string_view text) {
    return term::read_number_side(terms, text, term::Notation::kFunctional);
  };
  NumberRule rule{side(left), {}};
  for (const std::string& right : rights) rule.rights.push_back(side(right));
  return rule;
}

// Adds up, of numbers below a hundred; less sure of larger ones.
class Adding final : public Solver {
 public:
  std::vector<Solution> solve(std::span<const std::string_view> questions) const override {
    std::vector<Solution> solutions;
    for (const std::string_view question : questions) {
      const std::string text(question.substr(question.find(':') + 1));
      const int a = std::stoi(text), b = std::stoi(text.substr(text.find(',') + 1));
      Solution& solution = solutions.emplace_back();
      solution.value = std::to_string(a + b);
      solution.known = a < 100 && b < 100;
      solution.log_prob = a + b < 100 ? -0.001 : -3;
    }
    return solutions;
  }
};

TEST(NumberRule, VariablesMatchNumbersOnly) {
  Terms terms;
  const NumberRule rule = number_rule(terms, "d(mul(?n1,?2))", {"mul(?n1,d(?2))"});
  const auto matches = [&](std::string_view text) {
    term::Substitution match;
    return term::match_numbers(terms, rule, read_term(terms, text), match);
  };
  EXPECT_TRUE(matches("d(mul(-12,x))"));
  EXPECT_FALSE(matches("d(mul(x,12))"));
  EXPECT_FALSE(matches("d(mul(f(1),12))"));
  for (const char* number : {"0", "-7", "0012"}) EXPECT_TRUE(term::is_number(number));
  for (const char* other : {"", "-", "1.5", "x1", "--1"}) EXPECT_FALSE(term::is_number(other));
}

TEST(NumberRule, QuestionsAndAnswers) {
  Terms terms;
  const NumberRule rule =
      number_rule(terms, "d(mul(?n1,pow(x,?n2)))", {"mul({1},x)", "mul({1},pow(x,{2}))"});
  term::Substitution match;
  ASSERT_TRUE(term::match_numbers(terms, rule, read_term(terms, "d(mul(3,pow(x,4)))"), match));
  EXPECT_EQ(term::question_of(terms, rule, 7, match), "7:3,4");
  const auto result = [&](std::string_view answer) {
    const auto made = term::apply_answer(terms, rule, answer, match);
    return made ? to_string(terms, *made) : "";
  };
  EXPECT_EQ(result("b12,3"), "mul(12,pow(x,3))");
  EXPECT_EQ(result("a12"), "mul(12,x)");
  for (const char* bad : {"", "12,3", "a", "a12,3", "b12", "b12,x", "c1", "b12,3,4", "A1"}) {
    EXPECT_EQ(result(bad), "") << bad;
  }
  EXPECT_EQ(to_string(terms, rule), "d(mul(?n1,pow(x,?n2))) -> mul({1},x) or mul({1},pow(x,{2}))");
}

TEST(NumberRule, RefusesWhatIsNone) {
  Terms terms;
  const auto check = [&](std::string_view left, std::vector<std::string> rights) {
    term::check_number_rule(terms, number_rule(terms, left, std::move(rights)));
  };
  EXPECT_NO_THROW(check("f(?n1)", {"g({1},{2},?n1)"}));
  EXPECT_THROW(check("f(?n1)", {"?n2"}), Error);
  EXPECT_THROW(check("f(?n1)", {"{2}"}), Error);
  EXPECT_THROW(check("f({1})", {"0"}), Error);
  EXPECT_THROW(check("?n1", {"0"}), Error);
  EXPECT_THROW(check("f(?n1)", {}), Error);
}

rewrite::rules::RuleRewriter adding_rewriter(term::Strategy strategy = term::Strategy::kInnermost) {
  term::RuleSet set = term::read_rules("twice(?x) -> plus(?x,?x)\n", term::RuleFormat::kText, "t");
  set.number_rules.push_back(number_rule(set.terms, "neg(neg(?n1))", {"?n1"}));
  set.number_rules.push_back(number_rule(set.terms, "plus(?n1,?n2)", {"{1}"}));
  rewrite::rules::RuleOptions options;
  options.strategy = strategy;
  options.solver = std::make_shared<Adding>();
  options.min_log_prob = -1;
  return rewrite::rules::RuleRewriter(std::move(set), options);
}

TEST(NumberRules, RewriteTogetherWithOthers) {
  for (const auto strategy : {term::Strategy::kInnermost, term::Strategy::kOutermost}) {
    const rewrite::rules::RuleRewriter rewriter = adding_rewriter(strategy);
    for (const bool record : {false, true}) {
      RunOptions options;
      options.keep_rounds = record;
      const Result result = rewriter.rewrite("twice(plus(3,neg(neg(4))))", options);
      EXPECT_EQ(result.formula, "14");
      EXPECT_TRUE(result.ok());
      if (!record) continue;
      EXPECT_EQ(replay("twice(plus(3,neg(neg(4))))", result.record).back(), "14");
      std::map<ValueSource, int> sources;
      for (const Round& round : result.record) ++sources[round.front().origin.source];
      EXPECT_GE(sources[ValueSource::kRule], 2);
      EXPECT_GE(sources[ValueSource::kNetwork], 2);
    }
    EXPECT_EQ(rewriter.rewrite("plus(a,3)").formula, "plus(a,3)");
  }
}

TEST(NumberRules, StopWhereNothingSureIsKnown) {
  const rewrite::rules::RuleRewriter rewriter = adding_rewriter();
  const Result unsure = rewriter.rewrite("f(plus(1,2),plus(60,70))");
  EXPECT_EQ(unsure.stop, Stop::kLowConfidence);
  EXPECT_EQ(unsure.formula, "f(3,plus(60,70))");
  RunOptions options;
  options.keep_rounds = true;
  const Result unknown = rewriter.rewrite("f(plus(1,2),plus(600,1))", options);
  EXPECT_EQ(unknown.stop, Stop::kUnknownLeaf);
  ASSERT_EQ(unknown.record.size(), 2u);
  const Attempt& refused = unknown.record.back().front();
  EXPECT_FALSE(refused.applied);
  EXPECT_FALSE(refused.known);
  EXPECT_EQ(refused.step.leaf.of(unknown.formula), "plus(600,1)");
  options.min_log_prob = -5;  // whoever runs it may ask for less
  EXPECT_EQ(rewriter.rewrite("plus(60,70)", options).formula, "130");
}

// Chains of additions of numbers below 20, inside of f, which drops its second argument.
std::string addition_chains() {
  std::string text;
  for (int a = 0; a < 20; ++a) {
    for (int b = a % 3; b < 20; b += 3) {
      const std::string sum = std::to_string(a + b);
      const std::string redex = "plus(" + std::to_string(a) + "," + std::to_string(b) + ")";
      text += "f(" + redex + ",a) -> f(" + sum + ",a) -> " + sum + "\n";
      text += "f(g(a)," + redex + ") -> f(g(a)," + sum + ") -> g(a)\n";
      text += "neg(" + std::to_string(a) + ") -> minus(0," + std::to_string(a) + ")\n";
    }
  }
  return text + "neg(a)\nneg(g(3))\n";
}

TEST(LearnNumbers, RulesWhereThereAreRulesAndQuestionsElsewhere) {
  induce::ChainFile file = induce::read_chains(addition_chains(), "chains");
  const induce::LearnedSystem system = induce::learn_system(file);
  ASSERT_EQ(system.learned.rules.size(), 1u);
  const auto shown = [&](const term::Term term) { return to_string(file.terms, term); };
  EXPECT_EQ(shown(system.learned.rules[0].rule.left), "f(?1,?2)");
  EXPECT_EQ(shown(system.learned.rules[0].rule.right), "?1");
  EXPECT_TRUE(system.learned.suspicious.empty());
  ASSERT_EQ(system.number_rules.size(), 2u);
  EXPECT_EQ(to_string(file.terms, system.number_rules[0].rule), "neg(?n1) -> minus(0,?n1)");
  EXPECT_TRUE(system.number_rules[0].answers.empty());
  const induce::LearnedNumberRule& computed = system.number_rules[1];
  EXPECT_EQ(to_string(file.terms, computed.rule), "plus(?n1,?n2) -> {1}");
  const std::vector<std::string> question{"4", "10"};
  ASSERT_TRUE(computed.answers.contains(question));
  EXPECT_EQ(computed.answers.at(question).answer, "14");
  EXPECT_EQ(computed.answers.at(question).times, 2u);
  EXPECT_EQ(induce::share_of_new_questions(system.number_rules), 0);
}

TEST(LearnNumbers, FewNumbersAreSymbols) {
  induce::ChainFile file =
      induce::read_chains("or(0,1) -> 1\nor(1,0) -> 1\nor(0,0) -> 0\nor(1,1) -> 1\n", "chains");
  EXPECT_FALSE(induce::mark_numbers(file));
  EXPECT_TRUE(induce::learn_system(file).number_rules.empty());
}

TEST(LearnNumbers, AWrongLineDoesNotMakeACopyAComputation) {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    const std::string a = std::to_string(i), b = std::to_string(i + 50);
    text += "swap(" + a + "," + b + ") -> pair(" + b + "," + (i == 20 ? "99" : a) + ")\n";
  }
  induce::ChainFile file = induce::read_chains(text, "chains");
  const induce::LearnedSystem system = induce::learn_system(file);
  for (const induce::LearnedNumberRule& rule : system.number_rules) {
    EXPECT_TRUE(rule.answers.empty()) << to_string(file.terms, rule.rule);
  }
}

Model adding_model() {
  RuleModel rules;
  rules.rules = {{"twice(?x)", {"plus(?x,?x)"}, {5, 3, {1, 2}, true, "twice(a)"}}};
  rules.number_rules = {{"plus(?n1,?n2)", {"{1}"}, {7, 2, {3}, false, ""}}};
  rules.table = {{"0:1,2", "3"}, {"0:2,2", "4"}};
  Model model;
  model.architecture = kRulesArchitecture;
  model.name = "adding";
  model.modules[std::string(kRulesModule)] = to_module(rules);
  EXPECT_EQ(rules_of(model), rules);
  return model;
}

TEST(RuleModel, RunsByItsTableAndRefusesOtherQuestions) {
  const RunningModel running(adding_model());
  EXPECT_EQ(running.architecture().name(), kRulesArchitecture);
  RunOptions options;
  options.keep_rounds = true;
  const Result result = running.rewriter().rewrite("f(twice(2),plus(1,2))", options);
  EXPECT_EQ(result.formula, "f(4,3)");
  EXPECT_EQ(result.record.back().front().origin,
            (Origin{ValueSource::kTable, "plus(?n1,?n2) -> {1}"}));
  EXPECT_EQ(running.rewriter().rewrite("plus(2,1)").stop, Stop::kUnknownLeaf);
}

TEST(RuleModel, SettingsAreThoseOfRules) {
  EXPECT_EQ(RunningModel(adding_model(), {.settings = {{"notation", 1}}})
                .rewriter()
                .rewrite("(plus 1 2)")
                .formula,
            "3");
  EXPECT_THROW(RunningModel(adding_model(), {.settings = {{"window-threshold", 1}}}), Error);
}

TEST(RuleModel, KeepsItsCertificateUntilItChanges) {
  Model model = adding_model();
  EXPECT_THROW(stored_rule_certificate(model), Error);
  store_rule_certificate(model, "{\"holds\":[1,2]}");
  EXPECT_EQ(stored_rule_certificate(model), "{\"holds\":[1,2]}");
  RuleModel other = rules_of(model);
  other.rules[0].rights = {"?x"};
  model.modules[std::string(kRulesModule)] = to_module(other);
  EXPECT_THROW(stored_rule_certificate(model), Error);
}

TEST(RuleModel, RefusesModulesThatDoNotHoldTogether) {
  const auto refuses = [](const std::string& from, const std::string& to) {
    Model model = adding_model();
    std::string& fields = model.modules[std::string(kRulesModule)].fields;
    const std::size_t at = fields.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    fields.replace(at, from.size(), to);
    EXPECT_THROW(RunningModel{model}, Error) << from;
  };
  refuses("\"functional\"", "\"prefix\"");
  refuses("[\"plus(?x,?x)\"]", "[\"plus(?x,?z)\"]");
  refuses("[\"plus(?x,?x)\"]", "[]");
  refuses("[\"plus(?x,?x)\"]", "7");
  refuses("[\"{1}\"]", "[\"{2}\"]");
  refuses("[\"{1}\"]", "[]");
  refuses("\"guess\":", "\"guesses\":");
  Model broken = adding_model();
  broken.modules[std::string(kRulesModule)].tables.begin()->second.bytes.back() = 'x';
  EXPECT_THROW(RunningModel{broken}, Error);
}

}  // namespace
}  // namespace nrs
