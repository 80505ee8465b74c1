#pragma once
// Whether the fields of a configuration fit together; single ranges are the visitors' affair.
#include <string_view>

#include "nn/config.h"

namespace nrs::model {

// They throw Error (usage). `where` names the struct in the message.
void check(const nn::EncoderConfig& config, std::string_view where);
void check(const nn::SelectorConfig& config);
void check(const nn::SolverConfig& config);
void check(const nn::RouterConfig& config);

}  // namespace nrs::model
