// Rewriting by rules: the machine against plain rewriting, its limits, and the Rewriter.
#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>

#include "property.h"
#include "rewrite/rules/machine.h"
#include "rewrite/rules/rule_rewriter.h"
#include "term/random_term.h"
#include "term/reduce.h"
#include "term/rule_file.h"
#include "term/sorts.h"

namespace nrs::rewrite::rules {
namespace {

using term::RuleFormat;
using term::RuleSet;
using term::Term;

// So little memory that it is collected all the time.
constexpr MachineLimits kTight{.first_bytes = 1024};

constexpr std::string_view kPeano = R"(variables x y
plus(0,y) -> y
plus(s(x),y) -> s(plus(x,y))
times(0,y) -> 0
times(s(x),y) -> plus(y,times(x,y))
fib(0) -> 0
fib(s(0)) -> s(0)
fib(s(s(x))) -> plus(fib(s(x)),fib(x))
even(0) -> true
even(s(x)) -> true if even(x) = false
even(s(x)) -> false if even(x) <> false
loop(x) -> loop(s(x))
spin -> spin
grow(x) -> s(grow(x))
stack(x) -> f(stack(x),stack(x))
double(x) -> pair(x,x)
)";

// Overlapping, not left-linear, with rules for what others build.
constexpr std::string_view kGroup = R"(variables x y z
m(1,x) -> x
m(x,1) -> x
m(i(x),x) -> 1
m(x,i(x)) -> 1
i(1) -> 1
i(i(x)) -> x
m(i(y),m(y,z)) -> z
m(y,m(i(y),z)) -> z
m(m(x,y),z) -> m(x,m(y,z))
i(m(x,y)) -> m(i(y),i(x))
)";

RuleSet text_rules(std::string_view text) {
  return term::read_rules(text, RuleFormat::kText, "r");
}

std::string number(std::size_t n) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) text += "s(";
  return text + "0" + std::string(n, ')');
}

// The normal form by the machine and step by step.
void expect_equal(RuleSet& rules, Machine& machine, Term term, std::size_t most_steps = 20'000) {
  term::Reducer reducer(rules.terms, rules.rules);
  reducer.set_limit(most_steps);
  const std::optional<Term> plain = reducer.normal_form(term);
  if (!plain) return;
  const std::optional<Term> fast = machine.normal_form(rules.terms, term);
  EXPECT_EQ(fast, plain) << term::to_string(rules.terms, term);
}

TEST(Machine, GivesTheNormalFormsOfPlainRewriting) {
  for (const std::string_view text : {kPeano, kGroup}) {
    RuleSet rules = text_rules(text);
    if (text == kPeano) std::erase_if(rules.rules, [](const term::Rule& r) { return r.line > 11; });
    term::infer_sorts(rules);
    term::RandomTerms random(rules);
    const Program program(rules);
    Machine machine(program, kTight);
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      Rng rng(seed);
      expect_equal(rules, machine, random.draw(5, rng));
    }
  }
}

// The public systems, where they are at hand: all kinds of rules that people write.
TEST(Machine, PublicSystems) {
  const std::filesystem::path folder = std::filesystem::path(NRS_ROOT) / "../shared/trs/tpdb";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no public systems at " << folder;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path());
    RuleSet rules = term::read_rule_file(entry.path());
    term::infer_sorts(rules);
    term::RandomTerms random(rules);
    const Program program(rules);
    Machine machine(program, kTight);
    const std::size_t base = rules.terms.count();
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Rng rng(seed);
      expect_equal(rules, machine, random.draw(5, rng), 2000);
      rules.terms.shrink(base);
    }
  }
}

TEST(Machine, ATreeThatWouldBeTooLargeTriesOneRuleAfterTheOther) {
  // f has 12 arguments, and each rule tests two of them in another order.
  std::string text = "variables x\n";
  for (int i = 0; i < 40; ++i) {
    std::string args;
    for (int k = 0; k < 12; ++k) {
      const bool tested = k == i % 12 || k == (7 * i + 5) % 12;
      args += (k > 0 ? "," : "") +
              (tested ? "c" + std::to_string((i + k) % 5) : "?v" + std::to_string(k));
    }
    text += "f(" + args + ") -> r" + std::to_string(i) + "\n";
  }
  RuleSet rules = text_rules(text);
  const Program program(rules);
  EXPECT_LT(program.operations().size(), 200'000u);
  Machine machine(program, {});
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Rng rng(seed);
    std::vector<Term> args;
    for (int k = 0; k < 12; ++k) {
      args.push_back(rules.terms.constant("c" + std::to_string(rng.below(5))));
    }
    expect_equal(rules, machine, rules.terms.make(rules.terms.symbol("f", 12), args));
  }
}

TEST(Machine, DeepTermsAndDeepConditions) {
  const RuleRewriter rewriter(text_rules(kPeano));
  constexpr std::size_t kDeep = 1'000'000;
  EXPECT_EQ(rewriter.rewrite("plus(" + number(kDeep) + ",s(0))").formula, number(kDeep + 1));
  EXPECT_EQ(rewriter.rewrite("even(" + number(kDeep) + ")").formula, "true");
}

TEST(Machine, LimitsEndARunWithItsReason) {
  const RuleRewriter rewriter(text_rules(kPeano), {.max_bytes = std::size_t{1} << 26});
  const auto stop = [&](const char* formula, std::size_t steps) {
    return rewriter.rewrite(formula, {.max_steps = steps}).stop;
  };
  EXPECT_EQ(stop("loop(0)", 1000), Stop::kStepLimit);
  EXPECT_EQ(stop("spin", 1'000'000), Stop::kStepLimit);
  EXPECT_EQ(stop("grow(0)", 1000), Stop::kStepLimit);
  EXPECT_EQ(stop("stack(0)", 1000), Stop::kStepLimit);
  EXPECT_EQ(stop("loop(0)", 1'000'000'000), Stop::kMemoryLimit);
  EXPECT_EQ(stop("grow(0)", 1'000'000'000), Stop::kMemoryLimit);
  EXPECT_EQ(stop("stack(0)", 1'000'000'000), Stop::kMemoryLimit);
  EXPECT_EQ(rewriter.rewrite("plus(s(0),0)", {.max_steps = 2}).formula, "s(0)");
  EXPECT_EQ(rewriter.rewrite("plus(s(0),0)", {.max_steps = 1}).stop, Stop::kStepLimit);
  EXPECT_EQ(rewriter.rewrite("plus(s(0),0)").steps, 2u);
  // Shared parts make a small node of a text that is too long to write.
  std::string term = "0";
  for (int i = 0; i < 40; ++i) term = "double(" + term + ")";
  EXPECT_EQ(rewriter.rewrite(term).stop, Stop::kMemoryLimit);
}

TEST(Machine, MemoryOfALongRunIsReclaimed) {
  // Half a million rewrites make many times the nodes that 4 MB hold.
  const RuleRewriter rewriter(text_rules(kPeano), {.max_bytes = std::size_t{1} << 23});
  const Result result = rewriter.rewrite("fib(" + number(24) + ")");
  EXPECT_EQ(result.formula, number(46368));
  EXPECT_GT(result.steps, 500'000u);
}

TEST(RuleRewriter, RecordsEveryStepWithItsRule) {
  const RuleRewriter rewriter(text_rules(kPeano));
  const std::string formula = rewriter.canonical(" plus( s(0) , plus(0,0))");
  EXPECT_EQ(formula, "plus(s(0),plus(0,0))");
  const Result result = rewriter.rewrite(formula, {.keep_rounds = true});
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(
      replay(formula, result.record),
      (std::vector<std::string>{"plus(s(0),plus(0,0))", "plus(s(0),0)", "s(plus(0,0))", "s(0)"}));
  EXPECT_EQ(result.record[1][0].origin.rule, "plus(s(x),y) -> s(plus(x,y))");
  EXPECT_EQ(result.record[1][0].origin.source, ValueSource::kRule);
}

TEST(RuleRewriter, RecordsInfixWithTheBracketsOfThePlace) {
  const RuleRewriter rewriter(text_rules("notation infix\n-(-?x) -> ?x\n?x+0 -> ?x\nn -> -m\n"));
  const std::string formula = rewriter.canonical("a*(-(-(b+0)))+n");
  const Result result = rewriter.rewrite(formula, {.keep_rounds = true});
  const std::vector<std::string> texts = replay(formula, result.record);
  EXPECT_EQ(texts.back(), "((a*b)+(-(m)))");
  EXPECT_EQ(texts.back(), rewriter.rewrite(formula).formula);
}

TEST(RuleRewriter, Outermost) {
  const RuleRewriter lazy(text_rules("k(?x,?y) -> ?x\nloop -> loop\n"),
                          {.strategy = term::Strategy::kOutermost});
  EXPECT_EQ(lazy.rewrite("k(a,loop)").formula, "a");
  EXPECT_EQ(lazy.rewrite("loop", {.max_steps = 100}).stop, Stop::kStepLimit);
  const RuleRewriter eager(text_rules("k(?x,?y) -> ?x\nloop -> loop\n"));
  EXPECT_EQ(eager.rewrite("k(a,loop)", {.max_steps = 100}).stop, Stop::kStepLimit);
}

TEST(RuleRewriter, ForeignSymbolsAreFree) {
  const RuleRewriter rewriter(text_rules(kGroup));
  EXPECT_EQ(rewriter.rewrite("m(i(m(a,new(b,c,d))),m(a,new(b,c,d)))").formula, "1");
  EXPECT_EQ(rewriter.rewrite("new(i(i(?v)),i(1))").formula, "new(?v,1)");
  EXPECT_THROW(rewriter.check("m(a)"), Error);
  EXPECT_THROW(rewriter.check("m(a,"), Error);
}

TEST(RuleRewriter, TheSameResultsInEveryThread) {
  const RuleRewriter rewriter(text_rules(kPeano));
  std::vector<std::string> results(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < results.size(); ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 20; ++k) results[i] = rewriter.rewrite("fib(" + number(12) + ")").formula;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& result : results) EXPECT_EQ(result, number(144));
}

}  // namespace
}  // namespace nrs::rewrite::rules
