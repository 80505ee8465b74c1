#pragma once
// How a formula stands in the columns of a Neural Data Router.
#include <cstdint>
#include <span>
#include <vector>

#include "nn/router_config.h"

namespace nrs {

// Begin, the tokens, end; and as many more end columns as it takes to read an answer from.
std::vector<std::int32_t> router_columns(const RouterConfig& config, int vocabulary,
                                         std::span<const std::int32_t> tokens);
// The column that the i-th token of the answer is read from; `count` tokens were in the formula.
std::int64_t answer_column(const RouterConfig& config, std::int64_t count, int i);

}  // namespace nrs
