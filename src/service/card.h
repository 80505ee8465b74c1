#pragma once
// The card of a model: a Markdown page for people who have never seen it, with the YAML head that
// model hubs read. It says only what is in the file of the model, what its architecture says of it,
// and what was measured.
#include <filesystem>
#include <string>
#include <vector>

#include "model/model_file.h"
#include "service/model_facts.h"

namespace nrs::service {

struct CardOptions {
  std::string called;               // how its user names it: "multi", "mine.nrs"
  std::string license = "unknown";  // by its name in model hubs
  std::vector<Measurement> measured{};
};

// Throws Error (I/O) if the file is not there.
std::string model_card(const std::filesystem::path& file, const model::Model& model,
                       const CardOptions& options);

}  // namespace nrs::service
