#pragma once
// Steps that rewrite several places at once.
#include <span>
#include <unordered_map>
#include <vector>

#include "teach/corpus.h"
#include "text/matcher.h"

namespace nrs::teach {

struct TextStep;

class SeveralPlaces {
 public:
  // `corpus` must outlive this.
  explicit SeveralPlaces(const Corpus& corpus) : corpus_(corpus) {}

  // A shape of leaves, and steps that show the values of some.
  void add(const Symbols& shape, std::span<TextStep* const> steps);

  // Rewrites of known shapes that make `after` of `before`, left to right; leaves whose values are
  // known have them. Nothing if there are none.
  std::vector<Rewrite> explain(const Row& before, const Row& after) const;

 private:
  const Corpus& corpus_;
  text::Matcher shapes_;
  std::unordered_map<Row, Row> values_;
  std::size_t longest_value_ = 1;
};

}  // namespace nrs::teach
