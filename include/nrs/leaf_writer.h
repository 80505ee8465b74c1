#pragma once
// The NRS's Selector, as an interface: it does not mark leaves but writes the last one down, and
// the Combiner finds where that is in the formula.
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nrs/formula.h"

namespace nrs {

// Something that a writer wrote for the last leaf of a formula.
struct LeafCandidate {
  std::string text;
  double log_prob = 0;   // joint log-probability: the Selector's confidence
  double agreement = 0;  // part of its tokens that are in the formula, at `place`
  Span place;            // where it agrees most; of several such places the last
  int samples = 1;       // how many samples wrote it
};

// Const and thread-safe, but for the drafts: each of them is for one thread at a time.
class LeafWriter {
 public:
  // A formula that is being rewritten, with what the writer remembers of it. A step changes one
  // place, so that most of what was read need not be read again.
  class Draft {
   public:
    virtual ~Draft() = default;
    virtual const std::string& formula() const = 0;
    virtual void replace(Span span, std::string_view value) = 0;
  };

  virtual ~LeafWriter() = default;

  virtual std::unique_ptr<Draft> begin(std::string_view formula) const = 0;
  // The candidates for the last leaf of each draft, best first: by agreement, then by confidence.
  // Only one that agrees entirely is a leaf. For a final formula that should be the formula itself:
  // it is the Solver that says omega. The drafts must come from begin() of this writer. Law: they
  // do not depend on the other drafts, nor on how the formula came about.
  virtual std::vector<std::vector<LeafCandidate>> write(std::span<Draft* const> drafts) const = 0;
};

}  // namespace nrs
