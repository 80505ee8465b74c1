#pragma once
// Patterns as JSON, for model files and for programs.
#include <nlohmann/json_fwd.hpp>

#include "text/patterns.h"

namespace nrs::text {

// Law: reading what this writes gives the same patterns.
nlohmann::ordered_json to_json(const PatternSet& set);
// Throws Error (input) that names what is missing or wrong.
PatternSet patterns_of(const nlohmann::ordered_json& json);

}  // namespace nrs::text
