#pragma once
// Models and domains as the options of verbs give them.
#include <filesystem>
#include <string>

#include "architectures/architecture.h"
#include "service/models.h"

namespace nrs::cli {

// find_model() of an argument.
std::filesystem::path model_file(const std::string& argument);

// RunningModel::load of model_file(), with a complaint if the certificate in the file is of another
// model: someone has changed what was verified.
architectures::RunningModel load_to_run(const std::string& argument,
                                        const architectures::RewriterOptions& options = {});

// "a, b or c": the domains that there are.
std::string domain_names();

}  // namespace nrs::cli
