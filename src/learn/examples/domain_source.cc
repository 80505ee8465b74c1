#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "data/paper_counts.h"
#include "data/protocol.h"
#include "learn/examples/example_source.h"
#include "nrs/domain.h"

namespace nrs::learn {
namespace {

class DomainSource : public ExampleSource {
 public:
  DomainSource(const Domain& domain, data::Protocol protocol, int deepest)
      : domain_(domain),
        space_(data::space_of(protocol)),
        any_order_(protocol == data::Protocol::kFull),
        deepest_(deepest) {}

  std::string alphabet() const override { return std::string(domain_.alphabet()); }

  data::RewriteExample draw(Rng& rng) const override {
    if (deepest_ > 0 && rng.chance(0.5)) return draw_any_depth(rng);
    const auto& groups = data::paper_counts(domain_).selector;
    return draw(groups[rng.below(groups.size())], rng);
  }

  Validation validation(int count, std::uint64_t seed) const override {
    const data::PaperCounts& counts = data::paper_counts(domain_);
    Validation validation;
    Rng in(seed, kInDistribution);
    for (const data::PaperGroup& group : counts.selector) {
      for (int i = 0; i < count; ++i) validation.in_distribution.push_back(draw(group, in));
    }
    Rng out(seed, kOutOfDistribution);
    for (int nesting = counts.ood_from; nesting <= counts.ood_to; ++nesting) {
      for (int args = kLeastArgs; args <= domain_.most_args(); ++args) {
        for (int i = 0; i < count; ++i) {
          validation.out_of_distribution.push_back(
              draw_deep({nesting, args, space_}, i % 2 == 1, out));
        }
      }
    }
    return validation;
  }

  SolverPairs pairs(std::uint64_t seed) const override {
    PairList all;
    domain_.for_each_atom([&](std::string_view atom) { all.add_final(atom); });
    for (int args = kLeastArgs; args <= domain_.most_args(); ++args) {
      domain_.for_each_formula({.nesting = 1, .args = args},
                               [&](std::string_view leaf, std::string_view value) {
                                 all.add(leaf, value, 1 + args - kLeastArgs);
                               });
    }
    Rng order(seed, kOrder);
    return {.train = all.shuffled(order), .valid = {}, .unseen = {}, .complete = true};
  }

 private:
  // Streams of the seed, so that adding one kind of draw does not move the others.
  enum Stream : std::uint64_t { kInDistribution = 1, kOutOfDistribution, kOrder };

  Shape in_space(Shape shape) const {
    shape.space = space_;
    return shape;
  }

  data::RewriteExample draw(const data::PaperGroup& group, Rng& rng) const {
    Sample sample;
    const Shape shape = in_space(group.shape);
    if (any_order_ && rng.chance(0.5)) {
      domain_.generate(shape, rng, sample);
      return lopsided(std::move(sample.formula), rng.between(0, shape.nesting + 1), rng);
    }
    do {  // some formulas are too short to be rewritten that often
      domain_.generate(shape, rng, sample);
    } while (group.step > 0 &&
             !data::rewrite_last(domain_, group.step, sample.signs_merged, sample.formula));
    return data::make_example(domain_, std::move(sample.formula));
  }

  // What is left of a formula of any nesting when it has become short: brackets in long runs, and
  // neighbours of every age.
  data::RewriteExample draw_any_depth(Rng& rng) const {
    constexpr std::size_t kLongestWhole = 1500, kLongest = 160;
    const int args = rng.between(kLeastArgs, domain_.most_args());
    int most = 1;
    while (most < deepest_ && domain_.longest_formula({most + 1, args}) <= kLongestWhole) ++most;
    Sample sample;
    domain_.generate({rng.between(1, most), args, space_}, rng, sample);
    while (sample.formula.size() > kLongest &&
           data::rewrite_some(domain_, 0.5, rng, sample.formula)) {
    }
    return lopsided(std::move(sample.formula), rng.between(0, 3), rng);
  }

  // Half of the deep formulas are partly rewritten: lopsided ones look different from full ones.
  data::RewriteExample draw_deep(const Shape& shape, bool partly, Rng& rng) const {
    Sample sample;
    domain_.generate(shape, rng, sample);
    if (partly && any_order_) {
      return lopsided(std::move(sample.formula), rng.between(1, shape.nesting), rng);
    }
    if (partly) {
      const int count = rng.between(1, 1 << std::min(shape.nesting - 1, 10));
      std::string rewritten = sample.formula;
      if (data::rewrite_last(domain_, count, sample.signs_merged, rewritten))
        sample.formula = rewritten;
    }
    return data::make_example(domain_, std::move(sample.formula));
  }

  data::RewriteExample lopsided(std::string formula, int rounds, Rng& rng) const {
    for (int i = 0; i < rounds && data::rewrite_some(domain_, 0.5, rng, formula); ++i) {
    }
    return data::make_example(domain_, std::move(formula));
  }

  const Domain& domain_;
  FormulaSpace space_;
  bool any_order_;  // not always the last leaf first
  int deepest_;     // 0: as deep as the paper's
};

class JointSource : public ExampleSource {
 public:
  explicit JointSource(std::vector<std::unique_ptr<ExampleSource>> sources)
      : sources_(std::move(sources)) {}

  std::string alphabet() const override {
    std::string characters;
    for (const auto& source : sources_) characters += source->alphabet();
    return characters;
  }

  data::RewriteExample draw(Rng& rng) const override {
    return sources_[rng.below(sources_.size())]->draw(rng);
  }

  Validation validation(int count, std::uint64_t seed) const override {
    Validation joint;
    for (const auto& source : sources_) {
      Validation one = source->validation(count, seed);
      std::move(one.in_distribution.begin(), one.in_distribution.end(),
                std::back_inserter(joint.in_distribution));
      std::move(one.out_of_distribution.begin(), one.out_of_distribution.end(),
                std::back_inserter(joint.out_of_distribution));
    }
    return joint;
  }

  SolverPairs pairs(std::uint64_t seed) const override {
    SolverPairs joint;
    joint.complete = true;
    int group = 1;
    for (const auto& source : sources_) {
      const SolverPairs one = source->pairs(seed);
      joint.complete = joint.complete && one.complete;
      joint.valid.append(one.valid, group);
      joint.unseen.append(one.unseen, group);
      group = joint.train.append(one.train, group);
    }
    return joint;
  }

 private:
  std::vector<std::unique_ptr<ExampleSource>> sources_;
};

// The formulas of the domains, and the leaves that the paper trains on.
class PaperSource : public ExampleSource {
 public:
  PaperSource(std::unique_ptr<ExampleSource> formulas, std::vector<const Domain*> domains,
              std::uint64_t seed)
      : formulas_(std::move(formulas)), domains_(std::move(domains)) {
    // The Selector's formulas are drawn anew for every batch instead.
    data::make_protocol_data({.domains = domains_, .seed = seed, .selector = false},
                             [this](data::DataGroup&& group) { take(group); });
  }

  std::string alphabet() const override { return formulas_->alphabet(); }
  data::RewriteExample draw(Rng& rng) const override { return formulas_->draw(rng); }
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
  void take(const data::DataGroup& group) {
    if (group.part != data::Part::kSolver) return;
    PairList& pairs = group.split == data::Split::kTrain ? train_ : valid_;
    const bool atoms = group.shape.nesting == 0;
    const int number = atoms ? PairList::kFinalGroup : leaf_group(group);
    for (const data::DataRow& row : group.rows) {
      pairs.add(row.example.formula, atoms ? std::string_view() : row.value, number);
    }
  }

  // Leaves of one domain with one number of arguments are a group, in training and in validation.
  int leaf_group(const data::DataGroup& group) {
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

std::unique_ptr<ExampleSource> make_domains_source(const std::vector<const Domain*>& domains,
                                                   data::Protocol protocol, int deepest) {
  std::vector<std::unique_ptr<ExampleSource>> sources;
  for (const Domain* domain : domains) {
    sources.push_back(std::make_unique<DomainSource>(*domain, protocol, deepest));
  }
  if (sources.size() == 1) return std::move(sources.front());
  return std::make_unique<JointSource>(std::move(sources));
}

std::unique_ptr<ExampleSource> make_paper_source(std::vector<const Domain*> domains,
                                                 std::uint64_t seed) {
  return std::make_unique<PaperSource>(
      make_domains_source(domains, data::Protocol::kPaper, /*deepest=*/0), domains, seed);
}

}  // namespace nrs::learn
