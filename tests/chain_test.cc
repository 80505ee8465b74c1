// Chains from rules: reduction by single steps, inferred sorts and random terms.
#include "term/chain.h"

#include "property.h"
#include "term/random_term.h"
#include "term/rule_file.h"
#include "term/sorts.h"

namespace nrs::term {
namespace {

constexpr std::string_view kLists = R"(variables x y l m
app(nil,l) -> l
app(cons(x,l),m) -> cons(x,app(l,m))
len(nil) -> 0
len(cons(x,l)) -> s(len(l))
plus(0,y) -> y
plus(s(x),y) -> s(plus(x,y))
max(x,y) -> x if lt(x,y) = false
max(x,y) -> y if lt(x,y) <> false
lt(x,0) -> false
lt(0,s(y)) -> true
lt(s(x),s(y)) -> lt(x,y)
)";

RuleSet text_rules(std::string_view text) {
  return read_rules(text, RuleFormat::kText, "r");
}

std::string chain_of(RuleSet& rules, std::string_view text,
                     Strategy strategy = Strategy::kInnermost, ChainLimits limits = {}) {
  Reducer reducer(rules.terms, rules.rules);
  const Chain chain = derive(rules, reducer, read_term(rules, text), strategy, limits);
  return to_string(rules.terms, chain, Notation::kFunctional);
}

TEST(Derive, LeftmostInnermost) {
  RuleSet rules = text_rules(kLists);
  EXPECT_EQ(chain_of(rules, "plus(plus(0,0),plus(0,s(0)))"),
            "plus(plus(0,0),plus(0,s(0))) -> plus(0,plus(0,s(0))) -> plus(0,s(0)) -> s(0)");
  EXPECT_EQ(chain_of(rules, "len(cons(0,nil))"), "len(cons(0,nil)) -> s(len(nil)) -> s(0)");
  EXPECT_EQ(chain_of(rules, "s(0)"), "s(0)");
}

TEST(Derive, LeftmostOutermost) {
  RuleSet rules = text_rules(kLists);
  EXPECT_EQ(chain_of(rules, "plus(0,plus(0,0))", Strategy::kOutermost),
            "plus(0,plus(0,0)) -> plus(0,0) -> 0");
  RuleSet lazy = text_rules("k(?x,?y) -> ?x\nloop -> loop\n");
  EXPECT_EQ(chain_of(lazy, "k(a,loop)", Strategy::kOutermost), "k(a,loop) -> a");
}

TEST(Derive, Conditions) {
  RuleSet rules = text_rules(kLists);
  EXPECT_EQ(chain_of(rules, "max(s(0),max(0,s(s(0))))"),
            "max(s(0),max(0,s(s(0)))) -> max(s(0),s(s(0))) -> s(s(0))");
}

TEST(Derive, LimitsCutAChainShort) {
  RuleSet rules = text_rules("a -> f(a)\nb -> c if b = c\n");
  EXPECT_EQ(chain_of(rules, "a", Strategy::kInnermost, {.max_steps = 2}),
            "a -> f(a) -> f(f(a)) -> ...");
  EXPECT_EQ(chain_of(rules, "a", Strategy::kInnermost, {.max_size = 2}),
            "a -> f(a) -> f(f(a)) -> ...");
  EXPECT_EQ(chain_of(rules, "b"), "b -> ...");  // its condition asks for itself
}

TEST(Reducer, ConditionsMayNestAsDeepAsTheTerm) {
  RuleSet rules = text_rules(R"(variables x
even(0) -> true
even(s(x)) -> true if even(x) = false
even(s(x)) -> false if even(x) = true
)");
  const Symbol s = rules.terms.symbol("s", 1);
  Term term = rules.terms.constant("0");
  for (int i = 0; i < 300'000; ++i) term = rules.terms.make(s, {term});
  Reducer reducer(rules.terms, rules.rules);
  const Term even = rules.terms.make(rules.terms.symbol("even", 1), {term});
  EXPECT_EQ(reducer.normal_form(even), rules.terms.constant("true"));
}

TEST(Reducer, StepsAndNormalFormsAgree) {
  check_law("the last term of a chain is the normal form", [] {
    RuleSet rules = text_rules(kLists);
    infer_sorts(rules);
    RandomTerms random(rules);
    Rng rng(*rc::gen::arbitrary<std::uint64_t>());
    Reducer stepper(rules.terms, rules.rules);
    Reducer reducer(rules.terms, rules.rules);
    const Term term = random.draw(5, rng);
    const Chain chain = derive(rules, stepper, term, Strategy::kInnermost, {});
    const Chain other = derive(rules, stepper, term, Strategy::kOutermost, {});
    RC_PRE(chain.finished && other.finished);
    RC_ASSERT(reducer.normal_form(term) == chain.terms.back());
    RC_ASSERT(other.terms.back() == chain.terms.back());
  });
}

TEST(Reducer, TheLimitHoldsAndMemoryCanBeGivenBack) {
  RuleSet rules = text_rules("f(?x) -> f(g(?x))\n");
  const Term term = read_term(rules, "f(a)");
  const std::size_t base = rules.terms.count();
  Reducer reducer(rules.terms, rules.rules);
  reducer.set_limit(1000);
  EXPECT_EQ(reducer.normal_form(term), std::nullopt);
  EXPECT_TRUE(reducer.exhausted());
  rules.terms.shrink(base);
  reducer.forget_from(base);
  reducer.set_limit(1000);
  EXPECT_EQ(reducer.normal_form(rules.terms.arg(term, 0)), rules.terms.arg(term, 0));
}

TEST(Sorts, AreAsGeneralAsTheRulesAllow) {
  RuleSet rules = text_rules(kLists);
  infer_sorts(rules);
  EXPECT_EQ(rules.sorts.size(), 4u);  // lists, their elements, numbers, truth
  const auto profile = [&](std::string_view name, std::size_t arity) {
    return rules.profiles.at(rules.terms.symbol(name, arity));
  };
  EXPECT_EQ(profile("nil", 0).result, profile("app", 2).result);
  EXPECT_EQ(profile("cons", 2).args[1], profile("cons", 2).result);
  EXPECT_NE(profile("cons", 2).args[0], profile("cons", 2).result);
  EXPECT_EQ(profile("max", 2).result, profile("s", 1).args[0]);
  EXPECT_EQ(profile("lt", 2).result, profile("false", 0).result);
  for (const Rule& rule : rules.rules) {
    VariableSorts variables;
    EXPECT_FALSE(check_sorts(rules, rule, variables));
  }
}

TEST(RandomTerms, AreWellSortedGroundAndNotTooDeep) {
  check_law("draw() keeps to sorts and depth", [] {
    RuleSet rules = text_rules(kLists);
    infer_sorts(rules);
    RandomTerms random(rules);
    Rng rng(*rc::gen::arbitrary<std::uint64_t>());
    const auto depth = static_cast<std::size_t>(*rc::gen::inRange(2, 9));
    const Term term = random.draw(depth, rng);
    VariableSorts variables;
    RC_ASSERT(!check_sorts(rules, term, variables));
    RC_ASSERT(rules.terms.ground(term));
    RC_ASSERT(rules.terms.depth(term) <= depth);
  });
}

TEST(RandomTerms, ConstantsAreAddedWhereTheyAreMissing) {
  RuleSet strings = text_rules("variables x\nf(g(x)) -> g(f(x))\n");
  infer_sorts(strings);
  EXPECT_EQ(RandomTerms(strings).added().size(), 2u);
  RuleSet group = text_rules("variables x\nm(1,x) -> x\nm(i(x),x) -> 1\ni(1) -> 1\n");
  infer_sorts(group);
  EXPECT_EQ(RandomTerms(group).added().size(), 2u);
  RuleSet lists = text_rules(kLists);
  infer_sorts(lists);
  const RandomTerms more(lists, 3);
  EXPECT_EQ(more.added().size(), 6u);  // elements, and the two truth values; not numbers and lists
}

}  // namespace
}  // namespace nrs::term
