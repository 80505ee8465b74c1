#include "induce/search.h"

#include <algorithm>
#include <tuple>

#include "induce/generalise.h"

namespace nrs::induce {
namespace {

constexpr std::size_t kSeeds = 8;
constexpr std::size_t kPartners = 48;
constexpr std::size_t kMostGrown = 600;
constexpr std::ptrdiff_t kMostAbove = 200;
constexpr std::size_t kMostVerdicts = 20000;
// Fewer different examples do not make up for detours.
constexpr std::uint32_t kSeveral = 4;

}  // namespace

Search::Search(Terms& terms, const Evidence& evidence, const SearchOptions& options)
    : terms_(terms),
      evidence_(evidence),
      options_(options),
      judge_(terms, evidence, options.tolerance),
      rng_(options.seed),
      explained_(evidence.steps().size(), 0) {
  for (std::size_t s = 0; s < explained_.size(); ++s) {
    if (evidence.chains()[evidence.steps()[s].chain].explained) explained_[s] = 1;
  }
}

// Those that are the lowest candidates of their steps first, small ones first.
std::vector<std::uint32_t> Search::open_examples(Symbol root) const {
  std::vector<std::uint32_t> open;
  for (const std::uint32_t e : evidence_.of_root(root).examples) {
    const std::vector<std::uint32_t>& steps = evidence_.examples()[e].steps;
    if (std::any_of(steps.begin(), steps.end(), [&](auto s) { return explained_[s] == 0; })) {
      open.push_back(e);
    }
  }
  const auto key = [&](std::uint32_t e) {
    const Example& example = evidence_.examples()[e];
    return std::tuple(!example.lowest, terms_.size(example.pair.left), e);
  };
  std::sort(open.begin(), open.end(), [&](auto a, auto b) { return key(a) < key(b); });
  const auto above = std::find_if(open.begin(), open.end(),
                                  [&](auto e) { return !evidence_.examples()[e].lowest; });
  const auto kept = std::min<std::ptrdiff_t>(open.end() - above, kMostAbove);
  open.erase(above + kept, open.end());
  return open;
}

std::uint32_t Search::gain(const std::vector<std::uint32_t>& explained) const {
  std::uint32_t count = 0;
  for (const std::uint32_t e : explained) {
    for (const std::uint32_t s : evidence_.examples()[e].steps) count += explained_[s] == 0;
  }
  return count;
}

const std::vector<std::uint32_t>* Search::explained_by(const Pair& rule) {
  // The whole table goes when it is large: candidates are soon not asked for again.
  if (verdicts_.size() > kMostVerdicts) verdicts_.clear();
  const auto [found, is_new] = verdicts_.try_emplace(rule);
  if (is_new) {
    const bool merged = merged_.contains(rule);
    std::optional<Verdict> verdict =
        judge_.judge(rule, merged ? Judge::Detours::kMany : Judge::Detours::kFew);
    if (verdict) found->second = std::move(verdict->explained);
  }
  return found->second ? &*found->second : nullptr;
}

Search::Candidate Search::score(const Pair& rule) {
  const std::vector<std::uint32_t>* explained = explained_by(rule);
  if (explained == nullptr) return {};
  return {rule, gain(*explained), terms_.size(rule.left) + terms_.size(rule.right)};
}

Search::Candidate Search::best_of_root(Symbol root) {
  const std::vector<std::uint32_t> open = open_examples(root);
  Candidate best;
  if (open.empty()) return best;
  for (std::size_t k = 0; k < std::min(kSeeds, open.size()); ++k) {
    const std::uint32_t seed = k < kSeeds / 2 ? open[k] : open[rng_.below(open.size())];
    const Pair& example = evidence_.examples()[seed].pair;
    Candidate own = score(example);
    for (std::size_t p = 0; p < std::min(kPartners, open.size()); ++p) {
      const bool near = p < kPartners / 2 || open.size() <= kPartners;
      const std::uint32_t partner = near ? open[p] : open[rng_.below(open.size())];
      const auto rule = generalise(terms_, example, evidence_.examples()[partner].pair);
      if (!rule) continue;
      const Candidate next = score(*rule);
      if (next.better_than(own)) own = next;
    }
    if (own.gain == 0) continue;
    own = grow(own, open);
    if (own.better_than(best)) best = own;
  }
  return best;
}

Search::Candidate Search::grow(Candidate best, const std::vector<std::uint32_t>& open) {
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t k = 0; k < std::min(kMostGrown, open.size()); ++k) {
      const std::uint32_t e = open.size() <= kMostGrown ? open[k] : open[rng_.below(open.size())];
      const auto rule = generalise(terms_, best.rule, evidence_.examples()[e].pair);
      if (!rule || *rule == best.rule) continue;
      const Candidate next = score(*rule);
      if (next.gain <= best.gain) continue;
      best = next;
      grown = true;
    }
  }
  return best;
}

void Search::count(const Found& found, bool in) {
  for (const std::uint32_t e : found.explained) {
    for (const std::uint32_t s : evidence_.examples()[e].steps)
      in ? ++explained_[s] : --explained_[s];
  }
}

void Search::accept(const Pair& rule) {
  const std::vector<std::uint32_t>* explained = explained_by(rule);
  found_.push_back({rule, *explained});
  count(found_.back(), true);
  tell_judge(rule);
}

// What was refused may be accepted with the new rule.
void Search::tell_judge(const Pair& rule) {
  judge_.accept(rule);
  std::erase_if(verdicts_, [](const auto& entry) { return !entry.second; });
}

void Search::drop_needless() {
  std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) {
    return a.explained.size() < b.explained.size();
  });
  const auto needless = [&](const Found& found) {
    std::unordered_map<std::uint32_t, std::uint32_t> own;
    for (const std::uint32_t e : found.explained) {
      for (const std::uint32_t s : evidence_.examples()[e].steps) ++own[s];
    }
    const bool free = std::all_of(own.begin(), own.end(),
                                  [&](const auto& it) { return explained_[it.first] > it.second; });
    if (free) {
      for (const auto& [s, count] : own) explained_[s] -= count;
    }
    return free;
  };
  std::erase_if(found_, needless);
  std::reverse(found_.begin(), found_.end());
}

// What two rules ask for may have detours: where rules overlap, one of them is always tried first.
bool Search::may_merge(const Pair& both) {
  if (explained_by(both) != nullptr) return true;
  const std::optional<Verdict> verdict = judge_.judge(both, Judge::Detours::kMany);
  if (!verdict || verdict->direct < kSeveral) return false;
  merged_.insert(both);
  verdicts_.erase(both);
  return true;
}

// Two rules may turn out to be one.
void Search::merge() {
  for (std::size_t i = 0; i < found_.size(); ++i) {
    for (std::size_t j = i + 1; j < found_.size(); ++j) {
      const auto both = generalise(terms_, found_[i].rule, found_[j].rule);
      if (!both || !may_merge(*both)) continue;
      replace(found_[i], *both);
      count(found_[j], false);
      found_.erase(found_.begin() + static_cast<std::ptrdiff_t>(j));
      j = i;
    }
  }
}

void Search::replace(Found& found, const Pair& rule) {
  count(found, false);
  found = {rule, *explained_by(rule)};
  count(found, true);
}

void Search::widen() {
  Widener widener(terms_, evidence_, found_, [&](const Pair& rule) { return explained_by(rule); });
  for (Found& found : found_) {
    const Pair wide = widener.widen(found);
    if (wide == found.rule) continue;
    replace(found, wide);
    tell_judge(wide);
  }
}

std::vector<Found> Search::run() {
  std::vector<Candidate> best(evidence_.root_count());
  std::vector<char> stale(evidence_.root_count(), 1);
  while (true) {
    Candidate top;
    for (std::uint32_t f = 0; f < best.size(); ++f) {
      if (stale[f] == 0 && best[f].gain != 0 && score(best[f].rule).gain != best[f].gain)
        stale[f] = 1;
      if (stale[f] != 0) best[f] = best_of_root(static_cast<Symbol>(f));
      stale[f] = 0;
      if (best[f].better_than(top)) top = best[f];
    }
    if (top.gain == 0) break;
    accept(top.rule);
    if (options_.progress) options_.progress(found_.size());
    stale.assign(stale.size(), 0);
    for (std::uint32_t f = 0; f < best.size(); ++f) stale[f] = best[f].gain == 0;
    stale[term::number(terms_.symbol(top.rule.left))] = 1;
  }
  merge();
  widen();
  merge();
  drop_needless();
  return found_;
}

}  // namespace nrs::induce
