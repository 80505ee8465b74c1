#include "learn/examples/batches.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "nrs/error.h"

namespace nrs::learn {

std::vector<std::int32_t> mark_targets(const data::RewriteExample& example,
                                       std::span<const Span> tokens, nn::Marks marks) {
  std::vector<std::int32_t> targets(tokens.size(), nn::kOutside);
  const bool begins = marks == nn::Marks::kBeginInside;
  std::size_t token = 0;
  const auto mark = [&](const Span& leaf) {
    while (token < tokens.size() && tokens[token].begin < leaf.begin) ++token;
    bool first = true;
    for (; token < tokens.size() && tokens[token].begin < leaf.end; ++token) {
      targets[token] = begins && !first ? nn::kInsideAfterBegin : nn::kBegin;
      first = false;
    }
  };
  if (example.final) mark({0, example.formula.size()});
  for (const Step& step : example.steps) mark(step.leaf);
  return targets;
}

void SelectorBatcher::add(const data::RewriteExample& example, std::uint64_t seed,
                          SelectorBatch& batch) const {
  const model::Tokens encoded = tokenizer_.encode(example.formula);
  const auto targets = mark_targets(example, encoded.spans, config_.marks);
  batch.targets.insert(batch.targets.end(), targets.begin(), targets.end());
  batch.formulas.add(encoded.ids);
  if (config_.encoder.place_values > 0) {
    batch.formulas.add_places(encoded.places);
  }
  if (config_.encoder.positions == nn::Positions::kLabel) batch.formulas.seeds.push_back(seed);
}

void SolverBatcher::add(std::string_view text, std::span<const std::int32_t> target,
                        std::uint64_t seed, SolverBatch& batch) const {
  const model::Tokens encoded = tokenizers_.input.encode(text);
  batch.leaves.add(encoded.ids);
  if (config_.encoder.place_values > 0) {
    batch.leaves.add_places(encoded.places);
  }
  if (config_.encoder.positions == nn::Positions::kLabel) batch.leaves.seeds.push_back(seed);
  batch.targets.insert(batch.targets.end(), target.begin(), target.end());
  std::vector<std::int32_t> prefix{model::kStartId};
  prefix.insert(prefix.end(), target.begin(), target.end() - 1);
  batch.written.add(prefix);
}

void SolverBatcher::add(const PairList& pairs, std::size_t number, std::uint64_t seed,
                        SolverBatch& batch) const {
  const auto target = pairs.omega(number) ? model::Tokenizer::encode_omega()
                                          : tokenizers_.output.encode_value(
                                                pairs.value(number), config_.decoder.direction);
  add(pairs.text(number), target, seed, batch);
}

void SolverBatcher::add(const data::RewriteExample& example, std::uint64_t seed,
                        SolverBatch& batch) const {
  const auto target =
      tokenizers_.output.encode_value(data::last_leaf(example), config_.decoder.direction);
  add(example.formula, target, seed, batch);
}

int longest_row(const nn::Packing& packing) {
  std::int64_t longest = 0;
  for (std::int64_t row = 0; row < packing.rows(); ++row) {
    longest = std::max(longest, packing.length(row));
  }
  return static_cast<int>(longest);
}

nn::TokenRows with_own_prefixes(const SolverBatch& batch,
                                const std::vector<std::vector<std::int32_t>>& own) {
  nn::TokenRows rows = batch.written;
  for (std::int64_t row = 0; row < rows.packing.rows(); ++row) {
    const auto& symbols = own[static_cast<std::size_t>(row)];
    for (std::int64_t at = rows.packing.begin(row) + 1; at < rows.packing.end(row); ++at) {
      rows.ids[static_cast<std::size_t>(at)] =
          symbols[static_cast<std::size_t>(at - rows.packing.begin(row) - 1)];
    }
  }
  return rows;
}

RouterBatcher::RouterBatcher(const nn::RouterConfig& config, model::Tokenizer input,
                             model::Tokenizer output)
    : config_(config), input_(std::move(input)), output_(std::move(output)) {}

void RouterBatcher::add(const SolvedFormula& example, RouterBatch& batch) const {
  const auto columns = static_cast<std::size_t>(config_.columns);
  std::vector<std::int32_t> value = output_.encode(example.value).ids;
  if (value.size() > columns) {
    throw Error(ErrorKind::kInput,
                fmt::format("the value '{}' has {} tokens, but router.columns is {}",
                            excerpt(example.value), value.size(), columns));
  }
  value.resize(columns, model::kEndId);
  const std::vector<std::int32_t> tokens = input_.encode(example.formula).ids;
  const std::int64_t begin = batch.columns.packing.tokens();
  batch.columns.add(nn::router_columns(config_, input_.size(), tokens));
  for (int i = 0; i < config_.columns; ++i) {
    const auto column = nn::answer_column(config_, static_cast<std::int64_t>(tokens.size()), i);
    batch.read.push_back(static_cast<std::int32_t>(begin + column));
  }
  batch.targets.insert(batch.targets.end(), value.begin(), value.end());
  batch.answers.add(columns);
}

namespace {

struct RowRange {
  std::int64_t begin, end;
};

// costs: of all rows before each row, and of all, [B + 1].
std::vector<RowRange> row_ranges(const std::vector<std::int64_t>& costs, int parts) {
  std::vector<RowRange> ranges;
  std::int64_t begin = 0;
  for (int part = 1; part <= parts; ++part) {
    const auto bound = std::lower_bound(costs.begin(), costs.end(), costs.back() * part / parts);
    const auto end = part == parts ? static_cast<std::int64_t>(costs.size()) - 1
                                   : std::max(begin, std::int64_t{bound - costs.begin()});
    ranges.push_back({begin, end});
    begin = end;
  }
  return ranges;
}

template <class Value>
std::vector<Value> slice(const std::vector<Value>& values, std::int64_t begin, std::int64_t end) {
  if (values.empty()) return {};
  return {values.begin() + begin, values.begin() + end};
}

nn::TokenRows slice(const nn::TokenRows& rows, RowRange range) {
  const std::int64_t begin = rows.packing.offsets()[static_cast<std::size_t>(range.begin)];
  const std::int64_t end = rows.packing.offsets()[static_cast<std::size_t>(range.end)];
  nn::TokenRows part;
  part.first_token = rows.first_token + begin;
  part.ids = slice(rows.ids, begin, end);
  part.places = slice(rows.places, begin, end);
  part.seeds = slice(rows.seeds, range.begin, range.end);
  for (std::int64_t row = range.begin; row < range.end; ++row) {
    part.packing.add(static_cast<std::size_t>(rows.packing.length(row)));
  }
  return part;
}

std::vector<std::int32_t> slice(const std::vector<std::int32_t>& targets,
                                const nn::Packing& packing, RowRange range) {
  return slice(targets, packing.offsets()[static_cast<std::size_t>(range.begin)],
               packing.offsets()[static_cast<std::size_t>(range.end)]);
}

}  // namespace

std::vector<SelectorBatch> split(const SelectorBatch& batch, int parts) {
  std::vector<SelectorBatch> split;
  for (const RowRange range : row_ranges(batch.formulas.packing.offsets(), parts)) {
    split.push_back({.formulas = slice(batch.formulas, range),
                     .targets = slice(batch.targets, batch.formulas.packing, range)});
  }
  return split;
}

std::vector<SolverBatch> split(const SolverBatch& batch, int parts) {
  std::vector<std::int64_t> costs = batch.leaves.packing.offsets();
  for (std::size_t i = 0; i < costs.size(); ++i) costs[i] += batch.written.packing.offsets()[i];
  std::vector<SolverBatch> split;
  for (const RowRange range : row_ranges(costs, parts)) {
    split.push_back({.leaves = slice(batch.leaves, range),
                     .written = slice(batch.written, range),
                     .targets = slice(batch.targets, batch.written.packing, range)});
  }
  return split;
}

std::vector<RouterBatch> split(const RouterBatch& batch, int parts) {
  std::vector<RouterBatch> split;
  for (const RowRange range : row_ranges(batch.columns.packing.offsets(), parts)) {
    RouterBatch part;
    part.columns = slice(batch.columns, range);
    const std::int64_t first =
        batch.columns.packing.offsets()[static_cast<std::size_t>(range.begin)];
    for (std::int64_t row = range.begin; row < range.end; ++row) {
      part.answers.add(static_cast<std::size_t>(batch.answers.length(row)));
      for (std::int64_t i = batch.answers.begin(row); i < batch.answers.end(row); ++i) {
        const auto at = static_cast<std::size_t>(i);
        part.read.push_back(static_cast<std::int32_t>(batch.read[at] - first));
        part.targets.push_back(batch.targets[at]);
      }
    }
    split.push_back(std::move(part));
  }
  return split;
}

std::vector<float> joined(const std::vector<std::vector<float>>& parts) {
  std::vector<float> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace nrs::learn
