#include "teach/exceptions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace nrs::teach {
namespace {

// A use inside of a longer row.
struct Inner {
  std::uint32_t step;
  Row leaf;
  const Row* value;
  bool usual = true;
};

// The value that most uses give to a leaf is the usual one. A leaf that is the whole row may have
// another value for that reason alone.
std::vector<Inner> inner_uses(std::span<const TextStep> steps, std::span<const Use> uses) {
  std::vector<Inner> inner;
  std::map<Row, std::map<Row, std::size_t>> counts;
  for (const auto& [step, rewrite] : uses) {
    const std::size_t size = rewrite.end - rewrite.begin;
    if (size == steps[step].before->size()) continue;
    inner.push_back({step, steps[step].before->substr(rewrite.begin, size), &rewrite.value});
    ++counts[inner.back().leaf][rewrite.value];
  }
  for (Inner& use : inner) {
    const auto& values = counts[use.leaf];
    const auto& usual =
        *std::ranges::max_element(values, {}, [](const auto& value) { return value.second; });
    use.usual = usual.first == *use.value;
  }
  return inner;
}

// Uses beside one neighbour.
struct Group {
  std::size_t all = 0;
  std::vector<std::uint32_t> unusual{};  // steps

  // Whether the neighbour decides, if `share` of all uses are unusual.
  bool decides(double share) const {
    constexpr double kNearlyAlways = 0.8, kChance = 1e-4;
    const auto count = static_cast<double>(unusual.size());
    return count >= kNearlyAlways * static_cast<double>(all) && std::pow(share, count) < kChance;
  }
};

// Tells by `beside` which neighbours of a use count, left and right.
template <class Beside>
std::set<std::uint32_t> decided(std::span<const Inner> inner, double share, const Beside& beside) {
  std::map<std::pair<char32_t, char32_t>, Group> groups;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    Group& group = groups[beside(i)];
    ++group.all;
    if (!inner[i].usual) group.unusual.push_back(inner[i].step);
  }
  std::set<std::uint32_t> steps;
  for (const auto& [neighbour, group] : groups) {
    if (group.decides(share)) steps.insert(group.unusual.begin(), group.unusual.end());
  }
  return steps;
}

}  // namespace

std::optional<std::set<std::uint32_t>> exceptions(const Corpus& corpus,
                                                  std::span<const TextStep> steps,
                                                  std::span<const Use> uses) {
  const std::vector<Inner> inner = inner_uses(steps, uses);
  const auto unusual = std::ranges::count(inner, false, &Inner::usual);
  std::set<std::uint32_t> found;
  if (unusual == 0) return found;
  const double share = static_cast<double>(unusual) / static_cast<double>(inner.size());
  std::map<std::uint32_t, const Rewrite*> places;
  for (const auto& [step, rewrite] : uses) places[step] = &rewrite;
  constexpr char32_t kEdge = ~char32_t{0};  // no token
  const auto class_of = [&](char32_t token) {
    return token == kEdge ? token : corpus.class_of(token);
  };
  using Pair = std::pair<char32_t, char32_t>;
  const auto beside = [&](std::size_t use) -> Pair {
    const Row& row = *steps[inner[use].step].before;
    const Rewrite& place = *places.at(inner[use].step);
    return {place.begin == 0 ? kEdge : row[place.begin - 1],
            place.end == row.size() ? kEdge : row[place.end]};
  };
  // Left alone, right alone, and both together.
  constexpr std::array<std::pair<bool, bool>, 3> kSides{
      {{true, false}, {false, true}, {true, true}}};
  for (const auto& [left, right] : kSides) {
    const auto by_token = [&, left = left, right = right](std::size_t use) -> Pair {
      const Pair pair = beside(use);
      return {left ? pair.first : 0, right ? pair.second : 0};
    };
    const auto by_class = [&, left = left, right = right](std::size_t use) -> Pair {
      const Pair pair = beside(use);
      return {left ? class_of(pair.first) : 0, right ? class_of(pair.second) : 0};
    };
    const std::set<std::uint32_t> tokens = decided(inner, share, by_token);
    const std::set<std::uint32_t> classes = decided(inner, share, by_class);
    if (!std::ranges::includes(classes, tokens)) return std::nullopt;
    found.insert(classes.begin(), classes.end());
  }
  return found;
}

}  // namespace nrs::teach
