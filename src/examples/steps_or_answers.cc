#include "examples/steps_or_answers.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace nrs::examples {
namespace {

constexpr double kOftenAgain = 0.1;  // second formulas that are first ones of other lines
constexpr double kMostlyKept = 0.3;  // of a formula, at both ends
constexpr double kHardlyKept = 0.1;
constexpr double kMuchShorter = 4;    // a question is so many times as long as its answer
constexpr double kLengthsDiffer = 2;  // the longer questions, compared with the shorter ones

// Characters that both have at the beginning and at the end, per character of the first.
double kept(const Pair& pair) {
  const auto& [first, second] = pair;
  const std::size_t most = std::min(first.size(), second.size());
  std::size_t front = 0;
  while (front < most && first[front] == second[front]) ++front;
  std::size_t back = 0;
  while (back < most - front && first[first.size() - 1 - back] == second[second.size() - 1 - back])
    ++back;
  return static_cast<double>(front + back) /
         static_cast<double>(std::max<std::size_t>(first.size(), 1));
}

double again(std::span<const Pair> pairs) {
  // What is its own answer in some line is final, whatever a wrong line says: True = False.
  std::unordered_set<std::string_view> rewritten;
  for (const auto& [first, second] : pairs) {
    if (first != second) rewritten.insert(first);
  }
  for (const auto& [first, second] : pairs) {
    if (first == second) rewritten.erase(first);
  }
  const auto count = std::count_if(pairs.begin(), pairs.end(), [&](const Pair& pair) {
    return pair.first != pair.second && rewritten.contains(pair.second);
  });
  return static_cast<double>(count) / static_cast<double>(pairs.size());
}

template <class Value>
Value middle(std::vector<Value> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// Of the longer half of the questions: there a step leaves much as it is, and an answer nothing.
struct Longer {
  double kept = 0;
  double shorter = 1;  // how many times as long as the second formula
  double ratio = 1;    // to the shorter half
};

Longer look_at_longer(std::span<const Pair> pairs) {
  std::vector<Pair> sorted(pairs.begin(), pairs.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Pair& a, const Pair& b) { return a.first.size() < b.first.size(); });
  std::vector<double> parts;
  std::vector<double> shorter;
  for (std::size_t i = sorted.size() / 2; i < sorted.size(); ++i) {
    parts.push_back(kept(sorted[i]));
    shorter.push_back(static_cast<double>(sorted[i].first.size()) /
                      static_cast<double>(std::max<std::size_t>(sorted[i].second.size(), 1)));
  }
  const auto size_at = [&](std::size_t quarter) {
    const std::size_t size = sorted[sorted.size() * quarter / 4].first.size();
    return static_cast<double>(std::max<std::size_t>(size, 1));
  };
  return {middle(std::move(parts)), middle(std::move(shorter)), size_at(3) / size_at(1)};
}

}  // namespace

bool leads_on(std::span<const Pair> pairs) {
  return !pairs.empty() && again(pairs) >= kOftenAgain;
}

Decision steps_or_answers(std::span<const Pair> pairs, Kind likelier) {
  if (pairs.empty()) return {likelier, ""};
  if (leads_on(pairs)) {
    return {Kind::kSteps, "what a line ends with, other lines begin with", true};
  }
  const Longer longer = look_at_longer(pairs);
  if (longer.kept >= kMostlyKept) {
    return {Kind::kSteps, "most of a formula stays as it is"};
  }
  if (likelier == Kind::kAnswer) return {Kind::kAnswer, "nothing of a formula stays as it is"};
  const bool plainly_answers =
      longer.kept < kHardlyKept && longer.shorter >= kMuchShorter && longer.ratio >= kLengthsDiffer;
  if (!plainly_answers) return {Kind::kSteps, "a line has one arrow"};
  return {Kind::kAnswer, "nothing of a formula stays as it is, however long it is"};
}

}  // namespace nrs::examples
