#include "study/ablation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "nrs/error.h"
#include "recipe/recipe.h"

namespace nrs::lab {
namespace {

using Json = nlohmann::ordered_json;

// The report looks for the figure under its domain.
void check_domain(const Study& study, const StudiedRecipe& recipe) {
  const std::vector<std::string> domains =
      recipe::parse_recipe(recipe.text, recipe.path.string()).data.domains;
  if (domains.empty() || std::find(domains.begin(), domains.end(), study.domain) != domains.end()) {
    return;
  }
  throw Error(ErrorKind::kUsage, fmt::format("domain is {}, but {} is of {}", study.domain,
                                             study.recipe, fmt::join(domains, ", ")));
}

void check(const StudyVariant& variant, const Trial& trial) {
  try {
    recipe_of(trial);
  } catch (const Error& error) {
    throw error.in("variant " + variant.name);
  }
}

}  // namespace

std::vector<Trial> trials_of(const Study& study, const StudiedRecipe& recipe) {
  check_domain(study, recipe);
  std::vector<Trial> trials;
  for (const StudyVariant& variant : study.variants) {
    std::vector<std::string> settings = study.set;
    settings.insert(settings.end(), variant.set.begin(), variant.set.end());
    for (const int seed : study.seeds) {
      Trial trial{.name = fmt::format("{}, seed {}", variant.name, seed),
                  .recipe = recipe,
                  .module = study.module,
                  .settings = parse_settings(settings)};
      trial.settings.push_back({"seed", std::to_string(seed)});
      check(variant, trial);
      trials.push_back(std::move(trial));
    }
  }
  return trials;
}

Json to_json(const Study& study, std::span<const Outcome> outcomes) {
  Json json = {{"title", study.title},        {"domain", study.domain},
               {"measure", study.meaning},    {"note", study.note},
               {"recipe_file", study.recipe}, {"module", enum_name(study.module)},
               {"settings", study.set},       {"variants", Json::array()}};
  std::size_t next = 0;
  for (const StudyVariant& variant : study.variants) {
    Json runs = Json::array();
    for (const int seed : study.seeds) {
      const Outcome& outcome = outcomes[next++];
      Json points = Json::array();
      for (const CurvePoint& point : outcome.curve) {
        points.push_back({{"step", point.step}, {"value", point[study.measure]}});
      }
      runs.push_back({{"seed", seed}, {"seconds", outcome.seconds}, {"points", std::move(points)}});
    }
    json["variants"].push_back(
        {{"name", variant.name}, {"settings", variant.set}, {"runs", std::move(runs)}});
  }
  return json;
}

}  // namespace nrs::lab
