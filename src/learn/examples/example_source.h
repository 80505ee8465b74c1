#pragma once
// Where a training run gets its examples. The rest of the learning code knows only this.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/rng.h"
#include "data/example.h"
#include "learn/examples/pair_list.h"
#include "recipe/recipe.h"

namespace nrs {

// Examples on which a module is measured while it learns.
struct Validation {
  std::vector<RewriteExample> known_levels;   // as difficult as the training examples (ID)
  std::vector<RewriteExample> deeper_levels;  // more difficult (OOD)
};

// What a Solver learns from and what it is measured on, each in a random but fixed order. When all
// there is is learned, the last two are empty.
struct SolverPairs {
  PairList train;
  PairList valid;         // measured while it learns
  PairList unseen;        // all that exists and is not in `train`: measured once, at the end
  bool complete = false;  // no other text than those of `train` has an answer
  std::vector<std::uint32_t> met{};  // how often each of `train` was met; empty: once each

  std::size_t times(std::size_t i) const { return met.empty() ? 1 : met[i]; }
};

// Const and thread-safe.
class ExampleSource {
 public:
  virtual ~ExampleSource() = default;

  // Every character of a formula or value, at least once.
  virtual std::string alphabet() const = 0;
  // A training example of the Selector: every group of difficulty as likely as any other. The
  // values of its steps may be left out.
  virtual RewriteExample draw(Rng& rng) const = 0;
  // `count` examples per group of difficulty. The same for the same seed.
  virtual Validation validation(int count, std::uint64_t seed) const = 0;
  // All pairs of the Solver.
  virtual SolverPairs pairs(std::uint64_t seed) const = 0;
};

// The source that a recipe asks for; the seed fixes the data of the paper's protocol. Throws Error:
// unknown domain (usage), bad file (input).
std::unique_ptr<ExampleSource> make_source(const DataConfig& config, std::uint64_t seed);

// A source that owns all of its examples: worked examples of any rewriting system, without a
// domain.
std::unique_ptr<ExampleSource> make_list_source(std::vector<RewriteExample> examples,
                                                const DataConfig& config);

// A data set written by `nrs dataset`: its own training and validation examples, no others. Throws
// Error (input) with file and line.
std::unique_ptr<ExampleSource> make_folder_source(const std::filesystem::path& folder);

}  // namespace nrs
