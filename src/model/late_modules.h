#pragma once
// Models that share modules with others, without reading these before they are needed.
#include "model/model_file.h"

namespace nrs::model {

// As load_model(), but the modules that are in other files stay there: `shared` names them, and
// `modules` does not have them. Throws Error (input) if one of these files is missing.
Model load_own_modules(const std::filesystem::path& path);
// Reads them; nothing if they are there. `path` is the file of the model. Throws Error as
// load_model() does.
void load_shared(Model& model, const std::filesystem::path& path);

}  // namespace nrs::model
