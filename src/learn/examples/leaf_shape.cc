#include "learn/examples/leaf_shape.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <unordered_map>

namespace nrs {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

void append_shape(std::string_view text, std::string& shape) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_digit(text[i])) {
      shape += text[i];
    } else if (i == 0 || !is_digit(text[i - 1])) {
      shape += '#';
    }
  }
}

}  // namespace

std::string leaf_shape(std::string_view leaf, std::string_view value) {
  std::string shape;
  append_shape(leaf, shape);
  shape += '=';
  append_shape(value, shape);
  return shape;
}

std::vector<float> rarities(const PairList& pairs, double rarity) {
  std::vector<float> rare(pairs.size(), 1.0f);
  if (rarity == 0) return rare;
  std::unordered_map<std::string, std::size_t> counts;
  std::vector<const std::size_t*> count_of(pairs.size(), nullptr);  // null: final
  std::size_t commonest = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs.omega(i)) continue;
    std::size_t& count = counts[leaf_shape(pairs.text(i), pairs.value(i))];
    commonest = std::max(commonest, ++count);
    count_of[i] = &count;
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (count_of[i] == nullptr) continue;
    const auto times = static_cast<double>(commonest) / static_cast<double>(*count_of[i]);
    rare[i] = static_cast<float>(std::pow(times, rarity));
  }
  return rare;
}

}  // namespace nrs
