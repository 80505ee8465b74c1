#include "learn/examples/solved_source.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "data/paper_counts.h"
#include "nrs/domain.h"

namespace nrs::learn {
namespace {

// Routers are there to compare with the paper: they see formulas of its kind.
SolvedFormula draw(const Domain& domain, const Shape& shape, Rng& rng) {
  Sample sample;
  domain.generate({shape.nesting, shape.args, FormulaSpace::kPaper}, rng, sample);
  return {std::move(sample.formula), std::move(sample.value)};
}

// The levels of the training formulas of a domain, before any of them is rewritten.
std::vector<Shape> levels_of(const Domain& domain) {
  std::vector<Shape> levels;
  for (const data::PaperGroup& group : data::paper_counts(domain).selector) {
    if (group.step == 0) levels.push_back(group.shape);
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
    return learn::draw(*one.domain, *std::ranges::next(open.begin(), level), rng);
  }

  SolvedValidation validation(int count, std::uint64_t seed) const override {
    SolvedValidation validation;
    Rng in(seed, kInDistribution), out(seed, kOutOfDistribution);
    for (const Levels& one : domains_) {
      for (const Shape& shape : one.shapes) {
        add(*one.domain, shape, count, in, validation.in_distribution);
      }
      const data::PaperCounts& counts = data::paper_counts(*one.domain);
      for (int nesting = counts.ood_from; nesting <= counts.ood_to; ++nesting) {
        for (int args = kLeastArgs; args <= one.domain->most_args(); ++args) {
          add(*one.domain, {nesting, args}, count, out, validation.out_of_distribution);
        }
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
  // Streams of the seed, so that adding one kind of draw does not move the others.
  enum Stream : std::uint64_t { kInDistribution = 1, kOutOfDistribution, kTokens };

  struct Levels {
    const Domain* domain;
    std::vector<Shape> shapes;
    int deepest;  // nesting
  };

  static void add(const Domain& domain, const Shape& shape, int count, Rng& rng,
                  std::vector<SolvedFormula>& to) {
    for (int i = 0; i < count; ++i) to.push_back(learn::draw(domain, shape, rng));
  }

  std::vector<Levels> domains_;
};

}  // namespace

std::unique_ptr<SolvedSource> make_solved_source(const recipe::DataConfig& config) {
  if (!config.folder.empty()) return make_solved_folder(config.folder);
  return std::make_unique<DomainSolved>(config.domains);
}

}  // namespace nrs::learn
