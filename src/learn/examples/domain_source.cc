// What is learnt from domains: formulas drawn on the fly.
#include <algorithm>
#include <map>
#include <ranges>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "data/paper_counts.h"
#include "data/protocol.h"
#include "learn/examples/example_source.h"
#include "nrs/domain.h"

namespace nrs::learn {
namespace {

// Streams of the seed, so that adding one kind of draw does not move the others.
enum Stream : std::uint64_t { kInDistribution = 1, kOutOfDistribution, kOrder, kTokens = kOrder };

// More difficult than the training formulas.
std::vector<Shape> harder_shapes(const Domain& domain, FormulaSpace space) {
  const data::PaperCounts& counts = data::paper_counts(domain);
  std::vector<Shape> shapes;
  for (int nesting = counts.ood_from; nesting <= counts.ood_to; ++nesting) {
    for (int args = kLeastArgs; args <= domain.most_args(); ++args) {
      shapes.push_back({nesting, args, space});
    }
  }
  return shapes;
}

// The formulas of one domain.
class DomainFormulas {
 public:
  DomainFormulas(const Domain& domain, data::Protocol protocol, int deepest)
      : domain_(domain),
        space_(data::space_of(protocol)),
        any_order_(protocol == data::Protocol::kFull),
        deepest_(any_order_ ? deepest : 0) {}

  data::RewriteExample draw(Rng& rng) const {
    if (deepest_ > 0 && rng.chance(0.5)) return draw_any_depth(rng);
    const auto& groups = data::paper_counts(domain_).selector;
    return draw(groups[rng.below(groups.size())], rng);
  }

  void add_validation(int count, std::uint64_t seed, Validation<data::RewriteExample>& to) const {
    Rng in(seed, kInDistribution), out(seed, kOutOfDistribution);
    for (const data::PaperGroup& group : data::paper_counts(domain_).selector) {
      for (int i = 0; i < count; ++i) to.in_distribution.push_back(draw(group, in));
    }
    for (const Shape& shape : harder_shapes(domain_, space_)) {
      for (int i = 0; i < count; ++i) {
        to.out_of_distribution.push_back(draw_deep(shape, i % 2 == 1, out));
      }
    }
  }

 private:
  data::RewriteExample draw(const data::PaperGroup& group, Rng& rng) const {
    Sample sample;
    Shape shape = group.shape;
    shape.space = space_;
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
    if (partly) data::rewrite_partly(domain_, shape.nesting, rng, sample);
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

class DomainsSource : public ExampleSource {
 public:
  DomainsSource(const recipe::DataConfig& config, std::uint64_t seed)
      : every_leaf_(config.protocol == data::Protocol::kFull) {
    for (const std::string& name : config.domains) {
      domains_.push_back(&find_domain(name));
      formulas_.emplace_back(*domains_.back(), config.protocol, config.deepest);
    }
    if (every_leaf_) return;
    // The Selector's formulas are drawn anew for every batch instead.
    data::make_protocol_data({.domains = domains_, .seed = seed, .selector = false},
                             [this](data::DataGroup&& group) { take(group); });
  }

  void add_characters(model::VocabularyBuilder& to) const override {
    for (const Domain* domain : domains_) to.add(domain->alphabet());
  }

  data::RewriteExample draw(Rng& rng, double /*progress*/) const override {
    const std::size_t number = formulas_.size() == 1 ? 0 : rng.below(formulas_.size());
    return formulas_[number].draw(rng);
  }

  Validation<Example> validation(int count, std::uint64_t seed) const override {
    Validation<Example> validation;
    for (const DomainFormulas& one : formulas_) one.add_validation(count, seed, validation);
    return validation;
  }

  SolverPairs pairs(std::uint64_t seed) const override {
    return every_leaf_ ? all_pairs(seed) : paper_pairs(seed);
  }

 private:
  SolverPairs all_pairs(std::uint64_t seed) const {
    SolverPairs pairs{.train = {}, .valid = {}, .unseen = {}, .complete = true};
    int group = PairList::kFinalGroup;
    for (const Domain* domain : domains_) {
      PairList all;
      domain->for_each_atom([&](std::string_view atom) { all.add_final(atom); });
      for (int args = kLeastArgs; args <= domain->most_args(); ++args) {
        ++group;
        domain->for_each_formula(
            {.nesting = 1, .args = args},
            [&](std::string_view leaf, std::string_view value) { all.add(leaf, value, group); });
      }
      Rng order(seed, kOrder);
      pairs.train.append(all.shuffled(order));
    }
    return pairs;
  }

  SolverPairs paper_pairs(std::uint64_t seed) const {
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
    const int next = 1 + static_cast<int>(leaf_groups_.size());
    return leaf_groups_.try_emplace({group.domain, group.shape.args}, next).first->second;
  }

  std::vector<const Domain*> domains_;
  std::vector<DomainFormulas> formulas_;
  bool every_leaf_;  // else those that the paper trains on, which are in these lists
  PairList train_, valid_;
  std::map<std::pair<const Domain*, int>, int> leaf_groups_;
};

SolvedFormula draw_solved(const Domain& domain, const Shape& shape, Rng& rng) {
  Sample sample;
  domain.generate(shape, rng, sample);
  return {std::move(sample.formula), std::move(sample.value)};
}

// The levels of the training formulas of a domain, before any of them is rewritten. Routers are
// there to compare with the paper: they see formulas of its kind.
std::vector<Shape> levels_of(const Domain& domain) {
  std::vector<Shape> levels;
  for (const data::PaperGroup& group : data::paper_counts(domain).selector) {
    const Shape& shape = group.shape;
    if (group.step == 0) levels.push_back({shape.nesting, shape.args, FormulaSpace::kPaper});
  }
  return levels;
}

// Of the nestings from 0 to `deepest`.
int deepest_open(int deepest, double progress) {
  const double open = (deepest + 1) * (1 + std::min(progress, 1.0)) / 2;
  return std::max(0, static_cast<int>(open) - 1);
}

class DomainSolved : public SolvedSource {
 public:
  explicit DomainSolved(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const Domain& domain = find_domain(name);
      const std::vector<Shape> shapes = levels_of(domain);
      const int deepest = std::ranges::max(shapes, {}, &Shape::nesting).nesting;
      domains_.push_back({&domain, shapes, deepest});
    }
  }

  SolvedFormula draw(Rng& rng, double progress) const override {
    const Levels& one = domains_[rng.below(domains_.size())];
    const int deepest = deepest_open(one.deepest, progress);
    auto open = one.shapes |
                std::views::filter([&](const Shape& shape) { return shape.nesting <= deepest; });
    const auto level = static_cast<std::ptrdiff_t>(rng.below(std::ranges::distance(open)));
    return draw_solved(*one.domain, *std::ranges::next(open.begin(), level), rng);
  }

  Validation<Example> validation(int count, std::uint64_t seed) const override {
    Validation<Example> validation;
    Rng in(seed, kInDistribution), out(seed, kOutOfDistribution);
    for (const Levels& one : domains_) {
      for (const Shape& shape : one.shapes) {
        add(*one.domain, shape, count, in, validation.in_distribution);
      }
      for (const Shape& shape : harder_shapes(*one.domain, FormulaSpace::kPaper)) {
        add(*one.domain, shape, count, out, validation.out_of_distribution);
      }
    }
    return validation;
  }

  void add_tokens(model::VocabularyBuilder& formulas,
                  model::VocabularyBuilder& values) const override {
    for (const Levels& one : domains_) {
      one.domain->for_each_atom([&](std::string_view atom) {
        formulas.add(atom);
        values.add(atom);
      });
    }
    Rng rng(0, kTokens);
    for (int i = 0; i < kTokenDraws; ++i) formulas.add(draw(rng, 1).formula);
  }

 private:
  // Formulas from which the tokens between the atoms are taken.
  static constexpr int kTokenDraws = 2000;
  struct Levels {
    const Domain* domain;
    std::vector<Shape> shapes;
    int deepest;  // nesting
  };

  static void add(const Domain& domain, const Shape& shape, int count, Rng& rng,
                  std::vector<SolvedFormula>& to) {
    for (int i = 0; i < count; ++i) to.push_back(draw_solved(domain, shape, rng));
  }

  std::vector<Levels> domains_;
};

}  // namespace

std::unique_ptr<ExampleSource> make_source(const recipe::DataConfig& config, std::uint64_t seed) {
  if (!config.folder.empty()) return make_folder_source(config.folder);
  return std::make_unique<DomainsSource>(config, seed);
}

std::unique_ptr<SolvedSource> make_solved_source(const recipe::DataConfig& config) {
  if (!config.folder.empty()) return make_solved_folder(config.folder);
  return std::make_unique<DomainSolved>(config.domains);
}

}  // namespace nrs::learn
