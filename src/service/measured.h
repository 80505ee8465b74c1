#pragma once
// What `nrs eval --json` has measured of a model, read back from a folder of results.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "model/model_file.h"

namespace nrs::service {

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
