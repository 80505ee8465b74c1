#pragma once
// What the recipe in a model file tells of the examples that the model learnt from.
#include <string>
#include <string_view>
#include <vector>

namespace nrs {

// The built-in domains named in a recipe (Model::recipe), in its order. Empty if the examples came
// from elsewhere: the model is of someone's own rewriting system.
std::vector<std::string> trained_domains(std::string_view recipe);
// "paper" or "full": whether the Solver saw some of the leaves of these domains or all.
std::string trained_protocol(std::string_view recipe);

}  // namespace nrs
