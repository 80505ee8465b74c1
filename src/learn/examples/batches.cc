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

namespace {

// Adds what an encoder reads of a text. Returns the spans of the tokens.
std::vector<Span> read(const nn::EncoderConfig& config, const model::Tokenizer& tokenizer,
                       std::string_view text, std::uint64_t seed, nn::TokenRows& rows) {
  model::Tokens encoded = tokenizer.encode(text);
  rows.add(encoded.ids);
  if (config.place_values > 0) rows.add_places(encoded.places);
  if (config.positions == nn::Positions::kLabel) rows.seeds.push_back(seed);
  return std::move(encoded.spans);
}

}  // namespace

void SelectorBatcher::add(const data::RewriteExample& example, std::uint64_t seed,
                          Batch& batch) const {
  const std::vector<Span> spans =
      read(config_.encoder, tokenizer_, example.formula, seed, batch.read);
  const auto targets = mark_targets(example, spans, config_.marks);
  batch.answers.add(targets.size());
  batch.targets.insert(batch.targets.end(), targets.begin(), targets.end());
}

void SolverBatcher::add(std::string_view text, std::span<const std::int32_t> target,
                        std::uint64_t seed, Batch& batch) const {
  read(config_.encoder, tokenizers_.input, text, seed, batch.read);
  batch.answers.add(target.size());
  batch.targets.insert(batch.targets.end(), target.begin(), target.end());
  std::vector<std::int32_t> prefix{model::kStartId};
  prefix.insert(prefix.end(), target.begin(), target.end() - 1);
  batch.written.add(prefix);
}

void SolverBatcher::add(const PairList& pairs, std::size_t number, std::uint64_t seed,
                        Batch& batch) const {
  const auto target = pairs.omega(number) ? model::Tokenizer::encode_omega()
                                          : tokenizers_.output.encode_value(
                                                pairs.value(number), config_.decoder.direction);
  add(pairs.text(number), target, seed, batch);
}

void SolverBatcher::add(const data::RewriteExample& example, std::uint64_t seed,
                        Batch& batch) const {
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

nn::TokenRows with_own_prefixes(const Batch& batch,
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

void RouterBatcher::add(const SolvedFormula& example, Batch& batch) const {
  const auto columns = static_cast<std::size_t>(config_.columns);
  std::vector<std::int32_t> value = output_.encode(example.value).ids;
  if (value.size() > columns) {
    throw Error(ErrorKind::kInput,
                fmt::format("the value '{}' has {} tokens, but router.columns is {}",
                            excerpt(example.value), value.size(), columns));
  }
  value.resize(columns, model::kEndId);
  const std::vector<std::int32_t> tokens = input_.encode(example.formula).ids;
  const std::int64_t begin = batch.read.packing.tokens();
  batch.read.add(nn::router_columns(config_, input_.size(), tokens));
  for (int i = 0; i < config_.columns; ++i) {
    const auto column = nn::answer_column(config_, static_cast<std::int64_t>(tokens.size()), i);
    batch.at.push_back(static_cast<std::int32_t>(begin + column));
  }
  batch.targets.insert(batch.targets.end(), value.begin(), value.end());
  batch.answers.add(columns);
}

namespace {

// Of rows, or of tokens.
struct Range {
  std::int64_t begin, end;
};

// costs: of all rows before each row, and of all, [B + 1].
std::vector<Range> row_ranges(const std::vector<std::int64_t>& costs, int parts) {
  std::vector<Range> ranges;
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

// The tokens of these rows.
Range tokens_of(const nn::Packing& packing, Range rows) {
  return {packing.begin(rows.begin), packing.begin(rows.end)};
}

template <class Value>
std::vector<Value> slice(const std::vector<Value>& values, Range range) {
  if (values.empty()) return {};
  return {values.begin() + range.begin, values.begin() + range.end};
}

nn::Packing slice(const nn::Packing& packing, Range rows) {
  nn::Packing part;
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    part.add(static_cast<std::size_t>(packing.length(row)));
  }
  return part;
}

nn::TokenRows slice(const nn::TokenRows& rows, Range range) {
  if (rows.packing.rows() == 0) return {};  // nothing is written
  const Range tokens = tokens_of(rows.packing, range);
  return {.packing = slice(rows.packing, range),
          .ids = slice(rows.ids, tokens),
          .places = slice(rows.places, tokens),
          .seeds = slice(rows.seeds, range),
          .first_token = rows.first_token + tokens.begin};
}

}  // namespace

std::vector<Batch> split(const Batch& batch, int parts) {
  const nn::Packing &read = batch.read.packing, &written = batch.written.packing;
  std::vector<std::int64_t> costs = read.offsets();
  for (std::size_t i = 0; i < written.offsets().size(); ++i) costs[i] += written.offsets()[i];
  std::vector<Batch> split;
  for (const Range range : row_ranges(costs, parts)) {
    const Range answers = tokens_of(batch.answers, range);
    Batch part{.read = slice(batch.read, range),
               .written = slice(batch.written, range),
               .answers = slice(batch.answers, range),
               .at = slice(batch.at, answers),
               .targets = slice(batch.targets, answers)};
    for (std::int32_t& at : part.at) at -= static_cast<std::int32_t>(read.begin(range.begin));
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
