#include "teach/laws.h"

#include <algorithm>
#include <numeric>

namespace nrs::teach {
namespace {

constexpr std::uint64_t kLeastCompared = 12;

void add(const Draft::ValueCounts& counts, Agreement& agreement) {
  std::uint64_t all = 0, most = 0;
  for (const auto& [value, count] : counts) {
    all += count;
    most = std::max(most, count);
  }
  agreement.compared += all - 1;
  agreement.different += all - most;
}

// Whether the value stays when the tokens of the groups change places.
bool holds(const Corpus& corpus, const text::AnyOrder& groups, const LeafValues& leaves,
           double doubt) {
  Draft::Values sorted;
  for (const auto& [leaf, value] : leaves) {
    Row row = *leaf;
    corpus.sort(row, groups);
    ++sorted[row][*value];
  }
  Agreement agreement;
  for (const auto& [leaf, counts] : sorted) add(counts, agreement);
  return agreement.holds(doubt);
}

// Places of the same class that can be exchanged two by two, joined.
text::AnyOrder joined_pairs(const Corpus& corpus, const std::vector<std::size_t>& places,
                            const LeafValues& leaves, double doubt) {
  std::vector<std::size_t> group(places.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = i + 1; j < places.size(); ++j) {
      if (group[i] == group[j] || !holds(corpus, {{places[i], places[j]}}, leaves, doubt)) continue;
      std::ranges::replace(group, std::size_t{group[j]}, std::size_t{group[i]});
    }
  }
  text::AnyOrder groups;
  for (std::size_t g = 0; g < places.size(); ++g) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (group[i] == g) members.push_back(places[i]);
    }
    if (members.size() > 1) groups.push_back(std::move(members));
  }
  return groups;
}

}  // namespace

double Agreement::share() const {
  return compared == 0 ? 0 : static_cast<double>(different) / static_cast<double>(compared);
}

bool Agreement::holds(double doubt) const {
  const double noise = 2.5 * doubt * static_cast<double>(compared) + (doubt > 0 ? 1 : 0);
  return compared >= kLeastCompared && static_cast<double>(different) <= noise;
}

double doubt_of(const Draft::Values& values) {
  Agreement agreement;
  for (const auto& [leaf, counts] : values) add(counts, agreement);
  return agreement.share();
}

text::AnyOrder groups_of(const Corpus& corpus, const Symbols& body, const LeafValues& leaves,
                         double doubt) {
  std::map<Symbol, std::vector<std::size_t>> by_class;
  for (std::size_t place = 0; place < body.size(); ++place) by_class[body[place]].push_back(place);
  text::AnyOrder all;
  for (const auto& [symbol, places] : by_class) {
    if (places.size() < 2 || leaves.size() < kLeastCompared) continue;
    text::AnyOrder groups{places};
    if (!holds(corpus, groups, leaves, doubt)) {
      groups = places.size() == 2 ? text::AnyOrder{} : joined_pairs(corpus, places, leaves, doubt);
    }
    all.insert(all.end(), groups.begin(), groups.end());
  }
  return all;
}

text::NoMatter no_matter(const Symbols& body, const LeafValues& leaves, double doubt) {
  constexpr std::uint64_t kEnough = 40;
  text::NoMatter places;
  std::vector<bool> left_out(body.size());
  // The token of the place before it is put there, so what is sorted stays sorted.
  const auto other_place = [&](std::size_t place) -> std::optional<std::size_t> {
    for (std::size_t i = place; i-- > 0;) {
      if (body[i] == body[place] && !left_out[i]) return i;
    }
    for (std::size_t i = place + 1; i < body.size(); ++i) {
      if (body[i] == body[place] && !left_out[i]) return i;
    }
    return {};
  };
  Draft::Values distinct;  // without what is left out
  for (const auto& [leaf, value] : leaves) ++distinct[*leaf][*value];
  for (std::size_t place = 0; place < body.size(); ++place) {
    Draft::Values without;
    for (const auto& [known, counts] : distinct) {
      Row row = known;
      row[place] = U'\0';
      ++without[row][commonest(counts)];
    }
    Agreement agreement;
    for (const auto& [row, counts] : without) add(counts, agreement);
    if (agreement.compared < kEnough || !agreement.holds(doubt)) continue;
    left_out[place] = true;
    distinct = std::move(without);
  }
  for (std::size_t place = 0; place < body.size(); ++place) {
    if (!left_out[place]) continue;
    const std::optional<std::size_t> other = other_place(place);
    if (!other) return {};
    places.emplace_back(place, *other);
  }
  return places;
}

std::optional<std::size_t> copied_place(const Symbols& body, const LeafValues& leaves,
                                        double doubt) {
  for (std::size_t place = 0; place < body.size(); ++place) {
    Agreement agreement;
    for (const auto& [leaf, value] : leaves) {
      ++agreement.compared;
      agreement.different += *value != Row(1, (*leaf)[place]);
    }
    const bool always = agreement.compared >= 2 && agreement.different == 0;
    if (always || agreement.holds(doubt)) return place;
  }
  return {};
}

}  // namespace nrs::teach
