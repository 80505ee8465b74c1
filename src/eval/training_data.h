#pragma once
// What a model was trained on, told from its file.
#include <optional>
#include <vector>

#include "data/distinct.h"
#include "model/model_file.h"
#include "nrs/domain.h"

namespace nrs::eval {

// The built-in domains that a model was trained on, in the order of its recipe; empty if it learnt
// from files. Throws Error (usage) if this program does not have one of them.
std::vector<const Domain*> domains_of(const model::Model& model);

// The formulas that it was trained on: of every kind, or of the paper's.
FormulaSpace trained_space(const model::Model& model);

// The leaves and atoms that its Solver was trained on, made again; nothing if these were all that
// there are, or nobody knows which.
std::optional<data::SeenTexts> trained_leaves(const model::Model& model);

}  // namespace nrs::eval
