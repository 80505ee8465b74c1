#pragma once
// One model of the Selector of one and the Solver of another. Both architectures share their
// Solvers, and a Selector that was trained alone needs one.
#include <filesystem>
#include <string>

#include "model/model_file.h"

namespace nrs::model {

// The data that the model tells of are the Solver's: which leaves it has seen depends on them. The
// results are those of the two modules. No certificate: what was verified was another model.
// Nothing is shared: see share_module(). Throws Error (input) if a module is
// missing.
Model join_models(const Model& selector, const Model& solver, const std::string& name);

// A module of `model` stays in the file that it was taken from; `out` is where the model is going
// to be. Throws Error (usage) if that is another folder.
void share_module(Model& model, const std::string& module, const std::filesystem::path& from,
                  const std::filesystem::path& out);

}  // namespace nrs::model
