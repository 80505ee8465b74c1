#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "data/protocol.h"
#include "learn/examples/domain_source.h"

namespace nrs {
namespace {

class PaperSource : public ExampleSource {
 public:
  PaperSource(std::unique_ptr<ExampleSource> formulas, std::vector<const Domain*> domains,
              std::uint64_t seed)
      : formulas_(std::move(formulas)), domains_(std::move(domains)) {
    // The Selector's formulas are drawn anew for every batch instead.
    make_protocol_data({.domains = domains_, .seed = seed, .selector = false},
                       [this](DataGroup&& group) { take(group); });
  }

  std::string alphabet() const override { return formulas_->alphabet(); }
  RewriteExample draw(Rng& rng) const override { return formulas_->draw(rng); }
  Validation validation(int count, std::uint64_t seed) const override {
    return formulas_->validation(count, seed);
  }

  SolverPairs pairs(std::uint64_t seed) const override {
    Rng order(seed);
    SolverPairs pairs{
        .train = train_.shuffled(order), .valid = valid_.shuffled(order), .unseen = {}};
    std::unordered_set<std::string_view> trained;
    for (std::size_t i = 0; i < pairs.train.size(); ++i) trained.insert(pairs.train.text(i));
    for (const Domain* domain : domains_) {
      domain->for_each_leaf(FormulaSpace::kPaper,
                            [&](std::string_view leaf, std::string_view value) {
                              if (!trained.contains(leaf)) pairs.unseen.add(leaf, value, 1);
                            });
    }
    return pairs;
  }

 private:
  void take(const DataGroup& group) {
    if (group.part != Part::kSolver) return;
    PairList& pairs = group.split == Split::kTrain ? train_ : valid_;
    const bool atoms = group.shape.nesting == 0;
    const int number = atoms ? PairList::kFinalGroup : leaf_group(group);
    for (const DataRow& row : group.rows) {
      pairs.add(row.example.formula, atoms ? std::string_view() : row.value, number);
    }
  }

  // Leaves of one domain with one number of arguments are a group, in training and in validation.
  int leaf_group(const DataGroup& group) {
    const std::pair key(group.domain, group.shape.args);
    auto found = std::find(leaf_groups_.begin(), leaf_groups_.end(), key);
    if (found == leaf_groups_.end()) found = leaf_groups_.insert(found, key);
    return 1 + static_cast<int>(found - leaf_groups_.begin());
  }

  std::unique_ptr<ExampleSource> formulas_;
  std::vector<const Domain*> domains_;
  PairList train_;
  PairList valid_;
  std::vector<std::pair<const Domain*, int>> leaf_groups_;
};

}  // namespace

std::unique_ptr<ExampleSource> make_paper_source(std::vector<const Domain*> domains,
                                                 std::uint64_t seed) {
  return std::make_unique<PaperSource>(make_domains_source(domains, Protocol::kPaper), domains,
                                       seed);
}

}  // namespace nrs
