#pragma once
// The scores of an evaluation, for programs and for people.
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "eval/evaluate.h"

namespace nrs::eval {

// What was evaluated on what.
struct EvalSetting {
  std::string model;  // as it was given; empty: none
  std::string model_checksum;
  std::string engine;
  std::string data;  // a file, or empty
  std::optional<std::uint64_t> seed;
  int threads = 1;
  double peak_rss_mb = 0;
};

nlohmann::ordered_json to_json(const EvalSetting& setting, const Scores& scores);
// One row per level, with their total.
std::string to_table(const EvalSetting& setting, const Scores& scores);

// One failed derivation, for a line of a JSON-lines file.
nlohmann::ordered_json to_json(const Failure& failure);

// A table of levels: columns are as wide as they must be, and domain and arguments are shown where
// they differ.
struct LevelTable {
  std::vector<std::string> names;  // of the cells
  std::vector<std::pair<Level, std::vector<std::string>>> levels;
  std::vector<std::string> total;

  std::string text() const;
};

// "99.98", cut and not rounded: "100" means all.
std::string show_percent(std::size_t part, std::size_t whole);

}  // namespace nrs::eval
