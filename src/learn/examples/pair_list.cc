#include "learn/examples/pair_list.h"

#include <algorithm>
#include <numeric>

namespace nrs::learn {

void PairList::add(std::string_view text, std::string_view value, int group) {
  rows_.push_back({.begin = characters_.size(),
                   .text = static_cast<std::uint32_t>(text.size()),
                   .value = static_cast<std::uint32_t>(value.size()),
                   .group = group});
  characters_ += text;
  characters_ += value;
}

PairList PairList::pick(const std::vector<std::size_t>& numbers) const {
  PairList picked;
  for (const std::size_t i : numbers) picked.add(text(i), value(i), group(i));
  return picked;
}

PairList PairList::shuffled(Rng& rng) const {
  std::vector<std::size_t> order(size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  rng.shuffle(order);
  return pick(order);
}

int PairList::append(const PairList& other, int first_group) {
  int end = first_group;
  for (std::size_t i = 0; i < other.size(); ++i) {
    const int group = other.omega(i) ? kFinalGroup : first_group + other.group(i) - 1;
    add(other.text(i), other.value(i), group);
    end = std::max(end, group + 1);
  }
  return end;
}

}  // namespace nrs::learn
