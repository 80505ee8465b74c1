#include "teach/shapes.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "teach/exceptions.h"
#include "teach/several_places.h"

namespace nrs::teach {
namespace {

// Ranges of `before` that contain everything in which the two rows differ.
template <class Visit>
void for_each_range(const Row& before, const Row& after, Visit visit) {
  const std::size_t n = before.size(), m = after.size(), shorter = std::min(n, m);
  std::size_t prefix = 0, suffix = 0;
  while (prefix < shorter && before[prefix] == after[prefix]) ++prefix;
  while (suffix < shorter && before[n - 1 - suffix] == after[m - 1 - suffix]) ++suffix;
  for (std::size_t begin = prefix - std::min(prefix, kLongestLeaf); begin <= prefix; ++begin) {
    const std::size_t last = std::min(n, begin + kLongestLeaf);
    for (std::size_t end = std::max(begin + 1, n - suffix); end <= last; ++end) {
      const std::size_t kept = n - end;  // behind the range
      if (m >= kept + begin) visit(Rewrite{begin, end, after.substr(begin, m - kept - begin)});
    }
  }
}

// One shape and the steps that it could explain.
struct Candidate {
  std::vector<Use> uses{};  // by step, at most one each
  // By leaf and whether it is the whole row: its value may be another one then.
  std::map<std::pair<Row, bool>, std::map<Row, std::uint32_t>> values{};

  // How often the same leaf has the same value, if so many uses do not count.
  double agreement(std::size_t exceptions = 0) const {
    std::uint64_t all = 0, agreeing = 0;
    for (const auto& [leaf, counts] : values) {
      std::uint32_t most = 0;
      for (const auto& [value, count] : counts) {
        all += count;
        most = std::max(most, count);
      }
      agreeing += most;
    }
    return static_cast<double>(agreeing) / static_cast<double>(all - exceptions);
  }
};
using Candidates = std::unordered_map<Symbols, Candidate>;

Candidates candidates_of(const Corpus& corpus, std::span<const TextStep> steps) {
  Candidates candidates;
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    if (steps[i].explained()) continue;
    const Symbols classes = corpus.classes(*steps[i].before);
    for_each_range(*steps[i].before, *steps[i].after, [&](const Rewrite& rewrite) {
      const std::size_t size = rewrite.end - rewrite.begin;
      Candidate& candidate = candidates[classes.substr(rewrite.begin, size)];
      const bool whole = size == steps[i].before->size();
      ++candidate.values[{steps[i].before->substr(rewrite.begin, size), whole}][rewrite.value];
      if (candidate.uses.empty() || candidate.uses.back().first != i) {
        candidate.uses.emplace_back(i, rewrite);
      }
    });
  }
  return candidates;
}

// Takes the shape that explains most, then the one that explains most of the rest, and so on.
std::vector<Symbols> cover(const Corpus& corpus, const Candidates& candidates,
                           std::span<TextStep> steps, const std::set<Symbols>& banned) {
  struct Entry {
    std::size_t gain;
    const Symbols* shape;
    bool operator<(const Entry& other) const {
      if (gain != other.gain) return gain < other.gain;
      if (shape->size() != other.shape->size()) return shape->size() > other.shape->size();
      return *shape > *other.shape;
    }
  };
  std::priority_queue<Entry> queue;
  for (const auto& [shape, candidate] : candidates) {
    if (!banned.contains(shape)) queue.push({candidate.uses.size(), &shape});
  }
  constexpr double kHardly = 0.5, kNearlyAlways = 0.8;
  const std::size_t least = std::max<std::size_t>(2, steps.size() / 500);
  std::vector<Symbols> chosen;
  while (!queue.empty()) {
    const Entry best = queue.top();
    queue.pop();
    if (best.gain < least) break;
    const Candidate& candidate = candidates.at(*best.shape);
    const auto open = [&](const auto& use) { return !steps[use.first].explained(); };
    const auto gain = static_cast<std::size_t>(std::ranges::count_if(candidate.uses, open));
    if (gain < best.gain) {
      if (gain > 0) queue.push({gain, best.shape});
      continue;
    }
    if (candidate.agreement() < kHardly) continue;
    const auto others = exceptions(corpus, steps, candidate.uses);
    if (!others || candidate.agreement(others->size()) < kNearlyAlways) continue;
    chosen.push_back(*best.shape);
    for (const auto& [step, rewrite] : candidate.uses) {
      if (!steps[step].explained() && !others->contains(step)) steps[step].rewrites = {rewrite};
    }
  }
  return chosen;
}

Symbols shape_of(const Corpus& corpus, const TextStep& step, const Rewrite& rewrite) {
  return corpus.classes(step.before->substr(rewrite.begin, rewrite.end - rewrite.begin));
}

// Whether nine of ten steps that a shape explains are explained by several smaller leaves, too.
// Then they are.
bool is_several(const SeveralPlaces& smaller, std::span<TextStep* const> steps) {
  const auto tried = steps.first(std::min<std::size_t>(steps.size(), 100));
  std::size_t good = 0;
  for (const TextStep* step : tried) good += !smaller.explain(*step->before, *step->after).empty();
  if (10 * good < 9 * tried.size()) return false;
  for (TextStep* step : steps) step->rewrites = smaller.explain(*step->before, *step->after);
  return true;
}

// Explains steps by known shapes.
class Explainer {
 public:
  Explainer(const Corpus& corpus, const std::vector<Symbols>& shapes, std::span<TextStep> steps)
      : corpus_(corpus), shapes_(shapes), known_(shapes.begin(), shapes.end()), steps_(steps) {}

  void run() {
    for (std::uint32_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].after == nullptr) continue;
      if (!steps_[i].explained()) explain_one(i, 0);
      note_user(i);
    }
    SeveralPlaces several(corpus_);
    for (const Symbols& shape : shapes_) several.add(shape, usual_users(shape));
    for (TextStep& step : steps_) {
      if (step.explained() || step.after == nullptr) continue;
      step.rewrites = several.explain(*step.before, *step.after);
    }
  }

 private:
  // By the first range that has a known shape of more than so many tokens.
  void explain_one(std::uint32_t number, std::size_t longer_than) {
    TextStep& step = steps_[number];
    for_each_range(*step.before, *step.after, [&](const Rewrite& rewrite) {
      if (step.explained() || rewrite.end - rewrite.begin <= longer_than) return;
      if (known_.contains(shape_of(corpus_, step, rewrite))) step.rewrites = {rewrite};
    });
  }

  void note_user(std::uint32_t number) {
    const TextStep& step = steps_[number];
    if (step.rewrites.size() != 1) return;
    users_[shape_of(corpus_, step, step.rewrites[0])].push_back(number);
  }

  // The steps of a shape. Its exceptions are explained by larger shapes, if they can be.
  std::vector<TextStep*> usual_users(const Symbols& shape) {
    std::vector<Use> uses;
    for (const std::uint32_t i : users_[shape]) uses.emplace_back(i, steps_[i].rewrites[0]);
    const auto others = exceptions(corpus_, steps_, uses);
    std::vector<TextStep*> usual;
    for (const std::uint32_t i : users_[shape]) {
      const bool stated = !corpus_.examples()[steps_[i].example].places.empty();
      if (stated || !others || !others->contains(i)) {
        usual.push_back(&steps_[i]);
        continue;
      }
      steps_[i].rewrites.clear();
      explain_one(i, shape.size());
      note_user(i);
    }
    return usual;
  }

  const Corpus& corpus_;
  const std::vector<Symbols>& shapes_;  // shortest first
  std::unordered_set<Symbols> known_;
  std::span<TextStep> steps_;
  std::map<Symbols, std::vector<std::uint32_t>> users_;  // steps of one place
};

}  // namespace

std::vector<TextStep> steps_of(const Corpus& corpus) {
  std::vector<TextStep> steps;
  for (std::uint32_t e = 0; e < corpus.examples().size(); ++e) {
    const RowExample& example = corpus.examples()[e];
    for (std::size_t i = 0; i + 1 < example.rows.size(); ++i) {
      TextStep& step = steps.emplace_back();
      step.before = &example.rows[i];
      step.after = &example.rows[i + 1];
      step.example = e;
      if (!example.places.empty()) step.rewrites = example.places[i];
    }
    if (example.rows.size() == 1 && !example.places.empty() && !example.places[0].empty()) {
      steps.push_back({&example.rows[0], nullptr, e, example.places[0]});
    }
  }
  return steps;
}

std::vector<Symbols> find_shapes(const Corpus& corpus, std::span<TextStep> steps,
                                 const std::set<Symbols>& banned) {
  std::set<Symbols> stated;
  for (const TextStep& step : steps) {
    for (const Rewrite& rewrite : step.rewrites) stated.insert(shape_of(corpus, step, rewrite));
  }
  std::vector<Symbols> chosen = cover(corpus, candidates_of(corpus, steps), steps, banned);
  std::ranges::stable_sort(chosen, {}, &Symbols::size);

  std::map<Symbols, std::vector<TextStep*>> users;
  for (TextStep& step : steps) {
    if (step.rewrites.size() == 1 && step.after != nullptr) {
      users[shape_of(corpus, step, step.rewrites[0])].push_back(&step);
    }
  }
  SeveralPlaces smaller(corpus);
  std::vector<Symbols> kept(stated.begin(), stated.end());
  for (const Symbols& shape : kept) smaller.add(shape, {});
  for (const Symbols& shape : chosen) {
    if (stated.contains(shape)) continue;
    const std::vector<TextStep*>& mine = users[shape];
    if (!kept.empty() && is_several(smaller, mine)) continue;
    kept.push_back(shape);
    smaller.add(shape, mine);
  }
  explain(corpus, kept, steps);
  std::ranges::stable_sort(kept, {}, &Symbols::size);
  return kept;
}

void explain(const Corpus& corpus, const std::vector<Symbols>& shapes, std::span<TextStep> steps) {
  Explainer(corpus, shapes, steps).run();
}

}  // namespace nrs::teach
