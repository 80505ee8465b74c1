#pragma once
// Turns examples into the rows and targets that the networks learn from.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "data/example.h"
#include "learn/examples/example_source.h"
#include "model/tokenizer.h"
#include "nn/config.h"
#include "nn/packing.h"

namespace nrs::learn {

struct Batch {
  nn::TokenRows read;                 // formulas or leaves; the columns of a router
  nn::TokenRows written;              // of an encoder-decoder: start symbol and the right prefix
  nn::Packing answers;                // rows of the next two: M
  std::vector<std::int32_t> at;       // [M] of a router: the columns that answers are read from
  std::vector<std::int32_t> targets;  // [M] one class for each logit that is learnt
};

// Splits a batch into parts that are computed side by side: consecutive rows, about equally many
// tokens to read and write in each part; a part may be empty. Depends on nothing but the batch and
// `parts`.
std::vector<Batch> split(const Batch& batch, int parts);

// What was computed for the rows of each part, in the order of the batch.
std::vector<float> joined(const std::vector<std::vector<float>>& parts);

// The mark of every token: that of its first character (the borders of leaves are borders of
// tokens).
std::vector<std::int32_t> mark_targets(const data::RewriteExample& example,
                                       std::span<const Span> tokens, nn::Marks marks);

// Builds batches of a Selector that marks. `seed` fixes the labels of label positions.
class SelectorBatcher {
 public:
  SelectorBatcher(const nn::SelectorConfig& config, model::Tokenizer tokenizer)
      : config_(config), tokenizer_(std::move(tokenizer)) {}

  void add(const data::RewriteExample& example, std::uint64_t seed, Batch& batch) const;
  const model::Tokenizer& tokenizer() const { return tokenizer_; }

 private:
  nn::SelectorConfig config_;
  model::Tokenizer tokenizer_;
};

struct SolverTokenizers {
  model::Tokenizer input;
  model::Tokenizer output;  // the same as input if the vocabulary is shared
};

// Builds batches of an encoder-decoder: of a Solver, or of a Selector that writes.
class SolverBatcher {
 public:
  SolverBatcher(const nn::SolverConfig& config, SolverTokenizers tokenizers)
      : config_(config), tokenizers_(std::move(tokenizers)) {}

  // A leaf and its value.
  void add(const PairList& pairs, std::size_t number, std::uint64_t seed, Batch& batch) const;
  // A formula and its last leaf, which is the formula itself if that is final.
  void add(const data::RewriteExample& example, std::uint64_t seed, Batch& batch) const;
  const SolverTokenizers& tokenizers() const { return tokenizers_; }

 private:
  void add(std::string_view text, std::span<const std::int32_t> target, std::uint64_t seed,
           Batch& batch) const;

  nn::SolverConfig config_;
  SolverTokenizers tokenizers_;
};

// Tokens of the longest row.
int longest_row(const nn::Packing& packing);

// The right prefixes replaced by what the network itself wrote; `own` has at least as many symbols
// per row as the targets.
nn::TokenRows with_own_prefixes(const Batch& batch,
                                const std::vector<std::vector<std::int32_t>>& own);

// Builds batches of whole formulas, as the columns that a Neural Data Router reads.
class RouterBatcher {
 public:
  RouterBatcher(const nn::RouterConfig& config, model::Tokenizer input, model::Tokenizer output)
      : config_(config), input_(std::move(input)), output_(std::move(output)) {}

  // Throws Error (input) if the value has more tokens than are read.
  void add(const SolvedFormula& example, Batch& batch) const;
  const model::Tokenizer& input() const { return input_; }
  const model::Tokenizer& output() const { return output_; }

 private:
  nn::RouterConfig config_;
  model::Tokenizer input_, output_;
};

}  // namespace nrs::learn
