#pragma once
// What a model is made of.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/model_file.h"

namespace nrs {

// What runs the model: "fastnrs", "nrs" or "ndr".
std::string engine_name(const Model& model);

// How many numbers training has set.
std::uint64_t count_parameters(const WeightMap& weights);
std::uint64_t count_parameters(const Model& model);

}  // namespace nrs
