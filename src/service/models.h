#pragma once
// Where the models are that came with the program.
#include <filesystem>
#include <string>
#include <vector>

namespace nrs::service {

// What simplifies formulas unless another model is chosen: the networks of *multi*, compiled.
inline constexpr const char* kDefaultModel = "multi-compiled";

// The folder of the running program.
std::filesystem::path program_folder();

// A folder of files that came with the program: share/nrs/NAME beside the program's folder. It need
// not be there.
std::filesystem::path shared_folder(const std::string& name);

// The names of the models at hand, in order: files NAME.nrs in the folder that the environment
// variable NRS_MODELS names, and in share/nrs/models beside the program's folder.
std::vector<std::string> model_names();

// The file of a model that is given by one of those names or by a path. What has a slash in it or
// ends in .nrs is a path, whether there is such a file or not. Throws Error (usage) for an unknown
// name, with the known ones.
std::filesystem::path find_model(const std::string& name_or_path);

}  // namespace nrs::service
