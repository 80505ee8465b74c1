#include "data/distinct.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/rng.h"
#include "base/threads.h"
#include "data/example.h"
#include "nrs/error.h"

namespace nrs::data {
namespace {

// Draws in a row that may bring nothing new: some at the least, and some for each formula found.
constexpr std::size_t kPatience = std::size_t{1} << 16;
constexpr std::size_t kPatiencePerFormula = 8;
constexpr std::size_t kPiece = 512;  // formulas that one thread draws at a time
constexpr std::size_t kPiecesAtOnce = 16;

// Drawing gets slow when a good part of all formulas is wanted: then they are listed. And where
// there are few in all, chance should not favour some: the likely ten of logic's 166 leaves are
// those that stand alone, and a Solver that is not trained on them cannot infer them from the
// others.
bool better_listed(const Domain& domain, const DrawRequest& request) {
  constexpr std::size_t kFew = 1024;
  const std::optional<std::size_t> existing = domain.listable(request.shape);
  return existing && request.step == 0 && (*existing <= kFew || request.count >= *existing / 8);
}

std::size_t draw_from_list(const Domain& domain, const DrawRequest& request, SeenTexts& seen,
                           const TakeSample& take) {
  std::vector<Sample> all;
  domain.for_each_formula(request.shape, [&](std::string_view formula, std::string_view value) {
    all.push_back({std::string(formula), std::string(value), false});
  });
  Rng rng(request.seed);
  rng.shuffle(all);
  std::size_t taken = 0;
  for (const Sample& sample : all) {
    if (taken == request.count) break;
    if (!seen.insert(sample.formula)) continue;
    take(sample);
    ++taken;
  }
  return taken;
}

// Draw number i of a request; the formula is left empty if it was too short for the step.
void draw_one(const Domain& domain, const DrawRequest& request, std::size_t i, Sample& sample) {
  Rng rng(request.seed, i);
  domain.generate(request.shape, rng, sample);
  if (request.step > 0 &&
      !rewrite_last(domain, request.step, sample.signs_merged, sample.formula)) {
    sample.formula.clear();
  }
}

}  // namespace

std::size_t SeenTexts::slot(std::uint64_t hash) const {
  std::size_t i = hash & (slots_.size() - 1);
  while (slots_[i] != 0 && slots_[i] != hash) i = (i + 1) & (slots_.size() - 1);
  return i;
}

bool SeenTexts::insert(std::string_view text) {
  const std::uint64_t hash = std::max<std::uint64_t>(hash_text(text), 1);
  const std::size_t i = slot(hash);
  if (slots_[i] == hash) return false;
  slots_[i] = hash;
  if (++size_ > slots_.size() / 2) grow();
  return true;
}

bool SeenTexts::contains(std::string_view text) const {
  return slots_[slot(std::max<std::uint64_t>(hash_text(text), 1))] != 0;
}

void SeenTexts::grow() {
  std::vector<std::uint64_t> old(4 * slots_.size());
  old.swap(slots_);
  for (const std::uint64_t hash : old) {
    if (hash != 0) slots_[slot(hash)] = hash;
  }
}

void check_length(const Domain& domain, const Shape& shape) {
  const auto fits = [&](int nesting) {
    return domain.longest_formula({nesting, shape.args}) <= kMaxFormulaLength;
  };
  if (fits(shape.nesting)) return;
  int deepest = 0;
  for (int beyond = shape.nesting; deepest + 1 < beyond;) {
    const int middle = deepest + (beyond - deepest) / 2;
    (fits(middle) ? deepest : beyond) = middle;
  }
  throw Error(ErrorKind::kUsage,
              fmt::format("nesting {} makes {} formulas longer than {} characters", shape.nesting,
                          domain.name(), kMaxFormulaLength),
              fmt::format("the deepest possible is {}", deepest));
}

std::size_t draw_distinct(const Domain& domain, const DrawRequest& request, SeenTexts& seen,
                          const TakeSample& take) {
  if (request.count == 0) return 0;
  check_length(domain, request.shape);
  if (better_listed(domain, request)) return draw_from_list(domain, request, seen, take);

  // Long formulas one at a time, or the buffer would outgrow the memory.
  const std::size_t piece = std::clamp<std::size_t>(
      (std::size_t{1} << 16) / domain.longest_formula(request.shape), 1, kPiece);
  std::vector<Sample> drawn(piece * kPiecesAtOnce);
  std::size_t taken = 0;
  std::size_t in_vain = 0;
  std::size_t start = 0;
  while (in_vain < std::max(kPatience, kPatiencePerFormula * taken)) {
    const std::size_t pieces = std::min(kPiecesAtOnce, (request.count - taken) / piece + 1);
    parallel_for(pieces, request.threads, [&](std::size_t p) {
      for (std::size_t i = p * piece; i < (p + 1) * piece; ++i) {
        draw_one(domain, request, start + i, drawn[i]);
      }
    });
    for (std::size_t i = 0; i < pieces * piece; ++i) {
      if (drawn[i].formula.empty() || !seen.insert(drawn[i].formula)) {
        ++in_vain;
        continue;
      }
      in_vain = 0;
      take(drawn[i]);
      if (++taken == request.count) return taken;
    }
    start += pieces * piece;
  }
  return taken;
}

std::size_t draw_level(const Domain& domain, const LevelRequest& request, SeenTexts& seen,
                       const std::function<void(const Sample& sample, const Shape& shape)>& take) {
  const auto kinds = static_cast<std::size_t>(request.args_to - request.args_from) + 1;
  std::size_t made = 0;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const Shape shape{request.nesting, request.args_from + static_cast<int>(kind), request.space};
    const std::size_t share = request.count * (kind + 1) / kinds - request.count * kind / kinds;
    made += draw_distinct(domain,
                          {.shape = shape,
                           .count = share,
                           .seed = mix(mix(request.seed, static_cast<std::uint64_t>(shape.nesting)),
                                       static_cast<std::uint64_t>(shape.args)),
                           .threads = request.threads},
                          seen, [&](const Sample& sample) { take(sample, shape); });
    if (shape.nesting == 0) break;  // an atom has no arguments
  }
  return made;
}

}  // namespace nrs::data
