#include "recipe/recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "model/networks.h"
#include "model/toml_fields.h"
#include "nrs/error.h"

namespace nrs::recipe {
namespace {

constexpr std::size_t kLongestName = 100;
constexpr std::string_view kInNames =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
constexpr std::size_t kMostRecipeBytes = std::size_t{1} << 20;

// "train.solver.steps=500" is read as one more TOML document; a bare word needs no quotes.
toml::table parse_override(const std::string& override) {
  const std::string source = "--set " + override;
  const std::size_t equals = override.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error(ErrorKind::kUsage, source + ": not of the form key=value",
                "for example --set train.solver.steps=500");
  }
  try {
    return toml::parse(override, source);
  } catch (const toml::parse_error&) {
    const std::string quoted = model::toml_text(std::string_view(override).substr(equals + 1));
    return model::parse_toml(override.substr(0, equals + 1) + quoted, source);
  }
}

void check(const Recipe& recipe) {
  if (!recipe.name.empty() && !is_recipe_name(recipe.name)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("name: '{}' is not a name", excerpt(recipe.name, kLongestName)),
                fmt::format("use at most {} letters, digits, '-', '_' and '.', not beginning with "
                            "'.'; --out says where the model goes",
                            kLongestName));
  }
  const DataConfig& data = recipe.data;
  const std::array none = {data.domains.empty(), data.folder.empty(), data.traces.empty(),
                           data.pairs.empty()};
  if (std::ranges::count(none, false) != 1) {
    throw Error(ErrorKind::kUsage, "data: name exactly one of domains, folder, traces and pairs");
  }
  for (const TrainSection& module : recipe.trained()) {
    if (module.config->least_weight > module.config->most_weight) {
      throw Error(ErrorKind::kUsage, "train: least_weight is above most_weight");
    }
  }
  std::visit([&](const auto& sections) { sections.check(data); }, recipe.sections);
}

// The architecture whose table the document has.
template <class... Each>
void choose_sections(const toml::table& document, std::variant<Each...>& sections) {
  const auto choose = [&]<class One>(One one) {
    if (document.contains(One::kTable)) sections = std::move(one);
  };
  (choose(Each{}), ...);
}

std::vector<model::TomlField> fields_of(const Recipe& recipe) {
  return model::list_fields(model::write_fields<nlohmann::ordered_json>(recipe));
}

}  // namespace

void RewritingSections::check(const DataConfig& /*data*/) const {
  for (const TrainSection& module : trained()) {
    if (module.config->easy_first > 0) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("train.{}.easy_first: only a router can have it", module.name),
                  "leave it out");
    }
  }
  model::check(selector);
  model::check(solver);
}

void RouterSections::check(const DataConfig& data) const {
  model::check(router);
  if (!data.domains.empty() && data.protocol == data::Protocol::kPaper) {
    throw Error(ErrorKind::kUsage, "data.protocol: it concerns leaves, and a router learns none",
                "leave it out, or name a folder of `nrs dataset --protocol paper`");
  }
  if (!data.traces.empty() || !data.pairs.empty()) {
    throw Error(ErrorKind::kUsage, "data: a router learns no steps, but formulas with their values",
                "name domains, or a folder with train.csv");
  }
  if (!data.folder.empty() && train.router.easy_first > 0) {
    throw Error(ErrorKind::kUsage,
                "train.router.easy_first: a folder does not say which formulas are easy",
                "leave it out, or name domains");
  }
}

bool is_recipe_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && name.front() != '.' &&
         name.find_first_not_of(kInNames) == name.npos;
}

std::string recipe_name(const Recipe& recipe, const std::filesystem::path& file) {
  if (!recipe.name.empty()) return recipe.name;
  std::string name = file.stem().string().substr(0, kLongestName);
  for (char& character : name) {
    if (kInNames.find(character) == kInNames.npos) character = '_';
  }
  if (name.starts_with('.')) name.front() = '_';
  return name;
}

Recipe parse_recipe(std::string_view text, const std::string& source,
                    std::span<const std::string> overrides) {
  Recipe recipe;
  const toml::table document = model::parse_toml(text, source);
  choose_sections(document, recipe.sections);
  model::read_fields(document, "", recipe);
  for (const std::string& override : overrides) {
    model::read_fields(parse_override(override), "", recipe);
  }
  try {
    check(recipe);
  } catch (const Error& error) {
    throw error.in(source);
  }
  return recipe;
}

Recipe load_recipe(const std::filesystem::path& path, std::span<const std::string> overrides) {
  std::string text;
  try {
    text = read_file(path, kMostRecipeBytes);
  } catch (const Error& error) {
    throw Error(ErrorKind::kUsage, error.what(), "give the path of a recipe, as in recipes/");
  }
  return parse_recipe(text, path.string(), overrides);
}

std::string to_toml(const Recipe& recipe) {
  std::string text;
  std::string table;
  for (const model::TomlField& field : fields_of(recipe)) {
    if (field.table != table) text += fmt::format("\n[{}]\n", table = field.table);
    text += fmt::format("{} = {}\n", field.key, field.value);
  }
  return text;
}

std::vector<std::string> keys_of(const Recipe& recipe) {
  std::vector<std::string> keys;
  for (const model::TomlField& field : fields_of(recipe)) keys.push_back(field.path());
  return keys;
}

std::vector<std::string> differences(const Recipe& now, const Recipe& then) {
  if (now.sections.index() != then.sections.index()) {
    return {fmt::format("architecture: {}, was {}", now.architecture(), then.architecture())};
  }
  const std::vector<model::TomlField> new_fields = fields_of(now);
  const std::vector<model::TomlField> old_fields = fields_of(then);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < new_fields.size(); ++i) {
    if (new_fields[i].value == old_fields[i].value) continue;
    lines.push_back(fmt::format("{}: {}, was {}", new_fields[i].path(), new_fields[i].value,
                                old_fields[i].value));
  }
  return lines;
}

}  // namespace nrs::recipe
