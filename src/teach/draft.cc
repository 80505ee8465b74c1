#include "teach/draft.h"

#include <algorithm>
#include <cmath>

#include "teach/laws.h"
#include "teach/number_law.h"

namespace nrs::teach {
namespace {

bool has(const Symbols& symbols, Symbol symbol) {
  return symbols.find(symbol) != Symbols::npos;
}

// The votes that count if a new pair of neighbours joins those that were accepted; nothing if one
// of the pairs that come with it is refused.
std::optional<Votes> added_votes(const Evidence& evidence, const Sides& sides, Neighbours fresh,
                                 const Standard& standard) {
  const bool new_left = !has(sides.left, fresh.first);
  const bool new_right = !has(sides.right, fresh.second);
  Votes sum;
  for (const auto& [pair, votes] : evidence) {
    const bool left = pair.first == fresh.first, right = pair.second == fresh.second;
    if (!left && !has(sides.left, pair.first)) continue;
    if (!right && !has(sides.right, pair.second)) continue;
    if (!(left && new_left) && !(right && new_right)) continue;
    if (standard.noise > 0 && standard.refuses(votes)) return {};
    sum.against += votes.against;
    sum.for_it += votes.for_it;
  }
  return sum;
}

}  // namespace

double Standard::log_odds(const Votes& votes) const {
  // Where there is no leaf, so many votes are against it at least: fewer are not told from noise.
  const double least_against = noise + std::max(2 * noise, 0.08);
  return static_cast<double>(votes.for_it) * std::log((1 - noise) / (1 - least_against)) +
         static_cast<double>(votes.against) * std::log(noise / least_against);
}

bool Standard::accepts(const Votes& votes) const {
  constexpr double kSure = 4.6;  // a hundred to one
  if (votes.for_it < least) return false;
  if (noise > 0) return log_odds(votes) >= kSure;
  return static_cast<double>(votes.against) <= tolerance * static_cast<double>(votes.for_it);
}

bool Standard::refuses(const Votes& votes) const {
  constexpr double kUnlikely = -3;  // one to twenty
  if (noise > 0) return log_odds(votes) <= kUnlikely;
  return votes.for_it < 20 * votes.against;
}

Sides settle(const Evidence& evidence, const Standard& standard) {
  constexpr std::uint64_t kLeastAlone = 10;
  Standard alone = standard;
  alone.least = std::min(standard.least, kLeastAlone);
  std::vector<std::pair<Neighbours, Votes>> pairs;
  for (const auto& [pair, votes] : evidence) {
    const bool good = standard.noise > 0 ? votes.for_it >= alone.least && !standard.refuses(votes)
                                         : alone.accepts(votes);
    if (good) pairs.emplace_back(pair, votes);
  }
  std::ranges::stable_sort(
      pairs, [](const auto& a, const auto& b) { return a.second.for_it > b.second.for_it; });
  Sides sides;
  for (bool added = true; added;) {
    added = false;
    for (const auto& [pair, votes] : pairs) {
      if (has(sides.left, pair.first) && has(sides.right, pair.second)) continue;
      const std::optional<Votes> sum = added_votes(evidence, sides, pair, standard);
      if (!sum || !standard.accepts(*sum)) continue;
      if (!has(sides.left, pair.first)) sides.left += pair.first;
      if (!has(sides.right, pair.second)) sides.right += pair.second;
      added = true;
    }
  }
  std::ranges::sort(sides.left);
  std::ranges::sort(sides.right);
  return sides;
}

std::size_t Draft::add_pattern(const Symbols& body) {
  const std::size_t pattern = matcher_.add({body, {}, {}});
  evidence_.resize(matcher_.size());
  any_order_.resize(matcher_.size());
  no_matter_.resize(matcher_.size());
  copies_.resize(matcher_.size());
  folds_.resize(matcher_.size());
  computes_.resize(matcher_.size());
  forget_found();
  return pattern;
}

Neighbours Draft::beside(const Symbols& classes, std::size_t begin, std::size_t end) {
  return {begin == 0 ? text::Vocabulary::kStartSymbol : classes[begin - 1],
          end == classes.size() ? text::Vocabulary::kEndSymbol : classes[end]};
}

bool Draft::settle_all(const Standard& standard) {
  bool changed = false;
  for (std::size_t pattern = 0; pattern < matcher_.size(); ++pattern) {
    Sides sides = settle(evidence_[pattern], standard);
    const text::Body& body = matcher_.body(pattern);
    if (sides == Sides{body.left, body.right}) continue;
    set_sides(pattern, std::move(sides));
    changed = true;
  }
  return changed;
}

const Row& commonest(const Draft::ValueCounts& counts) {
  return std::ranges::max_element(counts, {}, [](const auto& c) { return c.second; })->first;
}

void Draft::add_value(const Row& leaf, const Row& value, std::uint64_t times) {
  ValueCounts& counts = counts_[in_order(leaf)];
  const bool known = !counts.empty() && commonest(counts) == value;
  counts[value] += times;
  if (!known) forget_found();
}

void Draft::settle_alone() {
  constexpr std::uint64_t kFewest = 3, kSurely = 4;
  std::vector<Votes> other(matcher_.size());  // for another value
  const auto pattern_of = [&](const Row& leaf) { return matcher_.find(corpus_.classes(leaf)); };
  for (const auto& [leaf, values] : alone_) {
    const ValueCounts* elsewhere = counts(leaf);
    const std::optional<std::size_t> pattern = pattern_of(leaf);
    if (elsewhere == nullptr || !pattern) continue;
    for (const auto& [value, times] : values) {
      Votes& votes = other[*pattern];
      (value == commonest(*elsewhere) ? votes.against : votes.for_it) += times;
    }
  }
  std::erase_if(alone_, [&](const auto& entry) {
    const std::optional<std::size_t> pattern = pattern_of(entry.first);
    const Votes votes = pattern ? other[*pattern] : Votes{};
    if (votes.for_it >= kFewest && votes.for_it > kSurely * votes.against) return false;
    for (const auto& [value, times] : entry.second) add_value(entry.first, value, times);
    return true;
  });
}

std::optional<Row> Draft::value_in(const Row& row, std::size_t begin, std::size_t size) const {
  if (size == row.size()) {
    if (const auto found = alone_.find(row); found != alone_.end()) return commonest(found->second);
  }
  return value(row.substr(begin, size));
}

const std::optional<Row>& Draft::value(const Row& leaf) const {
  if (const auto found = found_.find(leaf); found != found_.end()) return found->second;
  std::optional<Row> value = find_value(leaf);  // which may ask for other values
  return found_.emplace(leaf, std::move(value)).first->second;
}

std::optional<Row> Draft::find_value(const Row& leaf) const {
  const Row sorted = in_order(leaf);
  if (laws_) {
    if (std::optional<Row> found = by_law(sorted)) return found;
  }
  if (const auto found = counts_.find(sorted); found != counts_.end()) {
    return commonest(found->second);
  }
  if (!solve_) return {};
  const std::optional<std::string> text = solve_(corpus_.spell(sorted));
  return text ? std::optional(corpus_.read(*text)) : std::nullopt;
}

std::optional<Row> Draft::by_law(const Row& sorted) const {
  const std::optional<std::size_t> pattern = matcher_.find(corpus_.classes(sorted));
  if (!pattern) return {};
  if (copies_[*pattern]) return Row(1, sorted[*copies_[*pattern]]);
  if (computes_[*pattern]) return numbers_->value(*computes_[*pattern], sorted);
  if (!folds_[*pattern]) return {};
  const std::optional<Row> shorter = folded(sorted, *pattern);
  return shorter ? value(*shorter) : std::nullopt;
}

const Draft::ValueCounts* Draft::counts(const Row& leaf) const {
  const auto found = counts_.find(in_order(leaf));
  return found == counts_.end() ? nullptr : &found->second;
}

Row Draft::in_order(Row leaf) const {
  if (!orders_) return leaf;
  const std::optional<std::size_t> pattern = matcher_.find(corpus_.classes(leaf));
  if (!pattern) return leaf;
  if (!any_order_[*pattern].empty()) corpus_.sort(leaf, any_order_[*pattern]);
  text::level(leaf, no_matter_[*pattern]);
  return leaf;
}

std::vector<LeafValues> Draft::leaves_by_pattern() const {
  std::vector<LeafValues> leaves(matcher_.size());
  for (const auto& [leaf, counts] : counts_) {
    const std::optional<std::size_t> pattern = matcher_.find(corpus_.classes(leaf));
    if (pattern) leaves[*pattern].emplace_back(&leaf, &commonest(counts));
  }
  return leaves;
}

// Leaves that were met only once do not tell how many values are wrong. If so many are taken to be,
// a law may have as many exceptions, but hardly any whose value is certain.
std::optional<text::Computation> Draft::computation_of(std::size_t pattern,
                                                       const LeafValues& leaves, double doubt,
                                                       double noise) const {
  constexpr std::uint64_t kEnough = 400;
  const Symbols& body = matcher_.body(pattern).symbols;
  std::optional<text::Computation> law = numbers_->law_of(body, leaves, doubt);
  if (law || noise <= doubt || leaves.size() < kEnough) return law;
  law = numbers_->law_of(body, leaves, noise);
  if (!law) return {};
  Agreement certain;
  for (const auto& [leaf, value] : leaves) {
    const ValueCounts& counts = counts_.at(*leaf);
    if (counts.at(*value) < 2 || counts.size() > 1) continue;
    ++certain.compared;
    certain.different += !numbers_->agrees(*law, *leaf, *value);
  }
  const double by_chance = 1 + noise * noise * static_cast<double>(certain.compared);
  return static_cast<double>(certain.different) <= by_chance ? law : std::nullopt;
}

void Draft::find_laws(double noise) {
  const double doubt = doubt_of(counts_);
  sort_leaves(doubt);
  forget_found();
  if (!numbers_) numbers_ = std::make_shared<const Numbers>(corpus_);
  const std::vector<LeafValues> leaves = leaves_by_pattern();
  for (std::size_t pattern = 0; pattern < leaves.size(); ++pattern) {
    copies_[pattern] = copied_place(matcher_.body(pattern).symbols, leaves[pattern], doubt);
    computes_[pattern].reset();
    if (!copies_[pattern]) {
      computes_[pattern] = computation_of(pattern, leaves[pattern], doubt, noise);
    }
    laws_ |= copies_[pattern] || computes_[pattern];
    forget_found();
  }
  for (std::size_t pattern = 0; pattern < leaves.size(); ++pattern) {
    folds_[pattern] =
        !copies_[pattern] && !computes_[pattern] && can_fold(pattern, leaves[pattern], doubt);
    laws_ |= folds_[pattern];
    forget_found();
  }
  level_leaves(doubt);
}

std::vector<std::string> Draft::numbers() const {
  const bool some = std::ranges::any_of(computes_, [](const auto& law) { return law.has_value(); });
  return some ? numbers_->heads() : std::vector<std::string>{};
}

void Draft::sort_leaves(double doubt) {
  const std::vector<LeafValues> leaves = leaves_by_pattern();
  bool found = false;
  for (std::size_t pattern = 0; pattern < leaves.size(); ++pattern) {
    if (!any_order_[pattern].empty()) continue;
    any_order_[pattern] =
        groups_of(corpus_, matcher_.body(pattern).symbols, leaves[pattern], doubt);
    found |= !any_order_[pattern].empty();
  }
  if (found) rename_leaves();
}

// Only where no other law gives the values.
void Draft::level_leaves(double doubt) {
  const std::vector<LeafValues> leaves = leaves_by_pattern();
  bool found = false;
  for (std::size_t pattern = 0; pattern < leaves.size(); ++pattern) {
    const bool lawful = copies_[pattern] || computes_[pattern] || folds_[pattern];
    if (lawful || !no_matter_[pattern].empty()) continue;
    no_matter_[pattern] = teach::no_matter(matcher_.body(pattern).symbols, leaves[pattern], doubt);
    found |= !no_matter_[pattern].empty();
  }
  if (!found) return;
  rename_leaves();
  forget_found();
}

void Draft::rename_leaves() {
  orders_ = true;
  Values sorted;
  for (const auto& [leaf, counts] : counts_) {
    ValueCounts& sum = sorted[in_order(leaf)];
    for (const auto& [value, count] : counts) sum[value] += count;
  }
  counts_ = std::move(sorted);
}

// The leaf with a value instead of its first two tokens in any order, if it is a leaf again.
std::optional<Row> Draft::folded(const Row& leaf, std::size_t pattern) const {
  const std::vector<std::size_t>& group = any_order_[pattern][0];
  const Row two = text::first_two(leaf, group);
  if (!matcher_.find(corpus_.classes(two))) return {};
  const std::optional<Row> first = value(two);
  if (!first || first->size() != 1) return {};
  Row shorter = text::folded(leaf, group, (*first)[0]);
  return matcher_.find(corpus_.classes(shorter)) ? std::optional(std::move(shorter)) : std::nullopt;
}

bool Draft::can_fold(std::size_t pattern, const LeafValues& leaves, double doubt) const {
  if (any_order_[pattern].size() != 1 || any_order_[pattern][0].size() < 3) return false;
  Agreement agreement;
  for (const auto& [leaf, usual] : leaves) {
    const std::optional<Row> shorter = folded(*leaf, pattern);
    const std::optional<Row> found = shorter ? value(*shorter) : std::nullopt;
    if (!found) continue;
    ++agreement.compared;
    agreement.different += *found != *usual;
  }
  return agreement.holds(doubt);
}

Draft::Normal Draft::normalise(Row row) const {
  Symbols classes = corpus_.classes(row);
  const std::size_t limit = 64 + 4 * row.size() * row.size();
  const std::size_t longest = 64 + 4 * row.size();
  std::size_t from = 0;
  for (std::size_t step = 0; step < limit && row.size() < longest; ++step) {
    const std::optional<text::Match> leaf = matcher_.first(classes, from);
    if (!leaf) return {std::move(row), true};
    const std::size_t size = leaf->end - leaf->begin;
    const std::optional<Row> found = value_in(row, leaf->begin, size);
    if (!found) return {std::move(row), false};
    row.replace(leaf->begin, size, *found);
    classes.replace(leaf->begin, size, corpus_.classes(*found));
    from = leaf->begin - std::min(leaf->begin, matcher_.longest() + 1);
  }
  return {std::move(row), false};
}

}  // namespace nrs::teach
