#include "study/ablation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files.h"
#include "model/checksum.h"
#include "model/toml_fields.h"
#include "nrs/error.h"
#include "recipe/recipe.h"

namespace nrs::lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBytes = std::size_t{1} << 20;

void check_settings(const toml::table& table, const std::vector<std::string>& settings) {
  try {
    parse_settings(settings);
  } catch (const Error& error) {
    model::refuse_toml(table.get("set")->source(), error.what(), error.hint());
  }
}

StudyVariant read_variant(const toml::table& table) {
  StudyVariant variant;
  model::read_fields(table, "variant", variant);
  if (variant.name.empty()) model::refuse_toml(table.source(), "the variant has no name");
  check_settings(table, variant.set);
  return variant;
}

// The report looks for the figure under its domain.
void check_domain(const Study& study, const StudiedRecipe& recipe) {
  const std::vector<std::string> domains =
      recipe::parse_recipe(recipe.text, recipe.path.string()).data.domains;
  if (domains.empty() || std::ranges::find(domains, study.domain) != domains.end()) return;
  throw Error(ErrorKind::kUsage, fmt::format("domain is {}, but {} is of {}", study.domain,
                                             study.recipe, fmt::join(domains, ", ")));
}

}  // namespace

Study read_study(const std::filesystem::path& path) {
  toml::table document = model::parse_toml(
      read_named_file(path, "give the path of a study, as in studies/"), path.string());
  Study study;
  std::set<std::string> names;
  for (const toml::table* table : model::tables_of(document, "variant")) {
    study.variants.push_back(read_variant(*table));
    if (!names.insert(study.variants.back().name).second) {
      model::refuse_toml(table->source(),
                         fmt::format("variant {} occurs twice", study.variants.back().name));
    }
  }
  if (study.variants.empty()) {
    throw Error(ErrorKind::kUsage, fmt::format("{}: there is no [[variant]]", path.string()));
  }
  document.erase("variant");
  model::read_fields(document, "", study);
  check_settings(document, study.set);
  for (const auto& [name, value] : {std::pair{"title", &study.title},
                                    {"domain", &study.domain},
                                    {"recipe", &study.recipe},
                                    {"meaning", &study.meaning}}) {
    if (value->empty()) {
      throw Error(ErrorKind::kUsage, fmt::format("{}: there is no {}", path.string(), name));
    }
  }
  if (std::set(study.seeds.begin(), study.seeds.end()).size() != study.seeds.size() ||
      study.seeds.empty()) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: seeds must be distinct numbers", path.string()));
  }
  return study;
}

std::string study_checksum(const std::filesystem::path& path) {
  const std::string text = read_file(path, kMostBytes);
  const toml::table document = model::parse_toml(text, path.string());
  const std::string recipe = document["recipe"].value_or(std::string());
  const std::uint32_t first = model::crc32(text);
  return fmt::format("crc32:{:08x}",
                     model::crc32(read_file(path.parent_path() / recipe, kMostBytes), first));
}

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
      try {
        recipe_of(trial);
      } catch (const Error& error) {
        throw error.in("variant " + variant.name);
      }
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
