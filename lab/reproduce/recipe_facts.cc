#include "reproduce/recipe_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/files.h"
#include "model/checksum.h"
#include "model/toml_fields.h"
#include "recipe/recipe.h"
#include "study/ablation.h"

namespace nrs {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargest = 1 << 20;

toml::table read_toml(const fs::path& file) {
  return parse_toml(read_file(file, kLargest), file.string());
}

std::vector<fs::path> toml_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

RecipeFacts facts_of(const fs::path& file) {
  const Recipe recipe = load_recipe(file);
  RecipeFacts facts{.name = recipe_name(recipe, file),
                    .file = file,
                    .domains = recipe.data.domains};
  if (recipe.router) {
    facts.engine = "ndr";
    facts.steps["router"] = recipe.train.router->steps;
  } else {
    facts.engine = recipe.selector.writes() ? "nrs" : "fastnrs";
    facts.steps["selector"] = recipe.train.selector.steps;
    facts.steps["solver"] = recipe.train.solver.steps;
  }
  return facts;
}

}  // namespace

std::vector<RecipeFacts> read_recipes(const fs::path& folder) {
  std::vector<RecipeFacts> recipes;
  for (const fs::path& file : toml_files(folder)) {
    RecipeFacts facts = facts_of(file);
    if (!facts.domains.empty()) recipes.push_back(std::move(facts));
  }
  return recipes;
}

std::vector<StudyFacts> read_studies(const fs::path& folder) {
  std::vector<StudyFacts> studies;
  for (const fs::path& file : toml_files(folder)) {
    if (!read_toml(file).contains("variant")) continue;  // the space of a search
    const Study study = read_study(file);
    studies.push_back(
        {file.stem().string(), file, static_cast<int>(study.variants.size() * study.seeds.size())});
  }
  return studies;
}

std::string recipe_checksum(const fs::path& file) {
  std::ostringstream text;
  text << read_toml(file);
  return fmt::format("crc32:{:08x}", crc32(text.str()));
}

int trained_batch(std::string_view recipe, const std::string& module) {
  try {
    return toml::parse(recipe)["train"][module]["batch"].value_or(0);
  } catch (const toml::parse_error&) {
    return 0;  // a model of someone else's, whose recipe is a note
  }
}

}  // namespace nrs
