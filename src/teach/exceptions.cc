#include "teach/exceptions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

namespace nrs::teach {
namespace {

constexpr char32_t kEdge = ~char32_t{0};  // no token

// A use inside of a longer row.
struct Inner {
  std::uint32_t step;
  Row leaf;
  const Row* value;
  char32_t left, right;  // the tokens beside it
  bool usual = true;
};

// The value that most uses give to a leaf is the usual one. A leaf that is the whole row may have
// another value for that reason alone.
std::vector<Inner> inner_uses(std::span<const TextStep> steps, std::span<const Use> uses) {
  std::vector<Inner> inner;
  std::map<Row, std::map<Row, std::size_t>> counts;
  for (const auto& [step, rewrite] : uses) {
    const Row& row = *steps[step].before;
    const std::size_t size = rewrite.end - rewrite.begin;
    if (size == row.size()) continue;
    inner.push_back({.step = step,
                     .leaf = row.substr(rewrite.begin, size),
                     .value = &rewrite.value,
                     .left = rewrite.begin == 0 ? kEdge : row[rewrite.begin - 1],
                     .right = rewrite.end == row.size() ? kEdge : row[rewrite.end]});
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

// Which neighbours count, and what is known of a token: itself, or its class.
template <class Known>
std::set<std::uint32_t> decided(std::span<const Inner> inner, double share, bool left, bool right,
                                const Known& known) {
  std::map<std::pair<char32_t, char32_t>, Group> groups;
  for (const Inner& use : inner) {
    Group& group = groups[{left ? known(use.left) : 0, right ? known(use.right) : 0}];
    ++group.all;
    if (!use.usual) group.unusual.push_back(use.step);
  }
  std::set<std::uint32_t> steps;
  for (const auto& [neighbours, group] : groups) {
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
  const auto class_of = [&](char32_t token) {
    return token == kEdge ? token : corpus.class_of(token);
  };
  for (const auto& [left, right] : {std::pair{true, false}, {false, true}, {true, true}}) {
    const auto tokens = decided(inner, share, left, right, std::identity{});
    const auto classes = decided(inner, share, left, right, class_of);
    if (!std::ranges::includes(classes, tokens)) return std::nullopt;
    found.insert(classes.begin(), classes.end());
  }
  return found;
}

}  // namespace nrs::teach
