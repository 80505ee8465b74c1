#pragma once
// The search for the rules that explain all steps.
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/rng.h"
#include "induce/judge.h"
#include "induce/widen.h"

namespace nrs::induce {

struct SearchOptions {
  std::uint64_t seed = 1;
  double tolerance = 0;  // see Judge
  std::function<void(std::size_t rules)> progress{};
};

class Search {
 public:
  Search(Terms& terms, const Evidence& evidence, const SearchOptions& options);
  // Rules that together explain all steps that can be explained, those with most examples first.
  std::vector<Found> run();

 private:
  struct Candidate {
    Pair rule{};
    std::uint32_t gain = 0;  // steps that it explains and no other rule does
    std::uint64_t size = 0;
    bool better_than(const Candidate& other) const {
      return gain != other.gain ? gain > other.gain : size < other.size;
    }
  };
  std::vector<std::uint32_t> open_examples(Symbol root) const;
  std::uint32_t gain(const std::vector<std::uint32_t>& explained) const;
  // Nothing if something speaks against the rule.
  const std::vector<std::uint32_t>* explained_by(const Pair& rule);
  Candidate score(const Pair& rule);
  Candidate best_of_root(Symbol root);
  Candidate grow(Candidate best, const std::vector<std::uint32_t>& open);
  void count(const Found& found, bool in);
  void accept(const Pair& rule);
  void tell_judge(const Pair& rule);
  void widen();
  void merge();
  bool may_merge(const Pair& both);
  void replace(Found& found, const Pair& rule);
  void drop_needless();

  Terms& terms_;
  const Evidence& evidence_;
  const SearchOptions& options_;
  Judge judge_;
  Rng rng_;
  std::vector<std::uint32_t> explained_;  // how many rules explain a step
  std::vector<Found> found_;
  std::unordered_map<Pair, std::optional<std::vector<std::uint32_t>>, HashPair> verdicts_;
  std::unordered_set<Pair, HashPair> merged_;  // rules that may have many detours
};

}  // namespace nrs::induce
