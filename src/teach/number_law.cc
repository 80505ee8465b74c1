#include "teach/number_law.h"

#include <algorithm>

#include "teach/laws.h"

namespace nrs::teach {
namespace {

constexpr std::size_t kFewestLeaves = 40;  // from which arithmetic is concluded

// What the remainder may be taken by: what all values are below, and the next power of ten.
std::vector<long> moduli(long greatest) {
  long power = 10;
  while (power <= greatest) power *= 10;
  return greatest + 1 == power ? std::vector<long>{0, power}
                               : std::vector<long>{0, power, greatest + 1};
}

}  // namespace

Numbers::Numbers(Corpus& corpus) : corpus_(corpus) {
  for (const RowExample& example : corpus.examples()) {
    if (!example.complete || example.rows.back().size() != 1) continue;
    const std::optional<text::Counted> found = text::counted(corpus.token(example.rows.back()[0]));
    if (found) heads_.emplace(found->number, found->head);
  }
}

const Numbers::Number* Numbers::number_of(char32_t token) const {
  const auto [entry, is_new] = read_.try_emplace(token);
  if (is_new) {
    const std::optional<text::Counted> found = text::counted(corpus_.token(token));
    if (found) entry->second = Number{found->number, std::string(found->tail)};
  }
  return entry->second ? &*entry->second : nullptr;
}

bool Numbers::agrees(const text::Computation& computation, const Row& leaf,
                     const Row& value) const {
  const Number* a = number_of(leaf[computation.left]);
  const Number* b = number_of(leaf[computation.right]);
  const Number* result = value.size() == 1 ? number_of(value[0]) : nullptr;
  return a != nullptr && b != nullptr && result != nullptr && a->tail == b->tail &&
         a->tail == result->tail && compute(computation, a->number, b->number) == result->number;
}

std::optional<text::Computation> Numbers::law_of(const Symbols& body, const LeafValues& leaves,
                                                 double doubt) const {
  if (leaves.size() < kFewestLeaves) return {};
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < body.size(); ++place) {
    if (number_of((*leaves.front().first)[place]) != nullptr) places.push_back(place);
  }
  if (places.size() != 2) return {};
  long greatest = 0;
  for (const auto& [leaf, value] : leaves) {
    const Number* number = value->size() == 1 ? number_of((*value)[0]) : nullptr;
    if (number != nullptr) greatest = std::max(greatest, std::abs(number->number));
  }
  for (const long modulus : moduli(greatest)) {
    for (const char operation : {'+', '-', '*'}) {
      for (const bool floored : {true, false}) {
        if (floored && modulus == 0) continue;
        const text::Computation tried{operation, places[0], places[1], modulus, floored};
        Agreement agreement;
        for (const auto& [leaf, value] : leaves) {
          ++agreement.compared;
          agreement.different += !agrees(tried, *leaf, *value);
        }
        if (agreement.holds(doubt)) return tried;
      }
    }
  }
  return {};
}

std::optional<Row> Numbers::value(const text::Computation& computation, const Row& leaf) const {
  const Number* a = number_of(leaf[computation.left]);
  const Number* b = number_of(leaf[computation.right]);
  if (a == nullptr || b == nullptr || a->tail != b->tail) return {};
  if (!heads_.contains(a->number) || !heads_.contains(b->number)) return {};
  const long number = compute(computation, a->number, b->number);
  const auto [entry, is_new] = spelt_.try_emplace({number, a->tail});
  if (is_new) {
    const auto head = heads_.find(number);
    if (head != heads_.end()) entry->second = corpus_.read(head->second + a->tail);
  }
  return entry->second.size() == 1 ? std::optional(entry->second) : std::nullopt;
}

std::vector<std::string> Numbers::heads() const {
  std::vector<std::string> all;
  for (const auto& [number, head] : heads_) all.push_back(head);
  return all;
}

}  // namespace nrs::teach
