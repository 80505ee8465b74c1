#pragma once
// Where a number comes from: what every result file says beside it, so that it can be made again,
// and what the model was trained on, told from its file.
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "data/distinct.h"
#include "model/model_file.h"
#include "nrs/domain.h"

namespace nrs::eval {

// Adds "program" (name and version), "command" and "machine" of this run and, if a model was run,
// its "model_checksum", "recipe" (name, seed, protocol, domains, program) and "parameters".
void add_origin(nlohmann::ordered_json& object, const std::string& program,
                const model::Model* model);
// Only what it says of the model.
void add_model_origin(nlohmann::ordered_json& object, const model::Model& model);

// The built-in domains that a model was trained on, in the order of its recipe; empty if it learnt
// from files. Throws Error (usage) if this program does not have one of them.
std::vector<const Domain*> domains_of(const model::Model& model);

// The formulas that it was trained on: of every kind, or of the paper's.
FormulaSpace trained_space(const model::Model& model);

// The leaves and atoms that its Solver was trained on, made again; nothing if these were all that
// there are, or nobody knows which.
std::optional<data::SeenTexts> trained_leaves(const model::Model& model);

}  // namespace nrs::eval
