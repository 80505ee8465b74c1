#pragma once
// The options that choose an engine: those that simplify and eval share.
#include "cli/engine_choice.h"
#include "cli/options.h"

namespace nrs {

void add_engine_options(CLI::App& verb, EngineChoice& choice);

}  // namespace nrs
