// Learning rules from chains.
#include "induce/learn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "induce/generalise.h"
#include "induced_rules.h"
#include "term/match.h"

namespace nrs::induce {
namespace {

constexpr const char* kPeano = R"(
plus(0,?y) -> ?y
plus(s(?x),?y) -> s(plus(?x,?y))
times(0,?y) -> 0
times(s(?x),?y) -> plus(?y,times(?x,?y))
le(0,?y) -> true
le(s(?x),0) -> false
le(s(?x),s(?y)) -> le(?x,?y)
if(true,?x,?y) -> ?x
if(false,?x,?y) -> ?y
)";

constexpr const char* kBoolean = R"(
and(t,?x) -> ?x
and(?x,t) -> ?x
and(f,?x) -> f
and(?x,f) -> f
and(?x,?x) -> ?x
or(t,?x) -> t
or(?x,t) -> t
or(f,?x) -> ?x
or(?x,f) -> ?x
or(?x,?x) -> ?x
not(t) -> f
not(f) -> t
not(not(?x)) -> ?x
not(and(?x,?y)) -> or(not(?x),not(?y))
not(or(?x,?y)) -> and(not(?x),not(?y))
)";

constexpr const char* kGroup = R"(
m(e,?x) -> ?x
m(?x,e) -> ?x
m(i(?x),?x) -> e
m(?x,i(?x)) -> e
m(m(?x,?y),?z) -> m(?x,m(?y,?z))
i(e) -> e
i(i(?x)) -> ?x
m(i(?x),m(?x,?y)) -> ?y
m(?x,m(i(?x),?y)) -> ?y
i(m(?x,?y)) -> m(i(?y),i(?x))
)";

Pair rule(Terms& terms, std::string_view left, std::string_view right) {
  return {term::read_term(terms, left), term::read_term(terms, right)};
}

std::string shown(const Terms& terms, const std::optional<Pair>& rule) {
  if (!rule) return "none";
  return term::to_string(terms, rule->left) + " -> " + term::to_string(terms, rule->right);
}

TEST(Generalise, FindsVariablesThatAreDroppedCopiedAndRepeated) {
  Terms terms;
  EXPECT_EQ(shown(terms, generalise(terms, rule(terms, "f(a,b)", "g(a,a)"),
                                    rule(terms, "f(c,d)", "g(c,c)"))),
            "f(?1,?2) -> g(?1,?1)");
  EXPECT_EQ(shown(terms, generalise(terms, rule(terms, "f(a,a)", "t"), rule(terms, "f(b,b)", "t"))),
            "f(?1,?1) -> t");
  EXPECT_EQ(shown(terms, generalise(terms, rule(terms, "f(s(a))", "f(a)"),
                                    rule(terms, "f(s(s(a)))", "f(s(a))"))),
            "f(s(?1)) -> f(?1)");
}

TEST(Generalise, RefusesVariablesOnTheRightOnly) {
  Terms terms;
  EXPECT_EQ(shown(terms, generalise(terms, rule(terms, "f(a)", "b"), rule(terms, "f(a)", "c"))),
            "none");
  EXPECT_EQ(shown(terms, generalise(terms, rule(terms, "f(a)", "b"), rule(terms, "g(a)", "b"))),
            "none");
}

// Law: both rules are instances of their generalisation.
TEST(Generalise, BothRulesAreInstances) {
  term::RuleSet rules = rules_of(kPeano);
  ChainFile file = chains_of(rules, {.count = 60});
  Terms& terms = file.terms;
  std::vector<Pair> steps;
  for (const Chain& chain : file.chains) {
    for (std::size_t i = 0; i + 1 < chain.terms.size(); ++i) {
      steps.push_back({chain.terms[i], chain.terms[i + 1]});
    }
  }
  ASSERT_GT(steps.size(), 50u);
  std::size_t found = 0;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    const auto both = generalise(terms, steps[i], steps[i + 1]);
    if (!both) continue;
    ++found;
    for (const Pair& step : {steps[i], steps[i + 1]}) {
      Pattern pattern(terms, *both);
      EXPECT_TRUE(pattern.matches(step.left) && pattern.gives(step.right));
    }
  }
  EXPECT_GT(found, 0u);
}

class Relearn : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Relearn, FindsTheRulesAgain) {
  term::RuleSet rules = rules_of(GetParam().second);
  ChainFile file = chains_of(rules, {.count = 1500, .constants = 2});
  const Learned learned = learn_rules(file.terms, file.chains);
  EXPECT_EQ(names_of(file.terms, learned), names_of(rules));
  EXPECT_TRUE(learned.suspicious.empty());
  EXPECT_EQ(learned.strategy, Strategy::kLeftInnermost);
}

INSTANTIATE_TEST_SUITE_P(Systems, Relearn,
                         testing::Values(std::pair("peano", kPeano), std::pair("boolean", kBoolean),
                                         std::pair("group", kGroup)),
                         [](const auto& param) { return param.param.first; });

TEST(Learn, DoesNotNeedInnermostSteps) {
  term::RuleSet rules = rules_of(kPeano);
  ChainFile file = chains_of(rules, {.count = 1500, .strategy = term::Strategy::kOutermost});
  const Learned learned = learn_rules(file.terms, file.chains);
  EXPECT_EQ(names_of(file.terms, learned), names_of(rules));
  EXPECT_NE(learned.strategy, Strategy::kLeftInnermost);
}

TEST(Learn, TakesApartStepsThatRewriteSeveralPlaces) {
  term::RuleSet rules = rules_of(kPeano);
  ChainFile file = chains_of(rules, {.count = 1500, .parallel = true});
  const Learned learned = learn_rules(file.terms, file.chains);
  EXPECT_EQ(names_of(file.terms, learned), names_of(rules));
  EXPECT_TRUE(learned.suspicious.empty());
}

TEST(Learn, TheSameChainsGiveTheSameRules) {
  term::RuleSet rules = rules_of(kBoolean);
  std::vector<std::string> first;
  for (int run = 0; run < 2; ++run) {
    ChainFile file = chains_of(rules, {.count = 200});
    std::vector<std::string> shown;
    for (const LearnedRule& rule : learn_rules(file.terms, file.chains).rules) {
      shown.push_back(term::to_string(file.terms, rule.rule.left));
    }
    if (run == 0) first = shown;
    EXPECT_EQ(shown, first);
  }
}

TEST(Learn, TheRedexIsNotAlwaysWhereTheTermsDiffer) {
  // s(x) -> x would explain every step, but s(0) is a normal form.
  ChainFile file = read_chains(
      "f(s(s(0))) -> f(s(0)) -> f(0)\nf(s(s(s(0)))) -> f(s(s(0))) -> f(s(0)) -> f(0)\ns(s(0))\n",
      "test");
  const Learned learned = learn_rules(file.terms, file.chains);
  ASSERT_EQ(learned.rules.size(), 1u);
  EXPECT_EQ(shown(file.terms, learned.rules[0].rule), "f(s(?1)) -> f(?1)");
  EXPECT_EQ(learned.rules[0].steps, 5u);
  EXPECT_EQ(learned.rules[0].lines, (std::vector<std::uint32_t>{1, 2}));
}

TEST(Learn, PositionsSaySo) {
  ChainFile file = read_chains(
      "{\"terms\": [\"f(s(0))\", \"f(0)\"], \"positions\": [\"root\"]}\n"
      "{\"terms\": [\"f(s(a))\", \"f(a)\"], \"positions\": [\"root\"]}\n",
      "test");
  const Learned learned = learn_rules(file.terms, file.chains);
  ASSERT_EQ(learned.rules.size(), 1u);
  EXPECT_EQ(shown(file.terms, learned.rules[0].rule), "f(s(?1)) -> f(?1)");
}

TEST(Learn, AGuessComesWithAQuestion) {
  ChainFile file = read_chains(
      "le(s(0),s(0)) -> le(0,0) -> true\nle(0,s(0)) -> true\nle(0,0) -> true\ns(s(0))\n", "test");
  const Learned learned = learn_rules(file.terms, file.chains);
  const auto guess = std::find_if(learned.rules.begin(), learned.rules.end(),
                                  [](const LearnedRule& rule) { return rule.guess; });
  ASSERT_NE(guess, learned.rules.end());
  ASSERT_TRUE(guess->question.has_value());
  // The question is about this rule, and no chain has answered it.
  EXPECT_EQ(file.terms.symbol(*guess->question), file.terms.symbol(guess->rule.left));
  for (const Chain& chain : file.chains) {
    EXPECT_EQ(std::count(chain.terms.begin(), chain.terms.end(), *guess->question), 0);
  }
}

TEST(Learn, RulesFromManyLinesAreNoGuesses) {
  term::RuleSet rules = rules_of(kPeano);
  ChainFile file = chains_of(rules, {.count = 1500});
  for (const LearnedRule& rule : learn_rules(file.terms, file.chains).rules) {
    EXPECT_FALSE(rule.guess) << term::to_string(file.terms, rule.rule.left);
  }
}

class Noise : public testing::TestWithParam<double> {};

TEST_P(Noise, DoesNotSpoilTheRules) {
  for (const char* text : {kPeano, kBoolean}) {
    term::RuleSet rules = rules_of(text);
    ChainFile file = chains_of(rules, {.count = 800, .constants = 2});
    const std::set<std::uint32_t> changed = spoil(file, GetParam());
    ASSERT_FALSE(changed.empty());
    const Learned learned = learn_rules(file.terms, file.chains);
    EXPECT_EQ(names_of(file.terms, learned), names_of(rules));
    EXPECT_FALSE(learned.suspicious.empty());
    for (const BadLine& bad : learned.suspicious) {
      EXPECT_TRUE(changed.contains(bad.line)) << "line " << bad.line << ": " << bad.reason;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shares, Noise, testing::Values(0.01, 0.05));

// Leaving the line out would be shorter to say, but nothing speaks against it.
TEST(Learn, ALineThatAloneShowsARuleIsNotTakenForWrong) {
  term::RuleSet rules = rules_of(kPeano);
  ChainFile many = chains_of(rules, {.count = 200});
  std::string text;
  for (const Chain& chain : many.chains) {
    for (std::size_t i = 0; i < chain.terms.size(); ++i)
      text += (i == 0 ? "" : " -> ") + term::to_string(many.terms, chain.terms[i]);
    text += "\n";
  }
  text += "log(s(0),s(s(0))) -> loop(s(0),s(s(0)),s(0),pair(0,pair(s(0),s(s(0)))))\n";
  ChainFile file = read_chains(text, "chains");
  const Learned learned = learn_rules(file.terms, file.chains);
  EXPECT_TRUE(learned.suspicious.empty());
  EXPECT_TRUE(std::any_of(learned.rules.begin(), learned.rules.end(), [&](const LearnedRule& rule) {
    return file.terms.name(file.terms.symbol(rule.rule.left)) == "log";
  }));
}

// u(u(out(0))) -> u(out(0)) is also an instance of u(?1) -> ?1, but in innermost chains its redex
// is below, because u(out(0)) is one.
TEST(Learn, ARedexHasNoRedexBelowItInInnermostChains) {
  ChainFile file = read_chains(
      "u(out(0)) -> out(0)\nu(out(s(0))) -> out(s(0))\nu(out(s(s(0)))) -> out(s(s(0)))\n"
      "u(u(out(0))) -> u(out(0)) -> out(0)\nu(u(out(s(0)))) -> u(out(s(0))) -> out(s(0))\n"
      "u(u(u(out(0)))) -> u(u(out(0))) -> u(out(0)) -> out(0)\n"
      "v(u(out(s(0)))) -> v(out(s(0)))\nu(s(0))\n",
      "chains");
  const Learned learned = learn_rules(file.terms, file.chains);
  EXPECT_EQ(names_of(file.terms, learned), std::set<std::string>{"u(out(?1)) -> out(?1)"});
}

TEST(Learn, AStepThatChangesNothingIsSuspicious) {
  ChainFile file = read_chains("f(a) -> a\nf(b) -> b\nf(c) -> c\nf(a) -> f(a) -> a\n", "test");
  const Learned learned = learn_rules(file.terms, file.chains);
  ASSERT_EQ(learned.suspicious.size(), 1u);
  EXPECT_EQ(learned.suspicious[0].line, 4u);
  EXPECT_EQ(learned.suspicious[0].reason, "step 1 changes nothing");
}

// The symbols that are kept are chosen together: one part after the other, the largest first, would
// make a variable of s(0), and then b could be none.
TEST(Learn, AGuessKeepsAsLittleAsPossible) {
  ChainFile file = read_chains(
      "f(s(b),s(0)) -> g(s(b),s(0))\nf(0,0)\nf(b,b)\nf(0,s(0))\nf(b,s(0))\nf(s(0),0)\n", "chains");
  const Learned learned = learn_rules(file.terms, file.chains);
  EXPECT_EQ(names_of(file.terms, learned),
            std::set<std::string>{"f(s(?1),s(?2)) -> g(s(?1),s(?2))"});
}

// In the only example two parts are equal by accident. Each goes where it stood.
TEST(Learn, EqualPartsBecomeDifferentVariables) {
  ChainFile file = read_chains(
      "high(add(a,nil)) -> nil\nh(b,add(b,nil)) -> add(b,k(b,nil))\nh(b,nil)\nh(a,c)\n", "chains");
  const Learned learned = learn_rules(file.terms, file.chains);
  EXPECT_TRUE(names_of(file.terms, learned).contains("h(?1,add(?2,?3)) -> add(?2,k(?1,?3))"));
}

// add(?x,s(?y)) is always tried before add(s(?x),?y), so the second rule could have made most of
// the steps that it is not seen to make.
TEST(Learn, OverlappingRulesAreOneRuleEach) {
  const auto s = [](int count, std::string term) {
    for (; count > 0; --count) term = "s(" + term + ")";
    return term;
  };
  std::string text;
  for (const std::string x : {"a", "b"}) {
    for (const std::string y : {"c", "d"}) {
      for (int k = 0; k < 5; ++k) {
        for (int j = 0; j <= k; ++j) text += s(j, "add(s(" + x + ")," + s(k - j, y) + ")") + " -> ";
        text += s(k + 1, "add(" + x + "," + y + ")") + "\n";
      }
    }
  }
  ChainFile file = read_chains(text, "chains");
  const Learned learned = learn_rules(file.terms, file.chains);
  EXPECT_EQ(
      names_of(file.terms, learned),
      (std::set<std::string>{"add(?1,s(?2)) -> s(add(?1,?2))", "add(s(?1),?2) -> s(add(?1,?2))"}));
}

TEST(Learn, AStepLeftOutIsSuspiciousInInnermostChains) {
  term::RuleSet rules = rules_of(kPeano);
  ChainFile file = chains_of(rules, {.count = 400});
  const auto read = [&](std::string_view text) { return read_term(file.terms, text); };
  file.chains.push_back(
      {.terms = {read("if(true,plus(0,s(0)),plus(0,0))"), read("if(true,s(0),0)"), read("s(0)")},
       .line = 9999});
  const Learned learned = learn_rules(file.terms, file.chains);
  EXPECT_EQ(names_of(file.terms, learned), names_of(rules));
  ASSERT_EQ(learned.suspicious.size(), 1u);
  EXPECT_EQ(learned.suspicious[0].line, 9999u);
}

// More chains than rules are searched in at first: the rest is checked, and used where it says
// more.
TEST(Learn, ManyChains) {
  term::RuleSet rules = rules_of(kPeano);
  ChainFile file = chains_of(rules, {.count = 8000, .depth = 4});
  const Learned learned = learn_rules(file.terms, file.chains);
  EXPECT_EQ(names_of(file.terms, learned), names_of(rules));
  EXPECT_TRUE(learned.suspicious.empty());
}

}  // namespace
}  // namespace nrs::induce
