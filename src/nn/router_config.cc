#include "nn/router_config.h"

#include <algorithm>

namespace nrs::nn {

std::vector<std::int32_t> router_columns(const RouterConfig& config, int vocabulary,
                                         std::span<const std::int32_t> tokens) {
  std::vector<std::int32_t> columns{begin_column_id(vocabulary)};
  columns.insert(columns.end(), tokens.begin(), tokens.end());
  columns.push_back(end_column_id(vocabulary));
  const auto read = static_cast<std::size_t>(config.columns);
  columns.resize(std::max(columns.size(), read), end_column_id(vocabulary));
  return columns;
}

std::int64_t answer_column(const RouterConfig& config, std::int64_t count, int i) {
  return config.readout == Readout::kFirst ? i : count + 1;
}

}  // namespace nrs::nn
