#include "study/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "base/rng.h"
#include "base/text.h"
#include "model/toml_fields.h"
#include "nrs/error.h"
#include "recipe/recipe.h"

namespace nrs::lab {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

// Larger whole numbers are not exact as floating point, and no field of a recipe takes them.
constexpr double kMostWhole = 1e15;

// What a [[field]] table says.
struct FieldEntry : SpaceField {
  std::vector<model::TomlValue> values;

  template <class Visitor>
  void visit(Visitor& v) {
    v("key", key, "the field, as in train.solver.rate");
    v("choices", values, "its values; or min and max");
    v("min", min, "least value");
    v("max", max, "greatest value");
    v("whole", whole, "whole numbers only");
    v("scale", scale, "log: as many draws between 1 and 10 as between 10 and 100");
  }
};

// What is wrong with a field; empty if nothing is.
std::string fault_of(const SpaceField& field) {
  if (field.key.empty()) return "there is no key";
  const bool range = !std::isnan(field.min) || !std::isnan(field.max);
  if (!field.choices.empty()) {
    return range || field.whole || field.scale == DrawScale::kLog
               ? "choices cannot be combined with min, max, whole or scale"
               : "";
  }
  if (std::isnan(field.min) || std::isnan(field.max)) return "give choices, or min and max";
  if (field.min > field.max) return "min is above max";
  if (field.scale == DrawScale::kLog && field.min <= 0) return "a log scale needs a min above 0";
  if (!field.whole) return "";
  if (std::floor(field.min) != field.min || std::floor(field.max) != field.max) {
    return "min and max of whole numbers must be whole";
  }
  return std::abs(field.min) > kMostWhole || field.max > kMostWhole ? "the number is too large"
                                                                    : "";
}

SpaceField read_field(const toml::table& table) {
  FieldEntry field;
  model::read_fields(table, "field", field);
  for (const model::TomlValue& choice : field.values) field.choices.push_back(choice.text);
  if (const std::string fault = fault_of(field); !fault.empty()) {
    model::refuse_toml(
        table.source(),
        fmt::format("field {}: {}", field.key.empty() ? "without a name" : field.key, fault));
  }
  return field;
}

// On the scale of the field: 0 is `from` and 1 is `to`.
double between(double from, double to, double share, DrawScale scale) {
  if (scale == DrawScale::kLinear) return from + (to - from) * share;
  return std::exp(std::log(from) + (std::log(to) - std::log(from)) * share);
}

std::string draw(const SpaceField& field, Rng& rng) {
  if (!field.choices.empty()) {
    return field.choices[static_cast<std::size_t>(rng.below(field.choices.size()))];
  }
  if (field.whole) {
    // Up to max + 1 and rounded down, so that the ends are as likely as what is between them.
    const double drawn = between(field.min, field.max + 1, rng.uniform(), field.scale);
    return fmt::format("{:.0f}", std::clamp(std::floor(drawn), field.min, field.max));
  }
  // Four digits are enough to choose by, and short enough to be written into a recipe.
  return fmt::format("{:.4g}", between(field.min, field.max, rng.uniform(), field.scale));
}

// "rate" for train.selector.rate, or the whole key if another field ends in the same word.
Row short_names(const Space& space) {
  const auto last = [](const std::string& key) { return key.substr(key.rfind('.') + 1); };
  std::map<std::string, int> uses;
  for (const SpaceField& field : space) ++uses[last(field.key)];
  Row names;
  for (const SpaceField& field : space) {
    names.push_back(uses[last(field.key)] == 1 ? last(field.key) : field.key);
  }
  return names;
}

Row row_of(const Search& search, std::size_t trial, const Outcome& outcome) {
  Row row{std::to_string(trial)};
  if (outcome.finished()) {
    row.push_back(fmt::format("{:.2f} %", 100 * outcome.best[search.objective]));
    row.push_back(std::to_string(outcome.steps_to_best(search.objective)));
  } else {
    row.insert(row.end(), {"failed", "-"});
  }
  row.push_back(fmt::format("{:.1f}", outcome.seconds));
  const std::vector<Setting> drawn = search.drawn(trial);
  for (const Setting& setting : drawn) row.push_back(setting.value);
  if (drawn.empty()) row.resize(row.size() + search.space.size(), "-");
  return row;
}

bool concerns_another(const std::string& key, StudiedModule module) {
  for (const auto& [other, name] : enum_names(StudiedModule{})) {
    const std::string section = std::string(name) + ".";
    if (other != module && (key.starts_with(section) || key.starts_with("train." + section))) {
      return true;
    }
  }
  return false;
}

void check(const Search& search, const recipe::Recipe& recipe) {
  const std::vector<std::string> keys = recipe::keys_of(recipe);
  for (const SpaceField& field : search.space) {
    if (std::ranges::find(keys, field.key) == keys.end()) {
      const std::string close = nearest(field.key, keys);
      throw Error(ErrorKind::kUsage,
                  fmt::format("{} of the space is not a field of {}", field.key,
                              search.recipe.path.string()),
                  close.empty() ? "" : fmt::format("did you mean {}?", close));
    }
    if (concerns_another(field.key, search.module)) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("{} of the space does not concern the {}", field.key,
                              enum_name(search.module)),
                  "choose another module, or another field");
    }
  }
}

Json to_json(const std::vector<Setting>& settings) {
  Json json = Json::object();
  for (const Setting& setting : settings) json[setting.key] = setting.value;
  return json;
}

Json to_json(const Search& search, std::size_t trial, const Outcome& outcome) {
  Json json = {
      {"trial", trial}, {"settings", to_json(search.drawn(trial))}, {"seconds", outcome.seconds}};
  if (outcome.finished()) {
    json["known"] = outcome.best.known;
    json["beyond"] = outcome.best.beyond;
    json["steps"] = outcome.steps_to_best(search.objective);
  } else {
    json["failed"] = outcome.reason;
  }
  return json;
}

}  // namespace

Space read_space(const std::filesystem::path& path) {
  const toml::table document = model::parse_toml(
      read_named_file(path, "give the path of a space, as in studies/"), path.string());
  model::refuse_unknown(document, "", {"field"});
  Space space;
  std::set<std::string> keys;
  for (const toml::table* table : model::tables_of(document, "field")) {
    space.push_back(read_field(*table));
    if (!keys.insert(space.back().key).second) {
      model::refuse_toml(table->source(), fmt::format("field {} occurs twice", space.back().key));
    }
  }
  if (space.empty()) {
    throw Error(ErrorKind::kUsage, fmt::format("{}: there is no [[field]]", path.string()));
  }
  return space;
}

std::vector<Setting> draw(const Space& space, std::uint64_t seed, std::uint64_t trial) {
  std::vector<Setting> settings;
  for (const SpaceField& field : space) {
    Rng rng(mix(seed, hash_text(field.key)), trial);
    settings.push_back({field.key, draw(field, rng)});
  }
  return settings;
}

std::vector<Setting> Search::drawn(std::size_t trial) const {
  return trial == 0 ? std::vector<Setting>{} : draw(space, seed, trial);
}

std::vector<Trial> trials_of(const Search& search) {
  std::vector<Trial> trials;
  for (std::size_t i = 0; i < static_cast<std::size_t>(search.trials); ++i) {
    std::vector<Setting> settings = search.common;
    for (Setting& setting : search.drawn(i)) settings.push_back(std::move(setting));
    trials.push_back({fmt::format("trial {}", i), search.recipe, search.module, settings});
  }
  check(search, recipe_of(trials.front()));
  return trials;
}

std::vector<std::size_t> ranking(const Search& search, Outcomes outcomes) {
  const auto order = [&](std::size_t i) {
    const Outcome& outcome = *outcomes[i];
    const bool failed = !outcome.finished();
    return std::tuple(failed, failed ? 0 : -outcome.best[search.objective],
                      failed ? 0 : outcome.steps_to_best(search.objective), i);
  };
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i]) numbers.push_back(i);
  }
  std::ranges::sort(numbers, {}, order);
  return numbers;
}

std::string as_recipe(const std::vector<Setting>& settings) {
  std::map<std::string, std::string> tables;  // those of the top, without a table, come first
  for (const Setting& setting : settings) {
    const std::size_t dot = setting.key.rfind('.');
    const bool top = dot == std::string::npos;
    tables[top ? "" : setting.key.substr(0, dot)] +=
        fmt::format("{} = {}\n", top ? setting.key : setting.key.substr(dot + 1), setting.value);
  }
  std::string text;
  for (const auto& [name, lines] : tables) {
    text += name.empty() ? lines : fmt::format("[{}]\n{}", name, lines);
  }
  return text;
}

std::string to_table(const Search& search, Outcomes outcomes) {
  const std::vector<std::size_t> ranked = ranking(search, outcomes);
  std::vector<Row> rows{{"trial", std::string(enum_name(search.objective)), "steps", "seconds"}};
  const Row names = short_names(search.space);
  rows.front().insert(rows.front().end(), names.begin(), names.end());
  for (const std::size_t i : ranked) rows.push_back(row_of(search, i, *outcomes[i]));
  std::string text = align(rows);
  if (ranked.empty() || !outcomes[ranked.front()]->finished()) return text;
  if (ranked.front() == 0) return text + "\nThe recipe as it is (trial 0) is the best.\n";
  return text + fmt::format("\nThe best, trial {}, as part of a recipe:\n{}", ranked.front(),
                            as_recipe(search.drawn(ranked.front())));
}

Json to_json(const Search& search, Outcomes outcomes) {
  Json json = {{"recipe_file", search.recipe.path.generic_string()},
               {"module", enum_name(search.module)},
               {"objective", enum_name(search.objective)},
               {"seed", search.seed},
               {"settings", to_json(search.common)},
               {"trials", Json::array()}};
  for (const std::size_t i : ranking(search, outcomes)) {
    json["trials"].push_back(to_json(search, i, *outcomes[i]));
  }
  return json;
}

}  // namespace nrs::lab
