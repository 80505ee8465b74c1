#pragma once
// Compiles a model: finds out what its modules say, and puts that into the modules of a compiled
// one.
#include <cstdint>
#include <functional>
#include <string>

#include "compile/compile_solver.h"
#include "model/model_file.h"

namespace nrs::cli {

struct CompileChoices {
  std::uint64_t contexts = 10'000'000;
  std::uint64_t sample = 1'000'000;
  std::uint64_t seed = 0;
  bool alone = false;  // without the networks
  int threads = 0;
};

struct Compilation {
  model::Model model;
  std::string report;  // for people
  bool equal = false;  // no disagreement was found
};

// Throws Error (usage) if the model is of an architecture that is not compiled, or (input) if it
// would become too large; compile::Interrupted if `progress` returns false.
Compilation compile_model(const model::Model& model, const CompileChoices& choices,
                          const std::function<bool(const std::string& what)>& progress);

}  // namespace nrs::cli
