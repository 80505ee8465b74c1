#include "data/distinct.h"

#include <gtest/gtest.h>

#include <set>

#include "nrs/error.h"

namespace nrs::data {
namespace {

std::vector<std::string> draw(const char* domain, const DrawRequest& request) {
  SeenTexts seen;
  std::vector<std::string> formulas;
  const std::size_t count = draw_distinct(find_domain(domain), request, seen,
                                          [&](const Sample& s) { formulas.push_back(s.formula); });
  EXPECT_EQ(count, formulas.size());
  EXPECT_EQ(std::set<std::string>(formulas.begin(), formulas.end()).size(), formulas.size());
  return formulas;
}

TEST(Distinct, AskingForTooManyGivesAllThereAre) {
  EXPECT_EQ(draw("logic", {.shape = {0, 2}, .count = 1000}).size(), 28u);
  EXPECT_EQ(draw("logic", {.shape = {1, 2}, .count = 1000}).size(), 270u);
  const Shape paper{1, 2, FormulaSpace::kPaper};
  EXPECT_EQ(draw("logic", {.shape = paper, .count = 1000}).size(), 166u);
  EXPECT_EQ(draw("logic", {.shape = {2, 2}, .count = 1u << 30}).size(), 99114u);
  const Shape nested{2, 2, FormulaSpace::kPaper};
  EXPECT_EQ(draw("logic", {.shape = nested, .count = 1u << 30}).size(), 21478u);
  EXPECT_EQ(draw("listops", {.shape = {1, 3}, .count = 5000}).size(), 3000u);
  EXPECT_EQ(draw("arithmetic", {.shape = {1, 2}, .count = 200000}).size(), 118803u);
}

TEST(Distinct, EndsWhenNothingNewComes) {
  // 9,000 lists have a list and then a digit in them; they are drawn, not listed.
  EXPECT_EQ(draw("listops", {.shape = {2, 2}, .step = 1, .count = 100000}).size(), 9000u);
}

TEST(Distinct, SameSeedSameFormulasWithAnyNumberOfThreads) {
  for (const Domain* domain : all_domains()) {
    const std::string name(domain->name());
    const DrawRequest one{.shape = {3, 2}, .count = 20000, .seed = 9, .threads = 1};
    DrawRequest three = one;
    three.threads = 3;
    DrawRequest fewer = one;
    fewer.count = 100;
    const std::vector<std::string> formulas = draw(name.c_str(), one);
    EXPECT_EQ(formulas, draw(name.c_str(), three));
    EXPECT_TRUE(
        std::equal(formulas.begin(), formulas.begin() + 100, draw(name.c_str(), fewer).begin()));
    DrawRequest other = one;
    other.seed = 10;
    EXPECT_NE(formulas, draw(name.c_str(), other));
  }
}

TEST(Distinct, TakesNothingThatWasSeen) {
  SeenTexts seen;
  const Domain& logic = find_domain("logic");
  std::set<std::string> all;
  for (const std::uint64_t seed : {1u, 2u}) {
    draw_distinct(logic, {.shape = {1, 2}, .count = 150, .seed = seed}, seen,
                  [&](const Sample& s) { EXPECT_TRUE(all.insert(s.formula).second); });
  }
  EXPECT_EQ(all.size(), 270u);
}

TEST(Distinct, RefusesShapesThatAreTooLarge) {
  SeenTexts seen;
  EXPECT_THROW(draw_distinct(find_domain("arithmetic"), {.shape = {60, 2}, .count = 1}, seen,
                             [](const Sample&) {}),
               Error);
}

TEST(Distinct, DeepLogicIsNoProblem) {
  EXPECT_EQ(find_domain("logic").nesting(draw("logic", {.shape = {100000, 2}, .count = 1})[0]),
            100000);
}

TEST(SeenTexts, RemembersManyTexts) {
  SeenTexts seen;
  for (int i = 0; i < 100000; ++i) EXPECT_TRUE(seen.insert(std::to_string(i)));
  for (int i = 0; i < 100000; ++i) EXPECT_FALSE(seen.insert(std::to_string(i)));
  EXPECT_TRUE(seen.contains("99999"));
  EXPECT_FALSE(seen.contains("100000"));
  EXPECT_EQ(seen.size(), 100000u);
}

}  // namespace
}  // namespace nrs::data
