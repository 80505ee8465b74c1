#pragma once
// The options that choose how a verb rewrites: those that simplify and eval share.
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "architectures/running_model.h"
#include "cli/options.h"

namespace nrs::cli {

struct EngineChoice {
  std::string engine;  // an architecture, or the oracle; empty: that of the model
  std::map<std::string, std::optional<std::int64_t>> settings;  // of architectures

  bool oracle() const { return engine == "oracle"; }
  architectures::RewriterOptions options(int threads) const;
  // Loads a model to be rewritten with. Throws Error (usage) if it is of another architecture.
  architectures::RunningModel load(const std::string& model, int threads) const;
};

void add_engine_options(CLI::App& verb, EngineChoice& choice);

}  // namespace nrs::cli
