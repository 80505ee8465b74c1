#include "study/ablation.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace nrs {

using Json = nlohmann::ordered_json;

std::vector<Trial> trials_of(const Study& study, const StudiedRecipe& recipe) {
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

}  // namespace nrs
