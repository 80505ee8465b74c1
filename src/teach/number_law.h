#pragma once
// Leaves whose values are computed from two numbers in them.
#include <map>
#include <unordered_map>

#include "teach/draft.h"
#include "text/arithmetic.h"

namespace nrs::teach {

// Numbers as the final formulas of a corpus write them. A number that no final formula has is not
// computed with: nothing is known of it.
class Numbers {
 public:
  // `corpus` must outlive this.
  explicit Numbers(Corpus& corpus);

  // The computation that gives all these leaves their values, wrong lines apart. Nothing if there
  // is none, or if there are too few leaves to tell.
  std::optional<text::Computation> law_of(const Symbols& body, const LeafValues& leaves,
                                          double doubt) const;
  bool agrees(const text::Computation& computation, const Row& leaf, const Row& value) const;
  std::optional<Row> value(const text::Computation& computation, const Row& leaf) const;
  // How they are written, without what is carried along.
  std::vector<std::string> heads() const;

 private:
  struct Number {
    long number;
    std::string tail;
  };
  // A token as a number; null if it is none.
  const Number* number_of(char32_t token) const;

  Corpus& corpus_;
  std::map<long, std::string> heads_;  // by number
  mutable std::unordered_map<char32_t, std::optional<Number>> read_;
  mutable std::map<std::pair<long, std::string>, Row> spelt_;
};

}  // namespace nrs::teach
