#pragma once
// The two learned modules of a rewriting system, as interfaces. The exact oracle and the networks
// of a model implement them, so the same Rewriters run on both, and an oracle can replace either
// module to show which of them made a mistake.
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nrs/formula.h"

namespace nrs {

// What a Selector is asked about: a formula or a fragment of one.
struct Fragment {
  std::string_view text;
  bool starts = true;  // begins where the formula begins
  bool ends = true;    // ends where the formula ends

  bool whole() const { return starts && ends; }
};

struct SelectedLeaf {
  Span span;
  double log_prob = 0;  // the Selector's confidence in this span
};

// Finds the leaves. Const and thread-safe.
class Selector {
 public:
  static constexpr std::size_t kUnbounded = 0;

  virtual ~Selector() = default;

  // The leaves of each fragment, from left to right, without overlap. If a whole formula is final,
  // its only leaf is the formula itself: the Solver then answers omega.
  virtual std::vector<std::vector<SelectedLeaf>> select(
      std::span<const Fragment> fragments) const = 0;

  // Law: whether a span is a leaf depends only on the characters at most reach() away from it, and
  // no leaf is longer than reach(). An engine then selects again only around what it has changed.
  // kUnbounded: it depends on everything.
  virtual std::size_t reach() const { return kUnbounded; }

  // Whether a formula in which it finds nothing is final. Where final formulas are a few values, a
  // Selector takes them for leaves instead; where they have any length, only it can tell.
  virtual bool is_final(std::string_view /*formula*/) const { return false; }
};

// Something that a writer wrote for the last leaf of a formula.
struct LeafCandidate {
  std::string text;
  double log_prob = 0;   // joint log-probability: the Selector's confidence
  double agreement = 0;  // fraction of its tokens that match at `place`
  Span place;            // where it agrees best; the last of several such places
  int samples = 1;       // how many samples wrote it
};

// The Selector of the paper's NRS: it does not mark leaves but writes the last one down, and the
// Combiner finds where that is in the formula. Const and thread-safe, except for the drafts: only
// one thread at a time may use a draft.
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

struct Solution {
  std::string value;    // empty when omega
  bool omega = false;   // nothing is left to compute
  double log_prob = 0;  // joint log-probability of all the characters of the value
  bool known = true;    // false: no example explains this leaf, so it has no solution
  Origin origin{};
  std::optional<std::string> alone{};  // the value instead, if the leaf is the whole formula
};

// Gives each leaf its value. Const and thread-safe.
class Solver {
 public:
  virtual ~Solver() = default;
  virtual std::vector<Solution> solve(std::span<const std::string_view> leaves) const = 0;
};

}  // namespace nrs
