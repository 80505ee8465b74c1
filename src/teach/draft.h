#pragma once
// A text system that is being learned: leaf patterns, the evidence for where they are leaves, and
// the values of leaves.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "teach/corpus.h"
#include "text/arithmetic.h"
#include "text/matcher.h"

namespace nrs::teach {

// For and against a claim.
struct Votes {
  std::uint64_t against = 0;
  std::uint64_t for_it = 0;

  std::uint64_t all() const { return against + for_it; }
};

// What stands beside a leaf, left and right.
using Neighbours = std::pair<Symbol, Symbol>;
using Evidence = std::map<Neighbours, Votes>;

// The neighbours between which a pattern is a leaf. Left and right decide separately.
struct Sides {
  Symbols left;
  Symbols right;
  bool operator==(const Sides&) const = default;
};

// What votes must show before neighbours are accepted.
struct Standard {
  std::uint64_t least = 1;  // votes for what is new, ten of them for the same pair
  double tolerance = 0;     // votes against it, as a share of those for it
  // The share of examples that are wrong, if it is known. Then the tolerance counts for nothing:
  // neighbours are accepted if wrong examples explain the votes against them far better than that
  // no leaf is there.
  double noise = 0;

  bool accepts(const Votes& votes) const;
  // Whether votes alone say that no leaf is there.
  bool refuses(const Votes& votes) const;

 private:
  // The logarithm of how much likelier the votes are if a leaf is there.
  double log_odds(const Votes& votes) const;
};

// Adds neighbours as long as the votes for all that this allows are accepted.
Sides settle(const Evidence& evidence, const Standard& standard);

// Values of leaves that no example shows, if something else knows them.
using Solve = std::function<std::optional<std::string>(std::string_view leaf)>;

// Leaves of one pattern with their values.
using LeafValues = std::vector<std::pair<const Row*, const Row*>>;

class Numbers;

class Draft {
 public:
  // `corpus` must outlive this.
  explicit Draft(Corpus& corpus) : corpus_(corpus) {}

  Corpus& corpus() const { return corpus_; }
  const text::Matcher& matcher() const { return matcher_; }

  std::size_t add_pattern(const Symbols& body);
  Evidence& evidence(std::size_t pattern) { return evidence_[pattern]; }
  const Evidence& evidence(std::size_t pattern) const { return evidence_[pattern]; }
  // What stands beside a range of a whole row.
  static Neighbours beside(const Symbols& classes, std::size_t begin, std::size_t end);
  // Chooses the neighbours of all patterns. Returns whether anything changed.
  bool settle_all(const Standard& standard);
  void set_sides(std::size_t pattern, Sides sides) {
    matcher_.set_neighbours(pattern, std::move(sides.left), std::move(sides.right));
  }

  using ValueCounts = std::map<Row, std::uint64_t>;
  using Values = std::unordered_map<Row, ValueCounts>;

  // So many more examples of a value.
  void add_value(const Row& leaf, const Row& value, std::uint64_t times);
  // The same of a leaf that is a whole row. settle_alone() says what they are worth.
  void add_alone(const Row& leaf, const Row& value, std::uint64_t times) {
    alone_[leaf][value] += times;
  }
  // Where the leaves of a pattern nearly always have another value if they are the whole row, these
  // values are kept apart. Else they are examples of values like others.
  void settle_alone();
  // By leaf: the value that it has if it is the whole row, where that is another one.
  const std::map<Row, ValueCounts>& alone() const { return alone_; }
  // The value that most examples give, or what `solve` says.
  const std::optional<Row>& value(const Row& leaf) const;
  // The same of a range of a row, which may be all of it.
  std::optional<Row> value_in(const Row& row, std::size_t begin, std::size_t size) const;
  void set_solve(Solve solve) {
    solve_ = std::move(solve);
    forget_found();
  }

  // By leaf, as in_order() writes it.
  const Values& values() const { return counts_; }
  // What the examples say of a leaf; null if nothing.
  const ValueCounts* counts(const Row& leaf) const;

  // Looks for tokens of leaves whose order makes no difference. From now on all orders of them are
  // the same leaf. The same for tokens that make no difference. Then for leaves whose value is one
  // of their tokens, and for those of which two such tokens can be taken at a time, and for those
  // that are computed from two numbers. `noise` is the share of examples that are taken to be
  // wrong.
  void find_laws(double noise = 0);
  const text::AnyOrder& any_order(std::size_t pattern) const { return any_order_[pattern]; }
  const text::NoMatter& no_matter(std::size_t pattern) const { return no_matter_[pattern]; }
  std::optional<std::size_t> copies(std::size_t pattern) const { return copies_[pattern]; }
  bool folds(std::size_t pattern) const { return folds_[pattern]; }
  const std::optional<text::Computation>& computes(std::size_t pattern) const {
    return computes_[pattern];
  }
  // How the numbers that are computed with are written; none if nothing is computed.
  std::vector<std::string> numbers() const;
  // A leaf with such tokens sorted, and others in the place of those that make no difference.
  Row in_order(Row leaf) const;

  struct Normal {
    Row row;
    bool known = true;  // false: some leaf has no value
  };
  // Rewrites the first leaf until there is none.
  Normal normalise(Row row) const;

 private:
  // Leaves by pattern, with the value that most examples give.
  std::vector<LeafValues> leaves_by_pattern() const;
  std::optional<text::Computation> computation_of(std::size_t pattern, const LeafValues& leaves,
                                                  double doubt, double noise) const;
  void sort_leaves(double doubt);
  void level_leaves(double doubt);
  void rename_leaves();
  void forget_found() {
    if (!found_.empty()) found_ = {};  // clear() would take time for all it ever had
  }
  std::optional<Row> find_value(const Row& leaf) const;
  // The value by a law, or what the examples say.
  std::optional<Row> by_law(const Row& sorted) const;
  bool can_fold(std::size_t pattern, const LeafValues& leaves, double doubt) const;
  std::optional<Row> folded(const Row& leaf, std::size_t pattern) const;

  Corpus& corpus_;
  text::Matcher matcher_;
  std::vector<Evidence> evidence_;         // by pattern
  std::vector<text::AnyOrder> any_order_;  // by pattern
  std::vector<text::NoMatter> no_matter_;  // by pattern
  bool orders_ = false;                    // some of them are not empty
  bool laws_ = false;                      // some leaves are copied, folded or computed
  std::vector<std::optional<std::size_t>> copies_;
  std::vector<bool> folds_;
  std::vector<std::optional<text::Computation>> computes_;
  std::shared_ptr<const Numbers> numbers_;
  Values counts_;
  std::map<Row, ValueCounts> alone_;
  Solve solve_;
  mutable std::unordered_map<Row, std::optional<Row>> found_;  // what value() has said
};

// The value with most votes.
const Row& commonest(const Draft::ValueCounts& counts);

}  // namespace nrs::teach
