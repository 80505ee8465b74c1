#include "reproduce/recipe_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/files.h"
#include "model/checksum.h"
#include "model/toml_fields.h"
#include "study/ablation.h"

namespace nrs {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargest = 1 << 20;
// Of a module of which the recipe says nothing (learn/recipe.h).
const std::map<std::string, int> kDefaultSteps{
    {"selector", 400}, {"solver", 6000}, {"router", 20'000}};

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
  const toml::table table = read_toml(file);
  RecipeFacts facts{.name = table["name"].value_or(file.stem().string()), .file = file};
  if (const toml::array* domains = table["data"]["domains"].as_array()) {
    for (const toml::node& node : *domains) facts.domains.push_back(node.value_or(std::string()));
  }
  const bool router = table.contains("router");
  const bool writes = table["selector"]["kind"].value_or(std::string()) == "last_leaf";
  facts.engine = router ? "ndr" : writes ? "nrs" : "fastnrs";
  const std::vector<std::string> modules =
      router ? std::vector<std::string>{"router"} : std::vector<std::string>{"selector", "solver"};
  for (const std::string& module : modules) {
    facts.steps[module] = table["train"][module]["steps"].value_or(kDefaultSteps.at(module));
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
    const toml::table table = read_toml(file);
    const toml::array* variants = table["variant"].as_array();
    if (variants == nullptr) continue;
    const toml::array* seeds = table["seeds"].as_array();
    const std::size_t runs =
        variants->size() * (seeds != nullptr ? seeds->size() : Study().seeds.size());
    studies.push_back({file.stem().string(), file, static_cast<int>(runs)});
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
