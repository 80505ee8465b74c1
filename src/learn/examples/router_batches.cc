#include "learn/examples/router_batches.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "learn/examples/split.h"
#include "nrs/error.h"

namespace nrs {

RouterBatcher::RouterBatcher(const RouterConfig& config, Tokenizer input, Tokenizer output)
    : config_(config), input_(std::move(input)), output_(std::move(output)) {}

void RouterBatcher::add(const WholeExample& example, RouterBatch& batch) const {
  const auto columns = static_cast<std::size_t>(config_.columns);
  std::vector<std::int32_t> value = output_.encode(example.value).ids;
  if (value.size() > columns) {
    throw Error(ErrorKind::kInput,
                fmt::format("the value '{}' has {} tokens, but router.columns is {}",
                            excerpt(example.value), value.size(), columns));
  }
  value.resize(columns, kEndId);
  const std::vector<std::int32_t> tokens = input_.encode(example.formula).ids;
  const std::int64_t begin = batch.columns.packing.tokens();
  batch.columns.add(router_columns(config_, input_.size(), tokens));
  for (int i = 0; i < config_.columns; ++i) {
    const auto column = answer_column(config_, static_cast<std::int64_t>(tokens.size()), i);
    batch.read.push_back(static_cast<std::int32_t>(begin + column));
  }
  batch.targets.insert(batch.targets.end(), value.begin(), value.end());
  batch.answers.add(columns);
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

}  // namespace nrs
