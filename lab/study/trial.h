#pragma once
// One training run of a study: a recipe with some of its fields changed, and what came out of it.
#include <array>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fields.h"

namespace nrs::recipe {
struct Recipe;
}

namespace nrs::lab {

// What is trained.
enum class StudiedModule { kSelector, kSolver, kRouter };
constexpr auto enum_names(StudiedModule) {
  return std::to_array<EnumName<StudiedModule>>({
      {StudiedModule::kSelector, "selector"},
      {StudiedModule::kSolver, "solver"},
      {StudiedModule::kRouter, "router"},
  });
}

// Which share of the validation examples counts: those like the training's, or those beyond it.
enum class Measure { kBeyond, kKnown };
constexpr auto enum_names(Measure) {
  return std::to_array<EnumName<Measure>>({
      {Measure::kBeyond, "beyond"},
      {Measure::kKnown, "known"},
  });
}

// One field of a recipe and its value, as `nrs train --set` takes them: "train.solver.steps=500".
struct Setting {
  std::string key;
  std::string value;

  std::string text() const { return key + "=" + value; }
  bool operator==(const Setting&) const = default;
};
// Throws Error (usage) if there is no key or no "=".
Setting parse_setting(std::string_view text);
std::vector<Setting> parse_settings(const std::vector<std::string>& texts);

// The recipe that a study changes. The text is what counts, wherever the file lies.
struct StudiedRecipe {
  std::filesystem::path path;
  std::string text;
};
// Throws Error (usage) if it cannot be read.
StudiedRecipe read_studied_recipe(const std::filesystem::path& path);
struct Trial {
  std::string name;  // for people: "trial 7", "k = 2, seed 1"
  StudiedRecipe recipe;
  StudiedModule module = StudiedModule::kSelector;
  std::vector<Setting> settings;  // of two for one field the later counts

  // The same for trials that train the same, and for no others: what was done is found by it again.
  std::string identity() const;
};
// The recipe that it trains. Throws Error (usage): a field is unknown, of another type, out of
// range, does not fit the others, or the recipe has no such module.
recipe::Recipe recipe_of(const Trial& trial);

struct CurvePoint {
  int step = 0;
  double known = 0;
  double beyond = 0;

  double operator[](Measure measure) const { return measure == Measure::kKnown ? known : beyond; }
  bool operator==(const CurvePoint&) const = default;
};
// As files have it, with its step under this name.
CurvePoint point_of(const nlohmann::ordered_json& json, const char* step = "step");

enum class TrialEnd {
  kFinished,
  kRefused,      // a field is unknown, of another type, out of range, or does not fit the others
  kFailed,       // anything else that ends a run before its last step
  kInterrupted,  // told to stop; it can go on
};
constexpr auto enum_names(TrialEnd) {
  return std::to_array<EnumName<TrialEnd>>({
      {TrialEnd::kFinished, "done"},
      {TrialEnd::kRefused, "refused"},
      {TrialEnd::kFailed, "failed"},
      {TrialEnd::kInterrupted, "interrupted"},
  });
}

struct Outcome {
  TrialEnd end = TrialEnd::kFinished;
  std::string reason{};  // why it was refused or failed
  double seconds = 0;
  std::vector<CurvePoint> curve{};  // every validation
  CurvePoint best{};                // of the weights that the run chose

  // The first step at which the measure was as good as in `best`: how fast it learnt.
  int steps_to_best(Measure measure) const;
  bool operator==(const Outcome&) const = default;
};

// Takes the curve and the end of a module from the metrics of a run (`nrs train` writes them).
// Throws Error (input) if the run did not come to its end.
void read_metrics(const std::filesystem::path& path, StudiedModule module, Outcome& outcome);

}  // namespace nrs::lab
