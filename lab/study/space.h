#pragma once
// What a random search may change: fields of a recipe, each with the values that it can take.
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nn/config.h"
#include "study/trial.h"

namespace nrs {

enum class DrawScale { kLinear, kLog };
template <>
struct EnumNames<DrawScale> {
  static constexpr std::array<std::pair<DrawScale, std::string_view>, 2> all{{
      {DrawScale::kLinear, "linear"},
      {DrawScale::kLog, "log"},
  }};
};

// Either choices, or a range.
struct SpaceField {
  std::string key;
  std::vector<std::string> choices{};  // as TOML writes them
  double min = 0;
  double max = 0;
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

}  // namespace nrs
