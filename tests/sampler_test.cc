// Of a large file a bounded share is kept.
#include "examples/sampler.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "temporary.h"

namespace nrs::examples {
namespace {

Example question(std::string text, std::string answer, std::uint32_t line) {
  return {.line = line, .kind = Kind::kAnswer, .formulas = {std::move(text), std::move(answer)}};
}

// 2,000 questions of 4 characters and as many of 40, each with two answers.
std::vector<Example> many() {
  std::vector<Example> all;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    const std::string number = std::to_string(1000 + i);
    for (const char* answer : {"1", "2"}) {
      all.push_back(question(number, answer, static_cast<std::uint32_t>(all.size()) + 1));
      all.push_back(question(std::string(36, '+') + number, answer,
                             static_cast<std::uint32_t>(all.size()) + 1));
    }
  }
  return all;
}

std::size_t bytes_of(const std::vector<Example>& examples) {
  std::size_t bytes = 0;
  for (const Example& example : examples) bytes += examples::bytes_of(example);
  return bytes;
}

std::vector<Example> share(const std::vector<Example>& all, std::size_t bytes, std::uint64_t seed,
                           std::size_t* left_out = nullptr) {
  Sampler sampler(bytes, seed);
  for (const Example& example : all) sampler.take(example);
  if (left_out != nullptr) *left_out = sampler.left_out();
  return sampler.result();
}

TEST(Sampler, KeepsAllIfThereIsRoom) {
  const std::vector<Example> all = many();
  std::size_t left_out = 1;
  EXPECT_EQ(share(all, bytes_of(all), 1, &left_out), all);
  EXPECT_EQ(left_out, 0u);
}

TEST(Sampler, HasABoundAndCountsWhatIsLeftOut) {
  const std::vector<Example> all = many();
  std::size_t left_out = 0;
  const std::vector<Example> some = share(all, bytes_of(all) / 3, 1, &left_out);
  EXPECT_LE(bytes_of(some), bytes_of(all) / 3);
  EXPECT_GT(bytes_of(some), bytes_of(all) / 4);
  EXPECT_EQ(some.size() + left_out, all.size());
  EXPECT_EQ(share(all, bytes_of(all) / 3, 1), some);
  EXPECT_NE(share(all, bytes_of(all) / 3, 2), some);
}

TEST(Sampler, KeepsAllOfALengthThatHasFewAndAllAnswersToAQuestion) {
  std::vector<Example> all = many();
  std::erase_if(all, [](const Example& example) {  // a tenth of the short ones stays
    return example.formulas[0].size() == 4 && example.formulas[0].back() != '7';
  });
  const std::vector<Example> some = share(all, bytes_of(all) / 3, 1);
  std::map<std::string, std::set<std::string>> answers;
  std::size_t brief = 0;
  for (const Example& example : some) {
    answers[example.formulas[0]].insert(example.formulas[1]);
    brief += example.formulas[0].size() == 4;
  }
  EXPECT_EQ(brief, 400u);
  std::size_t alone = 0;  // only where room ended in the middle of a question
  for (const auto& [text, given] : answers) alone += given.size() == 1;
  EXPECT_LE(alone, 1u);
}

TEST(Sampler, CountsWhatIsTheSame) {
  Sampler sampler(1 << 20, 1);
  for (std::uint32_t line = 1; line <= 10; ++line) sampler.take(question("1+2", "3", line));
  sampler.take(question("1+2", "4", 11));
  const std::vector<Example> kept = sampler.result();
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].times, 10u);
  EXPECT_EQ(kept[1].times, 1u);
}

class LargeFile : public TemporaryFolder {};

TEST_F(LargeFile, IsReadAndVisitedAlike) {
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += std::to_string(i) + "+" + std::to_string(7 * i % 100) + " = " +
            std::to_string(i + 7 * i % 100) + "\n";
  }
  const std::filesystem::path path = write("sums.txt", text);
  const ReadOptions options{.most_bytes = 100'000};
  const ExampleFile file = read_examples(path, options);
  EXPECT_EQ(file.kind, Kind::kAnswer);
  EXPECT_GT(file.left_out, 1000u);
  EXPECT_EQ(file.examples.size() + file.left_out, 3000u);
  std::map<std::uint32_t, Example> visited;
  visit_examples(path, options,
                 [&](Example&& example) { visited.emplace(example.line, std::move(example)); });
  ASSERT_EQ(visited.size(), 3000u);
  for (const Example& example : file.examples) EXPECT_EQ(visited.at(example.line), example);
}

}  // namespace
}  // namespace nrs::examples
