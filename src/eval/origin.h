#pragma once
// Where a number comes from: what every result file says beside it, so that it can be made again.
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/model_file.h"

namespace nrs::eval {

// Adds "program" (name and version), "command" and "machine" of this run and, if a model was run,
// its "model_checksum", "recipe" (name, seed, protocol, domains, program) and "parameters".
void add_origin(nlohmann::ordered_json& object, const std::string& program,
                const model::Model* model);
// Only what it says of the model.
void add_model_origin(nlohmann::ordered_json& object, const model::Model& model);

}  // namespace nrs::eval
