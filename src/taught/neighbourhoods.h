#pragma once
// Where leaves stand in what a model was taught, and formulas that put them elsewhere: the place of
// a value can hold any leaf that becomes this value.
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/rng.h"
#include "examples/examples.h"
#include "nrs/rewriter.h"
#include "text/lexer.h"

namespace nrs::taught {

// Stands for the ends of a formula.
inline constexpr std::string_view kBeyond = "\n";

// A leaf that the model rewrote on the way to a right answer.
struct UsedLeaf {
  std::string leaf;
  std::string value;
  std::string left, right;  // the tokens beside it, or kBeyond
  std::uint64_t times = 0;
};

struct KnownFormula {
  std::string formula;
  std::string answer;
};

// A range of a formula in which a value stands.
struct ValuePlace {
  Span span;
  std::string_view left, right;
};

// Const once made.
class Neighbourhoods {
 public:
  // Looks at how the model answers the examples, shortest first, until `most` have been looked at;
  // what it answers wrong says nothing.
  Neighbourhoods(const Rewriter& rewriter, std::span<const examples::Example> examples,
                 std::size_t most = 3000);

  // Different ones, in a fixed order.
  const std::vector<UsedLeaf>& leaves() const { return leaves_; }
  // All formulas on the way to right answers, shortest first, without final ones.
  const std::vector<KnownFormula>& formulas() const { return formulas_; }
  // Final ones.
  const std::set<std::string>& finals() const { return finals_; }
  const text::Lexer& lexer() const { return lexer_; }

  // Visits the places of a formula where the value of a leaf stands.
  using Visit = std::function<void(const ValuePlace& place, const UsedLeaf& leaf)>;
  void visit_places(std::string_view formula, const Visit& visit) const;

  // Another formula with the same answer, if the system is what it seems: one value in it has
  // become a leaf that was met between the same neighbours. Nothing if none fits.
  std::optional<std::string> splice(std::string_view formula, Rng& rng) const;

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string>;

  void take(const Rewriter& rewriter, const examples::Example& example,
            std::map<std::string, std::string>& known);
  void take_round(std::string_view formula, const Round& round);
  bool all_whole_tokens(std::span<const examples::Example* const> sorted, const Rewriter& rewriter,
                        std::size_t most) const;
  void finish(const std::map<std::string, std::string>& known);

  text::Lexer lexer_;
  std::map<Key, std::uint64_t> met_;
  std::vector<UsedLeaf> leaves_;
  std::vector<KnownFormula> formulas_;
  std::set<std::string> finals_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> by_first_token_;  // of the value
};

// Formulas with their answers, each grown from one of the examples by a few splices.
KnownFormula grown_formula(const Neighbourhoods& around, std::uint64_t seed, std::size_t number);
std::vector<KnownFormula> spliced_formulas(const Rewriter& rewriter,
                                           std::span<const examples::Example> examples,
                                           std::size_t count, std::uint64_t seed);

// A formula with a part of it replaced, with the blanks that keep tokens apart where people write
// them.
std::string replace_part(std::string_view formula, Span part, std::string_view by);

}  // namespace nrs::taught
