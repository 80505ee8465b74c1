#pragma once
// Whether the fields of a configuration fit together; single ranges are the visitors' affair.
#include <string_view>

#include "nn/config.h"
#include "nn/router_config.h"

namespace nrs {

// They throw Error (usage). `where` names the struct in the message.
void check(const EncoderConfig& config, std::string_view where);
void check(const SelectorConfig& config);
void check(const SolverConfig& config);
void check(const RouterConfig& config);

}  // namespace nrs
