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
  double agreement = 0;  // fraction of its tokens that match at `place`
  Span place;            // where it agrees best; the last of several such places
  int samples = 1;       // how many samples wrote it
};

// Const and thread-safe, except for the drafts: only one thread at a time may use a draft.
class LeafWriter {
 public:
  // A formula that is being rewritten, with what the writer remembers of it. A step changes one
  // place, so most of the formula need not be read again.
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
  // depend neither on the other drafts nor on how the formula was reached.
  virtual std::vector<std::vector<LeafCandidate>> write(std::span<Draft* const> drafts) const = 0;
};

}  // namespace nrs
