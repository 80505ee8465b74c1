#include "induce/evidence.h"

#include <algorithm>

namespace nrs::induce {
namespace {

// How far above the lowest difference a redex is looked for.
constexpr std::size_t kMostLevels = 12;
// How many candidates of a step are kept.
constexpr std::size_t kMostCandidates = 5;
// How many steps a contractum is followed to its normal form.
constexpr std::size_t kMostFollowed = 200;
// A strategy is believed if at most this fraction of the terms that could refute it do.
constexpr double kMostRefuted = 0.1;

}  // namespace

Evidence::Evidence(Terms& terms, std::span<const Chain> chains, const Parallel& parallel)
    : terms_(terms), chains_(chains) {
  read_steps(parallel);
  if (parallel.split) {
    claim_all(strategy_);
  } else {
    choose_strategy();
  }
  drop_refuted_claims();
  find_redexes();
  make_examples();
  follow_normal_forms();
}

bool Evidence::normal(Term term) const {
  return term::number(term) < normal_.size() && normal_[term::number(term)] != 0;
}

std::optional<Term> Evidence::normal_form(Term term) const {
  const auto found = normal_forms_.find(term);
  return found == normal_forms_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Term> Evidence::contractum(Term redex) const {
  const auto found = contracta_.find(redex);
  return found == contracta_.end() ? std::nullopt : std::optional(found->second);
}

const RootFacts& Evidence::of_root(Symbol root) const {
  static const RootFacts kNone;
  return term::number(root) < roots_.size() ? roots_[term::number(root)] : kNone;
}

void Evidence::read_steps(const Parallel& parallel) {
  Audit known(terms_, parallel.known);
  for (std::uint32_t c = 0; c < chains_.size(); ++c) {
    const Chain& chain = chains_[c];
    for (std::uint32_t i = 0; i + 1 < chain.terms.size(); ++i) {
      if (chain.terms[i] == chain.terms[i + 1]) continue;
      if (chain.trusted) ++reducible_[chain.terms[i]];
      if (parallel.split && chain.positions.empty()) {
        add_parts(c, i, parallel.known.empty() ? nullptr : &known);
      } else {
        add_step(c, i);
      }
    }
  }
  path_starts_.push_back(paths_.size());
}

// Walks down as long as exactly one argument differs.
void Evidence::add_step(std::uint32_t chain, std::uint32_t index) {
  Pair at{chains_[chain].terms[index], chains_[chain].terms[index + 1]};
  std::vector<Pair> down{at};
  path_starts_.push_back(paths_.size());
  const bool told = !chains_[chain].positions.empty();
  const std::size_t depth = told ? chains_[chain].positions[index].size() : ~std::size_t{0};
  while (terms_.symbol(at.left) == terms_.symbol(at.right) && down.size() <= depth) {
    const std::span<const Term> before = terms_.args(at.left);
    const std::span<const Term> after = terms_.args(at.right);
    const auto [first, other] = std::mismatch(before.begin(), before.end(), after.begin());
    if (!std::equal(first + 1, before.end(), other + 1)) break;
    at = {*first, *other};
    down.push_back(at);
    paths_.push_back(static_cast<std::uint32_t>(first - before.begin()));
  }
  std::reverse(down.begin(), down.end());
  down.resize(std::min(down.size(), told ? 1 : kMostLevels));
  steps_.push_back({chain, index, std::move(down)});
}

// A step for every part; its candidates end below the node where it meets another.
void Evidence::add_parts(std::uint32_t chain, std::uint32_t index, Audit* known) {
  std::vector<Pair> open{{chains_[chain].terms[index], chains_[chain].terms[index + 1]}};
  while (!open.empty()) {
    std::vector<Pair> down{open.back()};
    open.pop_back();
    std::vector<Pair> below = differing_args(terms_, down.back());
    while (below.size() == 1) {
      down.push_back(below.front());
      below = differing_args(terms_, down.back());
    }
    const auto explained = [&](const Pair& part) { return known->explains(part); };
    if (!below.empty() &&
        (known == nullptr || std::any_of(below.begin(), below.end(), explained))) {
      open.insert(open.end(), below.begin(), below.end());
      continue;
    }
    std::reverse(down.begin(), down.end());
    down.resize(std::min(down.size(), kMostLevels));
    path_starts_.push_back(paths_.size());
    steps_.push_back({chain, index, std::move(down)});
  }
}

bool Evidence::has_splittable_steps() const {
  return std::any_of(steps_.begin(), steps_.end(), [&](const Step& step) {
    const Pair& lowest = step.levels.front();
    return terms_.symbol(lowest.left) == terms_.symbol(lowest.right) &&
           chains_[step.chain].positions.empty();
  });
}

void Evidence::choose_strategy() {
  for (const Strategy strategy : {Strategy::kLeftInnermost, Strategy::kInnermost}) {
    claim_all(strategy);
    strategy_ = strategy;
    if (!contradicts_whole_terms()) return;
  }
  strategy_ = Strategy::kAny;
  claim_all(strategy_);
}

void Evidence::claim_all(Strategy strategy) {
  normal_.assign(terms_.count(), 0);
  claimed_.clear();
  for (const Chain& chain : chains_) {
    if (chain.complete && chain.trusted) claim(chain.terms.back());
  }
  if (strategy == Strategy::kAny) return;
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const Step& step = steps_[s];
    if (!chains_[step.chain].trusted) continue;
    for (const Term arg : terms_.args(step.levels.front().left)) claim(arg);
    if (strategy != Strategy::kLeftInnermost) continue;
    Term at = chains_[step.chain].terms[step.index];
    for (std::size_t i = path_starts_[s]; i < path_starts_[s + 1]; ++i) {
      const std::span<const Term> args = terms_.args(at);
      for (std::uint32_t left = 0; left < paths_[i]; ++left) claim(args[left]);
      at = args[paths_[i]];
    }
  }
}

void Evidence::claim(Term term) {
  std::vector<Term> open{term};
  while (!open.empty()) {
    const Term top = open.back();
    open.pop_back();
    if (normal_[term::number(top)] != 0) continue;
    normal_[term::number(top)] = 1;
    claimed_.push_back(top);
    for (const Term arg : terms_.args(top)) open.push_back(arg);
  }
}

// Which terms stand inside others, by number.
std::vector<char> Evidence::inner_terms() const {
  std::vector<char> inside(terms_.count(), 0);
  for (const Chain& chain : chains_) {
    for (const Term term : chain.terms) {
      for (const Term arg : terms_.args(term)) inside[term::number(arg)] = 1;
    }
  }
  for (std::size_t i = inside.size(); i-- > 0;) {  // arguments have smaller numbers
    if (inside[i] == 0) continue;
    for (const Term arg : terms_.args(static_cast<Term>(i))) inside[term::number(arg)] = 1;
  }
  return inside;
}

// A term that starts a step and stands inside other terms could have been claimed to be normal.
bool Evidence::contradicts_whole_terms() const {
  const std::vector<char> inside = inner_terms();
  std::size_t could = 0;
  std::size_t do_so = 0;
  for (const auto& [term, count] : reducible_) {
    could += inside[term::number(term)] != 0;
    do_so += normal(term);
  }
  return static_cast<double>(do_so) > kMostRefuted * static_cast<double>(could);
}

void Evidence::drop_refuted_claims() {
  for (const auto& [term, count] : reducible_) normal_[term::number(term)] = 0;
  std::erase_if(claimed_, [&](Term term) { return !normal(term); });
}

// The levels that may be the redex, lowest first: not known to be normal, and in innermost chains
// not above a term that is known to have a redex in it.
std::vector<std::uint32_t> Evidence::candidates(const Step& step) const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < step.levels.size() && found.size() < kMostCandidates; ++i) {
    if (normal(step.levels[i].left)) continue;
    found.push_back(i);
    if (redex_[term::number(step.levels[i].left)] != 0) break;
  }
  return found;
}

// Whole terms that were rewritten, and redexes of steps that have no other candidate. Each such
// term may leave another step with one candidate only.
void Evidence::find_redexes() {
  redex_.assign(terms_.count(), 0);
  if (strategy_ == Strategy::kAny) return;
  for (const auto& [term, count] : reducible_) redex_[term::number(term)] = 1;
  for (bool more = true; more;) {
    more = false;
    for (const Step& step : steps_) {
      if (!chains_[step.chain].trusted) continue;
      const std::vector<std::uint32_t> left = candidates(step);
      if (left.size() != 1) continue;
      char& known = redex_[term::number(step.levels[left.front()].left)];
      more = more || known == 0;
      known = 1;
    }
  }
}

void Evidence::make_examples() {
  std::unordered_map<Pair, std::uint32_t, HashPair> known;
  roots_.resize(terms_.symbol_count());
  for (const Term term : claimed_)
    roots_[term::number(terms_.symbol(term))].normals.push_back(term);
  for (std::uint32_t s = 0; s < steps_.size(); ++s) {
    Step& step = steps_[s];
    for (const std::uint32_t i : candidates(step)) {
      const Pair& level = step.levels[i];
      const auto [found, is_new] =
          known.emplace(level, static_cast<std::uint32_t>(examples_.size()));
      if (is_new) {
        examples_.push_back({level});
        roots_[term::number(terms_.symbol(level.left))].examples.push_back(found->second);
      }
      Example& example = examples_[found->second];
      example.steps.push_back(s);
      if (step.examples.empty() && chains_[step.chain].trusted) {
        example.lowest = true;
        contracta_.emplace(level.left, level.right);
      }
      step.examples.push_back(found->second);
    }
  }
}

void Evidence::follow_normal_forms() {
  for (const Chain& chain : chains_) {
    if (!chain.complete || !chain.trusted) continue;
    for (const Term term : chain.terms) normal_forms_.emplace(term, chain.terms.back());
  }
  if (strategy_ == Strategy::kAny) return;
  for (std::size_t s = 0; s < steps_.size(); ++s) follow(steps_[s], s);
}

// The steps after this one stay at the lowest candidate or below it until its normal form is there.
void Evidence::follow(const Step& step, std::size_t s) {
  if (step.examples.empty() || !chains_[step.chain].trusted) return;
  const Example& example = examples_[step.examples.front()];
  if (normal_forms_.contains(example.pair.left)) return;
  const Chain& chain = chains_[step.chain];
  std::size_t above = 0;
  while (step.levels[above] != example.pair) ++above;
  const auto path = [&](std::size_t of) {
    return std::span(paths_).subspan(path_starts_[of], path_starts_[of + 1] - path_starts_[of]);
  };
  if (path(s).size() < above) return;
  const auto place = path(s).first(path(s).size() - above);
  const std::size_t last = std::min(chain.terms.size() - 1 - step.index, kMostFollowed);
  for (std::size_t k = 1; k <= last; ++k) {
    Term now = chain.terms[step.index + k];
    for (const std::uint32_t i : place) now = terms_.args(now)[i];
    const bool at_end = k + step.index + 1 == chain.terms.size();
    if (!at_end && (s + k >= steps_.size() || steps_[s + k].index != step.index + k)) return;
    const bool left = !at_end && (path(s + k).size() < place.size() ||
                                  !std::equal(place.begin(), place.end(), path(s + k).begin()));
    if (normal(now) || (left && strategy_ == Strategy::kLeftInnermost)) {
      normal_forms_.emplace(example.pair.left, now);
      return;
    }
    if (at_end || left) return;
  }
}

}  // namespace nrs::induce
