#include "learn/examples/batches.h"

#include <algorithm>

namespace nrs {

std::vector<std::int32_t> mark_targets(const RewriteExample& example, std::span<const Span> tokens,
                                       Marks marks) {
  std::vector<std::int32_t> targets(tokens.size(), kOutside);
  const bool begins = marks == Marks::kBeginInside;
  std::size_t token = 0;
  const auto mark = [&](const Span& leaf) {
    while (token < tokens.size() && tokens[token].begin < leaf.begin) ++token;
    bool first = true;
    for (; token < tokens.size() && tokens[token].begin < leaf.end; ++token) {
      targets[token] = begins && !first ? kInsideAfterBegin : kBegin;
      first = false;
    }
  };
  if (example.final) mark({0, example.formula.size()});
  for (const Step& step : example.steps) mark(step.leaf);
  return targets;
}

void SelectorBatcher::add(const RewriteExample& example, std::uint64_t seed,
                          SelectorBatch& batch) const {
  const Encoded encoded = tokenizer_.encode(example.formula);
  const auto targets = mark_targets(example, encoded.spans, config_.marks);
  batch.targets.insert(batch.targets.end(), targets.begin(), targets.end());
  batch.formulas.add(encoded.ids);
  if (config_.encoder.place_values > 0) {
    batch.formulas.add_places(digit_places(example.formula, encoded.spans));
  }
  if (config_.encoder.positions == Positions::kLabel) batch.formulas.seeds.push_back(seed);
}

void SolverBatcher::add(std::string_view text, std::span<const std::int32_t> target,
                        std::uint64_t seed, SolverBatch& batch) const {
  const Encoded encoded = tokenizers_.input.encode(text);
  batch.leaves.add(encoded.ids);
  if (config_.encoder.place_values > 0) {
    batch.leaves.add_places(digit_places(text, encoded.spans));
  }
  if (config_.encoder.positions == Positions::kLabel) batch.leaves.seeds.push_back(seed);
  batch.targets.insert(batch.targets.end(), target.begin(), target.end());
  std::vector<std::int32_t> prefix{kStartId};
  prefix.insert(prefix.end(), target.begin(), target.end() - 1);
  batch.written.add(prefix);
}

void SolverBatcher::add(const PairList& pairs, std::size_t number, std::uint64_t seed,
                        SolverBatch& batch) const {
  const auto target = pairs.omega(number) ? Tokenizer::encode_omega()
                                          : tokenizers_.output.encode_value(
                                                pairs.value(number), config_.decoder.direction);
  add(pairs.text(number), target, seed, batch);
}

void SolverBatcher::add(const RewriteExample& example, std::uint64_t seed,
                        SolverBatch& batch) const {
  const auto target =
      tokenizers_.output.encode_value(last_leaf(example), config_.decoder.direction);
  add(example.formula, target, seed, batch);
}

int longest_row(const Packing& packing) {
  std::int64_t longest = 0;
  for (std::int64_t row = 0; row < packing.rows(); ++row) {
    longest = std::max(longest, packing.length(row));
  }
  return static_cast<int>(longest);
}

TokenRows with_own_prefixes(const SolverBatch& batch,
                            const std::vector<std::vector<std::int32_t>>& own) {
  TokenRows rows = batch.written;
  for (std::int64_t row = 0; row < rows.packing.rows(); ++row) {
    const auto& symbols = own[static_cast<std::size_t>(row)];
    for (std::int64_t at = rows.packing.begin(row) + 1; at < rows.packing.end(row); ++at) {
      rows.ids[static_cast<std::size_t>(at)] =
          symbols[static_cast<std::size_t>(at - rows.packing.begin(row) - 1)];
    }
  }
  return rows;
}

}  // namespace nrs
