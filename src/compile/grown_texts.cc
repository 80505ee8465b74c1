#include "compile/grown_texts.h"

#include <algorithm>
#include <map>
#include <memory>

#include "base/rng.h"
#include "nrs/error.h"

namespace nrs::compile {
namespace {

constexpr int kMostSteps = 14;  // that a formula is away from its final text
constexpr std::size_t kLongestGrown = 300;

class Grower {
 public:
  Grower(const rewrite::ModularRewriter& rewriter, SolvedLeaves leaves, std::uint64_t seed)
      : rewriter_(rewriter), finals_(std::move(leaves.finals)), seed_(seed) {
    for (auto& [leaf, value] : leaves.steps) {
      value_of_[leaf] = value;
      leaves_of_[value].push_back(leaf);
    }
    for (const auto& entry : leaves_of_) values_.push_back(entry.first);
  }

  std::vector<std::string> draw(std::uint64_t number) const {
    Rng rng(seed_, number);
    std::string text = finals_[rng.below(finals_.size())];
    for (int i = rng.between(0, kMostSteps); i > 0 && text.size() < kLongestGrown; --i)
      grow(rng, text);
    std::vector<std::string> stages = {text};
    const double part = rng.uniform();
    while (rewrite_some(part, rng, text)) stages.push_back(text);
    return stages;
  }

  bool accepts(const std::string& text) const { return rewriter_.rewrite(text).ok(); }

 private:
  std::vector<Span> leaves_in(const std::string& text) const {
    const std::string_view view = text;
    return rewriter_.find(std::span(&view, 1)).front().leaves;
  }

  void grow(Rng& rng, std::string& text) const {
    if (values_.empty()) return;
    const std::string& value = values_[rng.below(values_.size())];
    std::vector<std::size_t> places;
    for (std::size_t at = text.find(value); at != std::string::npos && !value.empty();
         at = text.find(value, at + 1)) {
      places.push_back(at);
    }
    if (places.empty()) return;
    const std::size_t place = places[rng.below(places.size())];
    const std::vector<std::string>& leaves = leaves_of_.at(value);
    const std::string& leaf = leaves[rng.below(leaves.size())];
    std::string longer = text;
    longer.replace(place, value.size(), leaf);
    const std::vector<Span> found = leaves_in(longer);
    const Span wanted{place, place + leaf.size()};
    if (std::ranges::find(found, wanted) != found.end()) text = std::move(longer);
  }

  // Some of the leaves, and at least one.
  bool rewrite_some(double part, Rng& rng, std::string& text) const {
    std::vector<Step> steps;
    for (const Span leaf : leaves_in(text)) {
      const auto known = value_of_.find(std::string(leaf.of(text)));
      if (known != value_of_.end()) steps.push_back({leaf, known->second});
    }
    if (steps.empty()) return false;
    const std::size_t always = rng.below(steps.size());
    std::vector<Step> taken;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (i == always || rng.chance(part)) taken.push_back(std::move(steps[i]));
    }
    text = combine(text, taken);
    return true;
  }

  const rewrite::ModularRewriter& rewriter_;
  std::vector<std::string> finals_;
  std::uint64_t seed_;
  std::map<std::string, std::string> value_of_;
  std::map<std::string, std::vector<std::string>> leaves_of_;
  std::vector<std::string> values_;
};

}  // namespace

SolvedLeaves solve_leaves(const Solver& solver, std::span<const std::string> leaves) {
  const std::vector<std::string_view> views(leaves.begin(), leaves.end());
  const std::vector<Solution> solutions = solver.solve(views);
  SolvedLeaves solved;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (!solutions[i].known) continue;
    if (solutions[i].omega) {
      solved.finals.push_back(leaves[i]);
    } else {
      solved.steps.emplace_back(leaves[i], solutions[i].value);
    }
  }
  return solved;
}

Texts grown_texts(const rewrite::ModularRewriter& rewriter, SolvedLeaves leaves,
                  std::uint64_t seed) {
  if (leaves.finals.empty()) {
    throw Error(ErrorKind::kInput, "no final text is known, from which formulas could be made");
  }
  const auto grower = std::make_shared<const Grower>(rewriter, std::move(leaves), seed);
  return {.draw = [grower](std::uint64_t number) { return grower->draw(number); },
          .accepts = [grower](const std::string& text) { return grower->accepts(text); }};
}

}  // namespace nrs::compile
