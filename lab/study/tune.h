#pragma once
// Random search over the fields of a recipe, as the paper chose its hyperparameters.
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fields.h"
#include "study/trials.h"

namespace nrs::lab {

enum class DrawScale { kLinear, kLog };
constexpr auto enum_names(DrawScale) {
  return std::to_array<EnumName<DrawScale>>({
      {DrawScale::kLinear, "linear"},
      {DrawScale::kLog, "log"},
  });
}

// Either choices, or a range.
struct SpaceField {
  std::string key;
  std::vector<std::string> choices{};  // as TOML writes them
  double min = NAN;
  double max = NAN;
  bool whole = false;
  DrawScale scale = DrawScale::kLinear;
};

using Space = std::vector<SpaceField>;

// Reads a file of [[field]] tables, as docs/studies.md describes them. Throws Error (usage) with
// file and line.
Space read_space(const std::filesystem::path& path);

// The settings of one trial. Law: the value of a field depends on its own entry, the seed and the
// number of the trial only: not on other fields, nor on which trials were drawn before.
std::vector<Setting> draw(const Space& space, std::uint64_t seed, std::uint64_t trial);

struct Search {
  StudiedRecipe recipe;
  StudiedModule module = StudiedModule::kSelector;
  Space space;
  std::vector<Setting> common;  // of all trials
  std::uint64_t seed = 1;       // of the draws
  int trials = 1;               // at least one
  Measure objective = Measure::kBeyond;

  // What trial i changes; nothing in trial 0: that is the recipe as it is, to compare with.
  std::vector<Setting> drawn(std::size_t trial) const;
};

// Throws Error (usage) if the recipe cannot be trained as it is, or if the space has a field that
// is no field of the recipe or belongs to another module. Drawn values that do not fit each other
// are no error: that trial fails.
std::vector<Trial> trials_of(const Search& search);

// The numbers of the trials that have ended, best first: by the objective, among equals by how few
// steps it took to get there. Then those that failed.
std::vector<std::size_t> ranking(const Search& search, Outcomes outcomes);

// Settings as lines of a recipe, under the names of their tables.
std::string as_recipe(const std::vector<Setting>& settings);

// The trials that have ended, best first, and the settings of the best.
std::string to_table(const Search& search, Outcomes outcomes);
nlohmann::ordered_json to_json(const Search& search, Outcomes outcomes);

}  // namespace nrs::lab
