#include "learn/examples/split.h"

#include <algorithm>

namespace nrs {

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

namespace {

template <class Value>
std::vector<Value> slice(const std::vector<Value>& values, std::int64_t begin, std::int64_t end) {
  if (values.empty()) return {};
  return {values.begin() + begin, values.begin() + end};
}

}  // namespace

TokenRows slice(const TokenRows& rows, RowRange range) {
  const std::int64_t begin = rows.packing.offsets()[static_cast<std::size_t>(range.begin)];
  const std::int64_t end = rows.packing.offsets()[static_cast<std::size_t>(range.end)];
  TokenRows part;
  part.first_token = rows.first_token + begin;
  part.ids = slice(rows.ids, begin, end);
  part.places = slice(rows.places, begin, end);
  part.seeds = slice(rows.seeds, range.begin, range.end);
  for (std::int64_t row = range.begin; row < range.end; ++row) {
    part.packing.add(static_cast<std::size_t>(rows.packing.length(row)));
  }
  return part;
}

namespace {

std::vector<std::int32_t> slice(const std::vector<std::int32_t>& targets, const Packing& packing,
                                RowRange range) {
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

std::vector<float> joined(const std::vector<std::vector<float>>& parts) {
  std::vector<float> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace nrs
