#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "data/protocol.h"
#include "learn/domain_source.h"
#include "nrs/error.h"

namespace nrs {
namespace {

// All formulas of one difficulty, without their leaves: a domain finds those faster than memory for
// a million of them would be worth.
struct FormulaGroup {
  const Domain* domain = nullptr;
  PairList formulas;
};

class PaperSource : public ExampleSource {
 public:
  PaperSource(std::vector<const Domain*> domains, std::uint64_t seed, int threads)
      : domains_(std::move(domains)) {
    make_protocol_data(
        {.domains = domains_, .protocol = Protocol::kPaper, .seed = seed, .threads = threads},
        [this](DataGroup&& group) { take(std::move(group)); });
  }

  std::string alphabet() const override {
    std::string characters;
    for (const Domain* domain : domains_) characters += domain->alphabet();
    return characters;
  }

  RewriteExample draw(Rng& rng) const override {
    const FormulaGroup& group = train_[rng.below(train_.size())];
    return make_example(*group.domain,
                        std::string(group.formulas.text(rng.below(group.formulas.size()))));
  }

  Validation validation(int count, std::uint64_t /*seed*/) const override {
    return {.known_levels = first_of_each(known_, count),
            .deeper_levels = first_of_each(deeper_, count)};
  }

  SolverPairs pairs(std::uint64_t seed) const override {
    Rng order(seed);
    SolverPairs pairs{.train = solver_train_.shuffled(order),
                      .valid = solver_valid_.shuffled(order),
                      .unseen = {}};
    std::unordered_set<std::string_view> trained;
    for (std::size_t i = 0; i < pairs.train.size(); ++i) trained.insert(pairs.train.text(i));
    for (const Domain* domain : domains_) {
      domain->for_each_leaf([&](std::string_view leaf, std::string_view value) {
        if (!trained.contains(leaf)) pairs.unseen.add(leaf, value, 1);
      });
    }
    return pairs;
  }

 private:
  using Groups = std::vector<std::vector<RewriteExample>>;

  void take(DataGroup&& group) {
    if (group.part == Part::kSolver) {
      add_pairs(group);
    } else if (group.part == Part::kSelector && group.split == Split::kTrain) {
      FormulaGroup& kept =
          train_.emplace_back(FormulaGroup{.domain = group.domain, .formulas = {}});
      for (const DataRow& row : group.rows) kept.formulas.add_final(row.example.formula);
      if (group.rows.empty()) train_.pop_back();
    } else if (group.part == Part::kSelector && group.split != Split::kTest) {
      auto& rows = (group.split == Split::kValidId ? known_ : deeper_).emplace_back();
      for (DataRow& row : group.rows) rows.push_back(std::move(row.example));
    }
  }

  void add_pairs(const DataGroup& group) {
    PairList& pairs = group.split == Split::kTrain ? solver_train_ : solver_valid_;
    const bool atoms = group.shape.nesting == 0;
    const int number = atoms ? PairList::kFinalGroup : next_group(group);
    for (const DataRow& row : group.rows) {
      pairs.add(row.example.formula, atoms ? std::string_view() : row.value, number);
    }
  }

  // Leaves of one domain with one number of arguments are a group, in training and in validation.
  int next_group(const DataGroup& group) {
    const std::pair key(group.domain, group.shape.args);
    const auto found = std::find(leaf_groups_.begin(), leaf_groups_.end(), key);
    if (found == leaf_groups_.end()) {
      leaf_groups_.push_back(key);
      return static_cast<int>(leaf_groups_.size());
    }
    return 1 + static_cast<int>(found - leaf_groups_.begin());
  }

  static std::vector<RewriteExample> first_of_each(const Groups& groups, int count) {
    std::vector<RewriteExample> examples;
    for (const auto& group : groups) {
      const std::size_t most = std::min(group.size(), static_cast<std::size_t>(count));
      examples.insert(examples.end(), group.begin(),
                      group.begin() + static_cast<std::ptrdiff_t>(most));
    }
    return examples;
  }

  std::vector<const Domain*> domains_;
  std::vector<FormulaGroup> train_;
  Groups known_;
  Groups deeper_;
  PairList solver_train_;
  PairList solver_valid_;
  std::vector<std::pair<const Domain*, int>> leaf_groups_;
};

}  // namespace

std::unique_ptr<ExampleSource> make_paper_source(std::vector<const Domain*> domains,
                                                 std::uint64_t seed, int threads) {
  return std::make_unique<PaperSource>(std::move(domains), seed, threads);
}

}  // namespace nrs
