#pragma once
// Where a training run gets its examples. The rest of the learning code knows only this.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/rng.h"
#include "data/example.h"
#include "data/pair_file.h"
#include "data/protocol.h"
#include "learn/examples/pair_list.h"
#include "model/tokenizer.h"
#include "nrs/domain.h"
#include "recipe/recipe.h"

namespace nrs::learn {

// Examples on which a module is measured while it learns.
template <class Example>
struct ValidationSets {
  std::vector<Example> in_distribution;      // as difficult as the training examples
  std::vector<Example> out_of_distribution;  // more difficult: deeper or longer
};
using Validation = ValidationSets<data::RewriteExample>;

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
  virtual data::RewriteExample draw(Rng& rng) const = 0;
  // `count` examples per group of difficulty. The same for the same seed.
  virtual Validation validation(int count, std::uint64_t seed) const = 0;
  // All pairs of the Solver.
  virtual SolverPairs pairs(std::uint64_t seed) const = 0;
};

// The source that a recipe asks for; the seed fixes the data of the paper's protocol. Throws Error:
// unknown domain (usage), bad file (input).
std::unique_ptr<ExampleSource> make_source(const recipe::DataConfig& config, std::uint64_t seed);

// A source that owns all of its examples: worked examples of any rewriting system, without a
// domain.
std::unique_ptr<ExampleSource> make_list_source(std::vector<data::RewriteExample> examples,
                                                const recipe::DataConfig& config);

// Pairs alone, such as those of a file (data/pair_file.h). `held_out` is the fraction that is kept
// for validation: by the texts alone, so that a file that grows moves none from one side to the
// other. Final texts are never kept back.
SolverPairs split_pairs(std::span<const data::TaughtPair> taught, double held_out,
                        std::uint64_t seed);

// A data set written by `nrs dataset`: its own training and validation examples, no others. Throws
// Error (input) with file and line.
std::unique_ptr<ExampleSource> make_folder_source(const std::filesystem::path& folder);

// Every leaf and atom of the domains, and formulas drawn on the fly, each domain as likely as any
// other. The domains must outlive the source; the built-in ones do. With the paper's protocol the
// formulas are of the paper's kind, and partly rewritten from the last leaf on; else half of them
// have been rewritten in an order that chance makes: people write (1+(2*3)) too. If `deepest` is
// not 0, half of all formulas are what is left of a formula of up to this nesting.
std::unique_ptr<ExampleSource> make_domains_source(const std::vector<const Domain*>& domains,
                                                   data::Protocol protocol = data::Protocol::kFull,
                                                   int deepest = 0);

// The same formulas, but of the leaves only the part that the paper's protocol trains on
// (data/protocol.h). For its fixed sets of formulas, write them with `nrs dataset` and read the
// folder.
std::unique_ptr<ExampleSource> make_paper_source(std::vector<const Domain*> domains,
                                                 std::uint64_t seed);

// All characters of the source, or with token rules all tokens that it makes of atoms, leaves and
// many formulas: an example that is drawn later must not have an unknown token.
model::VocabularyBuilder formula_tokens(const nn::SelectorConfig& config,
                                        const ExampleSource& source, std::uint64_t seed);

}  // namespace nrs::learn
