// Termination, confluence, completeness, and certificates.
#include "check/check.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "check/completeness.h"
#include "check/verify.h"
#include "nrs/error.h"
#include "term/rule_file.h"

namespace nrs::check {
namespace {

using Json = nlohmann::json;

term::RuleSet rules_of(const std::string& text) {
  return term::read_rules(text, term::RuleFormat::kText, "test");
}

std::string orders_of(const std::string& text) {
  const auto proof = prove_termination(rules_of(text));
  return proof ? show_orders(*proof) : "none";
}

TEST(Termination, PathOrders) {
  EXPECT_EQ(orders_of("plus(0,?y) -> ?y\nplus(s(?x),?y) -> s(plus(?x,?y))\n"),
            "a recursive path order");
  // From the left, from the right, and as multisets.
  EXPECT_EQ(orders_of("m(m(?x,?y),?z) -> m(?x,m(?y,?z))\n"), "a recursive path order");
  EXPECT_EQ(orders_of("m(?x,m(?y,?z)) -> m(m(?x,?y),?z)\n"), "a recursive path order");
  EXPECT_EQ(orders_of("ack(0,?y) -> s(?y)\nack(s(?x),0) -> ack(?x,s(0))\n"
                      "ack(s(?x),s(?y)) -> ack(?x,ack(s(?x),?y))\n"),
            "a recursive path order");
}

TEST(Termination, KnuthBendix) {
  // not stands above and below the others for a path order.
  EXPECT_EQ(orders_of("not(not(?x)) -> ?x\n"
                      "not(or(?x,?y)) -> and(not(not(not(?x))),not(not(not(?y))))\n"
                      "not(and(?x,?y)) -> or(not(not(not(?x))),not(not(not(?y))))\n"),
            "a Knuth-Bendix order");
}

TEST(Termination, PolynomialsRemoveSomeRules) {
  const auto proof = prove_termination(rules_of("f(f(?x)) -> f(g(f(?x)))\n"));
  EXPECT_FALSE(proof.has_value());  // needs more than these orders
  EXPECT_NE(orders_of("a(b(?x)) -> b(a(?x))\nc(?x) -> b(?x)\n"), "none");
}

TEST(Termination, DoesNotProveWhatIsFalse) {
  EXPECT_EQ(orders_of("f(?x) -> f(?x)\n"), "none");
  EXPECT_EQ(orders_of("f(?x,?y) -> f(?y,?x)\n"), "none");
  EXPECT_EQ(orders_of("a -> b\nb -> a\n"), "none");
  EXPECT_EQ(orders_of("f(0,1,?x) -> f(?x,?x,?x)\ng(?x,?y) -> ?x\ng(?x,?y) -> ?y\n"), "none");
}

TEST(Confluence, FindsCriticalPairs) {
  term::RuleSet group =
      rules_of("m(e,?x) -> ?x\nm(i(?x),?x) -> e\nm(m(?x,?y),?z) -> m(?x,m(?y,?z))\n");
  const Confluence result = check_confluence(group);
  EXPECT_EQ(result.pairs, 3u);
  EXPECT_FALSE(result.joined);
  EXPECT_TRUE(result.refuted);
  EXPECT_FALSE(result.open.empty());
}

TEST(Confluence, OfCompletedRules) {
  term::RuleSet group = rules_of(
      "m(e,?x) -> ?x\nm(?x,e) -> ?x\nm(i(?x),?x) -> e\nm(?x,i(?x)) -> e\n"
      "m(m(?x,?y),?z) -> m(?x,m(?y,?z))\ni(e) -> e\ni(i(?x)) -> ?x\nm(i(?x),m(?x,?y)) -> ?y\n"
      "m(?x,m(i(?x),?y)) -> ?y\ni(m(?x,?y)) -> m(i(?y),i(?x))\n");
  const Checked checked = check_rules(group);
  EXPECT_TRUE(checked.convergent());
  EXPECT_EQ(refute_certificate(group, certificate(group, checked)), std::nullopt);
}

TEST(Confluence, OrthogonalRulesNeedNoTermination) {
  term::RuleSet rules = rules_of("f(?x) -> g(f(?x))\n");
  const Checked checked = check_rules(rules);
  EXPECT_EQ(checked.terminating(), Answer::kUnknown);
  EXPECT_EQ(checked.confluent(), Answer::kYes);
}

TEST(Completeness, NamesStuckTerms) {
  EXPECT_EQ(stuck_terms(rules_of("head(cons(?x,?y)) -> ?x\nlen(nil) -> 0\nlen(cons(?x,?y)) -> "
                                 "s(len(?y))\nlen(tail(?x)) -> 0\n"))
                .size(),
            1u);
  EXPECT_EQ(stuck_terms(
                rules_of("le(0,?y) -> true\nle(s(?x),0) -> false\nle(s(?x),s(?y)) -> le(?x,?y)\n")),
            std::vector<std::string>{});
  EXPECT_EQ(stuck_terms(rules_of("half(0) -> 0\nhalf(s(s(?x))) -> s(half(?x))\n")),
            std::vector<std::string>{"half(s(0))"});
}

TEST(Certificate, ChangesAreNoticed) {
  term::RuleSet rules = rules_of(
      "d(t) -> 1\nd(0) -> 0\nd(plus(?x,?y)) -> plus(d(?x),d(?y))\n"
      "d(mul(?x,?y)) -> plus(mul(?y,d(?x)),mul(?x,d(?y)))\nplus(0,?x) -> ?x\nplus(?x,0) -> ?x\n");
  const Checked checked = check_rules(rules);
  ASSERT_TRUE(checked.convergent());
  const Json good = Json::parse(certificate(rules, checked));
  EXPECT_EQ(refute_certificate(rules, good.dump()), std::nullopt);

  Json changed = good;
  changed["termination"][0]["level"]["plus/2"] = 1000;
  EXPECT_TRUE(refute_certificate(rules, changed.dump()).has_value());
  changed = good;
  changed["confluence"]["critical_pairs"] = 17;
  EXPECT_TRUE(refute_certificate(rules, changed.dump()).has_value());
  changed = good;
  changed["rules"].erase(0);
  EXPECT_EQ(refute_certificate(rules, changed.dump()), "it is for other rules");
  changed = good;
  changed["termination"][0]["removes"].erase(0);
  EXPECT_TRUE(refute_certificate(rules, changed.dump()).has_value());
  EXPECT_TRUE(refute_certificate(rules, "{}").has_value());
  EXPECT_TRUE(refute_certificate(rules, "nonsense").has_value());
}

TEST(Check, RefusesConditions) {
  term::RuleSet rules = rules_of("f(?x) -> a\n");
  rules.rules[0].conditions.push_back({rules.rules[0].right, rules.rules[0].right});
  EXPECT_THROW(check_rules(rules), Error);
}

// Every certificate that is found for a public system must hold when it is checked again.
TEST(Certificate, OfPublicSystems) {
  const std::filesystem::path folder = std::filesystem::path(NRS_SHARED) / "trs" / "tpdb";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
  std::size_t proved = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    term::RuleSet rules = term::read_rule_file(entry.path());
    const Checked checked = check_rules(rules);
    EXPECT_NE(checked.confluent(), Answer::kNo) << entry.path();
    EXPECT_EQ(refute_certificate(rules, certificate(rules, checked)), std::nullopt) << entry.path();
    proved += checked.convergent();
    const std::string name = entry.path().stem().string();
    if (name == "Der95__08" || name == "Der95__17" || name == "Der95__20") {
      EXPECT_TRUE(checked.convergent()) << name;
    }
  }
  EXPECT_GT(proved, 15u);
}

}  // namespace
}  // namespace nrs::check
