#pragma once
// What a model is made of, and what the recipe in its file tells of the examples that it learnt
// from.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/model_file.h"

namespace nrs {

// The built-in domains named in a recipe (Model::recipe), in its order. Empty if the examples came
// from elsewhere: the model is of someone's own rewriting system.
std::vector<std::string> trained_domains(std::string_view recipe);
// "paper" or "full": whether the Solver saw some of the leaves of these domains or all.
std::string trained_protocol(std::string_view recipe);

// What runs the model: "fastnrs", "nrs" or "ndr".
std::string engine_name(const Model& model);

// How many numbers training has set.
std::uint64_t count_parameters(const WeightMap& weights);
std::uint64_t count_parameters(const Model& model);

}  // namespace nrs
