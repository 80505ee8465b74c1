#include "study/trial.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/lines.h"
#include "base/rng.h"
#include "nrs/error.h"
#include "recipe/recipe.h"

namespace nrs::lab {
namespace {

constexpr std::size_t kMostRecipeBytes = std::size_t{1} << 20;
constexpr std::size_t kLongestMetricsLine = std::size_t{1} << 20;

}  // namespace

CurvePoint point_of(const nlohmann::ordered_json& json, const char* step) {
  return {json.at(step).get<int>(), json.at("known").get<double>(),
          json.at("beyond").get<double>()};
}

Setting parse_setting(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw Error(ErrorKind::kUsage, fmt::format("'{}' is not of the form key=value", text),
                "for example train.solver.steps=500");
  }
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

std::vector<Setting> parse_settings(const std::vector<std::string>& texts) {
  std::vector<Setting> settings;
  for (const std::string& text : texts) settings.push_back(parse_setting(text));
  return settings;
}

StudiedRecipe read_studied_recipe(const std::filesystem::path& path) {
  try {
    return {path, read_file(path, kMostRecipeBytes)};
  } catch (const Error& error) {
    throw Error(ErrorKind::kUsage, error.what(), "give the path of a recipe, as in recipes/");
  }
}

std::string Trial::identity() const {
  std::string all = fmt::format("{}\n{}\n", enum_name(module), recipe.text);
  for (const Setting& setting : settings) all += setting.text() + "\n";
  return fmt::format("{:016x}", hash_text(all));
}

recipe::Recipe recipe_of(const Trial& trial) {
  std::vector<std::string> overrides;
  for (const Setting& setting : trial.settings) overrides.push_back(setting.text());
  const std::string path = trial.recipe.path.string();
  recipe::Recipe recipe = recipe::parse_recipe(trial.recipe.text, path, overrides);
  std::vector<std::string_view> trained;
  for (const recipe::TrainSection& module : recipe.trained()) {
    if (module.name == enum_name(trial.module)) return recipe;
    trained.push_back(module.name);
  }
  throw Error(ErrorKind::kUsage,
              fmt::format("{}: has no {} to train", path, enum_name(trial.module)),
              fmt::format("it trains {}", fmt::join(trained, " and ")));
}

int Outcome::steps_to_best(Measure measure) const {
  for (const CurvePoint& point : curve) {
    if (point[measure] >= best[measure]) return point.step;
  }
  return best.step;
}

void read_metrics(const std::filesystem::path& path, StudiedModule module, Outcome& outcome) {
  LineReader lines(path, kLongestMetricsLine);
  bool ended = false;
  std::string text;
  while (lines.next(text)) {
    try {
      const nlohmann::ordered_json line = nlohmann::ordered_json::parse(text);
      if (line.at("module") != enum_name(module)) continue;
      if (line.at("event") == "validation") outcome.curve.push_back(point_of(line));
      if (line.at("event") != "end") continue;
      outcome.best = point_of(line.at("results"), "best_step");
      ended = true;
    } catch (const nlohmann::ordered_json::exception&) {
      throw Error(ErrorKind::kInput, fmt::format("{}:{}: this is not a line of metrics",
                                                 path.string(), lines.number()));
    }
  }
  if (ended && !outcome.curve.empty()) return;
  throw Error(ErrorKind::kInput,
              fmt::format("{}: the {} did not finish", path.string(), enum_name(module)));
}

}  // namespace nrs::lab
