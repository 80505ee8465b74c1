#pragma once
// What is known of a model: for programs as JSON, for people as lines of text.
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/model_file.h"

namespace nrs::service {

// Everything: where it came from, what its architecture says of it, results, certificate, recipe.
// Throws Error (I/O) if the file is not there.
nlohmann::ordered_json model_facts(const std::filesystem::path& file, const model::Model& model);

// Facts of any shape as indented lines: {"algebra": {"missed": 1, "extra": 18}} is
// "  algebra      missed 1, extra 18".
std::string show_facts(const nlohmann::ordered_json& facts);

}  // namespace nrs::service
