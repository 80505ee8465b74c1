#include "learn/whole_source.h"

#include <algorithm>
#include <utility>

#include "nrs/domain.h"

namespace nrs {
namespace {

constexpr int kLeastArgs = 2;
// Formulas from which the tokens between the atoms are taken.
constexpr int kVocabularyDraws = 2000;

// Streams of the seed, so that adding one kind of draw does not move the others.
enum Stream : std::uint64_t { kKnown = 1, kDeeper, kTokens };

WholeExample draw(const Domain& domain, const Shape& shape, Rng& rng) {
  Sample sample;
  domain.generate(shape, rng, sample);
  return {std::move(sample.formula), std::move(sample.value)};
}

// The levels of the training formulas of a domain, before any of them is rewritten.
std::vector<Shape> levels_of(const Domain& domain) {
  std::vector<Shape> levels;
  for (const PaperGroup& group : domain.paper_counts().selector) {
    if (group.step == 0) levels.push_back(group.shape);
  }
  return levels;
}

class DomainsWhole : public WholeSource {
 public:
  explicit DomainsWhole(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const Domain& domain = find_domain(name);
      const std::vector<Shape> shapes = levels_of(domain);
      const int deepest = std::ranges::max(shapes, {}, &Shape::nesting).nesting;
      domains_.push_back({&domain, shapes, static_cast<std::size_t>(deepest) + 1});
    }
  }

  WholeExample draw(Rng& rng, double progress) const override {
    const Levels& one = domains_[rng.below(domains_.size())];
    const auto deepest = static_cast<int>(open_levels(one.nestings, progress)) - 1;
    const auto open = [&](const Shape& shape) { return shape.nesting <= deepest; };
    auto left = rng.below(std::ranges::count_if(one.shapes, open));
    const auto drawn = std::ranges::find_if(
        one.shapes, [&](const Shape& shape) { return open(shape) && left-- == 0; });
    return nrs::draw(*one.domain, *drawn, rng);
  }

  WholeValidation validation(int count, std::uint64_t seed) const override {
    WholeValidation validation;
    Rng known(seed, kKnown), deeper(seed, kDeeper);
    for (const Levels& one : domains_) {
      for (const Shape& shape : one.shapes) {
        add(*one.domain, shape, count, known, validation.known_levels);
      }
      const PaperCounts& counts = one.domain->paper_counts();
      for (int nesting = counts.ood_from; nesting <= counts.ood_to; ++nesting) {
        for (int args = kLeastArgs; args <= one.domain->most_args(); ++args) {
          add(*one.domain, {nesting, args}, count, deeper, validation.deeper_levels);
        }
      }
    }
    return validation;
  }

  void add_tokens(VocabularyBuilder& formulas, VocabularyBuilder& values) const override {
    for (const Levels& one : domains_) {
      one.domain->for_each_atom([&](std::string_view atom) {
        formulas.add(atom);
        values.add(atom);
      });
    }
    Rng rng(0, kTokens);
    for (int i = 0; i < kVocabularyDraws; ++i) formulas.add(draw(rng, 1).formula);
  }

 private:
  struct Levels {
    const Domain* domain;
    std::vector<Shape> shapes;
    std::size_t nestings;  // from none to the deepest
  };

  static void add(const Domain& domain, const Shape& shape, int count, Rng& rng,
                  std::vector<WholeExample>& to) {
    for (int i = 0; i < count; ++i) to.push_back(nrs::draw(domain, shape, rng));
  }

  std::vector<Levels> domains_;
};

}  // namespace

std::size_t WholeSource::open_levels(std::size_t levels, double progress) {
  const double open = static_cast<double>(levels) * (1 + std::min(progress, 1.0)) / 2;
  return std::max<std::size_t>(1, static_cast<std::size_t>(open));
}

std::unique_ptr<WholeSource> make_whole_source(const DataConfig& config) {
  if (!config.folder.empty()) return make_whole_folder(config.folder);
  return std::make_unique<DomainsWhole>(config.domains);
}

}  // namespace nrs
