#pragma once
// Turns examples into the rows and targets that the networks learn from. Every batch has
//   input_rows()   how many tokens of each example are read
//   targets        one class for each logit that is learnt
//   target_rows()  how many of them each example has
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
#include "nn/router_config.h"

namespace nrs::learn {

// The mark of every token: that of its first character (the borders of leaves are borders of
// tokens).
std::vector<std::int32_t> mark_targets(const data::RewriteExample& example,
                                       std::span<const Span> tokens, nn::Marks marks);

struct SelectorBatch {
  nn::TokenRows formulas;
  std::vector<std::int32_t> targets;  // [N]

  const nn::Packing& input_rows() const { return formulas.packing; }
  const nn::Packing& target_rows() const { return formulas.packing; }
};

// Builds Selector batches. `seed` fixes the labels of label positions.
class SelectorBatcher {
 public:
  SelectorBatcher(const nn::SelectorConfig& config, model::Tokenizer tokenizer)
      : config_(config), tokenizer_(std::move(tokenizer)) {}

  void add(const data::RewriteExample& example, std::uint64_t seed, SelectorBatch& batch) const;
  const model::Tokenizer& tokenizer() const { return tokenizer_; }

 private:
  nn::SelectorConfig config_;
  model::Tokenizer tokenizer_;
};

struct SolverBatch {
  nn::TokenRows leaves;
  nn::TokenRows written;              // start symbol and the right prefix: M tokens
  std::vector<std::int32_t> targets;  // [M] the value and its end symbol

  const nn::Packing& input_rows() const { return leaves.packing; }
  const nn::Packing& target_rows() const { return written.packing; }
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
  void add(const PairList& pairs, std::size_t number, std::uint64_t seed, SolverBatch& batch) const;
  // A formula and its last leaf, which is the formula itself if that is final.
  void add(const data::RewriteExample& example, std::uint64_t seed, SolverBatch& batch) const;
  const SolverTokenizers& tokenizers() const { return tokenizers_; }

 private:
  void add(std::string_view text, std::span<const std::int32_t> target, std::uint64_t seed,
           SolverBatch& batch) const;

  nn::SolverConfig config_;
  SolverTokenizers tokenizers_;
};

// Tokens of the longest row.
int longest_row(const nn::Packing& packing);

// The right prefixes replaced by what the network itself wrote; `own` has at least as many symbols
// per row as the targets.
nn::TokenRows with_own_prefixes(const SolverBatch& batch,
                                const std::vector<std::vector<std::int32_t>>& own);

// Whole formulas as the columns that a Neural Data Router reads.
struct RouterBatch {
  nn::TokenRows columns;              // N
  nn::Packing answers;                // rows of the next two
  std::vector<std::int32_t> read;     // [M] which columns the answers are read from
  std::vector<std::int32_t> targets;  // [M] tokens of the value, then end symbols

  const nn::Packing& input_rows() const { return columns.packing; }
  const nn::Packing& target_rows() const { return answers; }
};

class RouterBatcher {
 public:
  RouterBatcher(const nn::RouterConfig& config, model::Tokenizer input, model::Tokenizer output)
      : config_(config), input_(std::move(input)), output_(std::move(output)) {}

  // Throws Error (input) if the value has more tokens than are read.
  void add(const SolvedFormula& example, RouterBatch& batch) const;
  const model::Tokenizer& input() const { return input_; }
  const model::Tokenizer& output() const { return output_; }

 private:
  nn::RouterConfig config_;
  model::Tokenizer input_, output_;
};

// Splits a batch into parts that are computed side by side: consecutive rows, about equally many
// tokens to read and write in each part; a part may be empty. Depends on nothing but the batch and
// `parts`.
std::vector<SelectorBatch> split(const SelectorBatch& batch, int parts);
std::vector<SolverBatch> split(const SolverBatch& batch, int parts);
std::vector<RouterBatch> split(const RouterBatch& batch, int parts);

// What was computed for the rows of each part, in the order of the batch.
std::vector<float> joined(const std::vector<std::vector<float>>& parts);

}  // namespace nrs::learn
