// Public systems relearned from chains: a sample of those beside the repository.
#include <gtest/gtest.h>

#include <filesystem>

#include "induced_rules.h"

namespace nrs::induce {
namespace {

namespace fs = std::filesystem;

class PublicSystem : public testing::TestWithParam<const char*> {};

// Rules from 600 chains of terms of depth 2-5 give the right normal forms of fresh terms of
// depth 7.
TEST_P(PublicSystem, IsRelearned) {
  const fs::path path = fs::path(NRS_SHARED) / "trs" / "tpdb" / (std::string(GetParam()) + ".ari");
  if (!fs::exists(path)) GTEST_SKIP() << path << " is not there";
  term::RuleSet rules = term::read_rule_file(path);
  ChainFile file = chains_of(rules, {.count = 600, .constants = 2});
  const Learned learned = learn_rules(file.terms, file.chains);
  EXPECT_TRUE(learned.suspicious.empty());
  std::string text;
  for (const LearnedRule& rule : learned.rules) {
    text += term::to_string(file.terms, rule.rule.left) + " -> " +
            term::to_string(file.terms, rule.rule.right) + "\n";
  }
  term::RuleSet own = rules_of(text);
  EXPECT_EQ(names_of(own), names_of(rules));

  term::RandomTerms draw(rules, 0);
  term::Reducer exact(rules.terms, rules.rules);
  term::Reducer found(own.terms, own.rules);
  Rng rng(11);
  for (int i = 0; i < 100; ++i) {
    const term::Term start = draw.draw(7, rng);
    exact.set_limit(3000);
    found.set_limit(9000);
    const auto wanted = exact.normal_form(start);
    if (!wanted || rules.terms.size(*wanted) > 10'000) continue;
    const auto got =
        found.normal_form(term::read_term(own.terms, term::to_string(rules.terms, start)));
    ASSERT_TRUE(got.has_value());
    EXPECT_EQ(term::to_string(own.terms, *got), term::to_string(rules.terms, *wanted));
  }
}

INSTANTIATE_TEST_SUITE_P(Tpdb, PublicSystem,
                         testing::Values("AProVE_06__quicksort", "AProVE_07__otto06", "Der95__08",
                                         "Der95__17", "Der95__20", "GTSSK07__cade14", "SK90__2.12"),
                         [](const auto& param) {
                           std::string name = param.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace nrs::induce
