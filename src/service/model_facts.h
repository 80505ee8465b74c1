#pragma once
// What is known of a model: what its file says, for programs as JSON and for people as lines of
// text, and what `nrs eval --json` has measured of it.
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/model_file.h"

namespace nrs::service {

// Everything: where it came from, what its architecture says of it, results, certificate, recipe.
// Throws Error (I/O) if the file is not there.
nlohmann::ordered_json model_facts(const std::filesystem::path& file, const model::Model& model);

// Facts of any shape as indented lines: {"algebra": {"missed": 1, "extra": 18}} is
// "  algebra      missed 1, extra 18".
std::string show_facts(const nlohmann::ordered_json& facts);

struct MeasuredLevel {
  std::string domain;
  int nesting = 0;
  std::uint64_t formulas = 0;
  std::uint64_t right = 0;
  std::uint64_t answered = 0;
};

// One file.
struct Measurement {
  std::string command;
  std::string machine;
  std::vector<MeasuredLevel> levels;  // by domain and nesting, whatever the number of arguments

  MeasuredLevel total() const;  // of the deepest nesting
};

// Those files RESULTS/eval/*.json that are of this very model, by their names. Throws Error: (I/O),
// or (input) with the name of a file that is none of `nrs eval --json`.
std::vector<Measurement> measurements_of(const model::Model& model,
                                         const std::filesystem::path& results);

}  // namespace nrs::service
