#include "learn/examples/domain_source.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include "data/paper_counts.h"

namespace nrs {
namespace {

class DomainSource : public ExampleSource {
 public:
  DomainSource(const Domain& domain, Protocol protocol)
      : domain_(domain), space_(space_of(protocol)), any_order_(protocol == Protocol::kFull) {}

  std::string alphabet() const override { return std::string(domain_.alphabet()); }

  RewriteExample draw(Rng& rng) const override {
    const auto& groups = paper_counts(domain_).selector;
    return draw(groups[rng.below(groups.size())], rng);
  }

  Validation validation(int count, std::uint64_t seed) const override {
    const PaperCounts& counts = paper_counts(domain_);
    Validation validation;
    Rng known(seed, kKnown);
    for (const PaperGroup& group : counts.selector) {
      for (int i = 0; i < count; ++i) validation.known_levels.push_back(draw(group, known));
    }
    Rng deeper(seed, kDeeper);
    for (int nesting = counts.ood_from; nesting <= counts.ood_to; ++nesting) {
      for (int args = kLeastArgs; args <= domain_.most_args(); ++args) {
        for (int i = 0; i < count; ++i) {
          validation.deeper_levels.push_back(
              draw_deep({nesting, args, space_}, i % 2 == 1, deeper));
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
  enum Stream : std::uint64_t { kKnown = 1, kDeeper, kOrder };

  Shape in_space(Shape shape) const {
    shape.space = space_;
    return shape;
  }

  RewriteExample draw(const PaperGroup& group, Rng& rng) const {
    Sample sample;
    const Shape shape = in_space(group.shape);
    if (any_order_ && rng.chance(0.5)) {
      domain_.generate(shape, rng, sample);
      return lopsided(std::move(sample.formula), rng.between(0, shape.nesting + 1), rng);
    }
    do {  // some formulas are too short to be rewritten that often
      domain_.generate(shape, rng, sample);
    } while (group.step > 0 &&
             !rewrite_last(domain_, group.step, sample.signs_merged, sample.formula));
    return make_example(domain_, std::move(sample.formula));
  }

  // Half of the deep formulas are partly rewritten: lopsided ones look different from full ones.
  RewriteExample draw_deep(const Shape& shape, bool partly, Rng& rng) const {
    Sample sample;
    domain_.generate(shape, rng, sample);
    if (partly && any_order_) {
      return lopsided(std::move(sample.formula), rng.between(1, shape.nesting), rng);
    }
    if (partly) {
      const int count = rng.between(1, 1 << std::min(shape.nesting - 1, 10));
      std::string rewritten = sample.formula;
      if (rewrite_last(domain_, count, sample.signs_merged, rewritten)) sample.formula = rewritten;
    }
    return make_example(domain_, std::move(sample.formula));
  }

  RewriteExample lopsided(std::string formula, int rounds, Rng& rng) const {
    for (int i = 0; i < rounds && rewrite_some(domain_, 0.5, rng, formula); ++i) {
    }
    return make_example(domain_, std::move(formula));
  }

  const Domain& domain_;
  FormulaSpace space_;
  bool any_order_;  // not always the last leaf first
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

  RewriteExample draw(Rng& rng) const override {
    return sources_[rng.below(sources_.size())]->draw(rng);
  }

  Validation validation(int count, std::uint64_t seed) const override {
    Validation joint;
    for (const auto& source : sources_) {
      Validation one = source->validation(count, seed);
      std::move(one.known_levels.begin(), one.known_levels.end(),
                std::back_inserter(joint.known_levels));
      std::move(one.deeper_levels.begin(), one.deeper_levels.end(),
                std::back_inserter(joint.deeper_levels));
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

}  // namespace

std::unique_ptr<ExampleSource> make_domains_source(const std::vector<const Domain*>& domains,
                                                   Protocol protocol) {
  std::vector<std::unique_ptr<ExampleSource>> sources;
  for (const Domain* domain : domains) {
    sources.push_back(std::make_unique<DomainSource>(*domain, protocol));
  }
  if (sources.size() == 1) return std::move(sources.front());
  return std::make_unique<JointSource>(std::move(sources));
}

}  // namespace nrs
