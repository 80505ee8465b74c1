#include "reproduce/release.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/files.h"
#include "model/checksum.h"
#include "model/toml_fields.h"
#include "nrs/error.h"
#include "recipe/recipe.h"
#include "study/ablation.h"

namespace nrs::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargest = 1 << 20;

toml::table read_toml(const fs::path& file) {
  return model::parse_toml(read_file(file, kLargest), file.string());
}

RecipeFacts facts_of(const fs::path& file) {
  const recipe::Recipe recipe = recipe::load_recipe(file);
  RecipeFacts facts{
      .file = file, .engine = std::string(recipe.architecture()), .domains = recipe.data.domains};
  for (const recipe::TrainSection& section : recipe.trained()) {
    facts.steps[std::string(section.name)] = section.config->steps;
  }
  return facts;
}

const ReleasedModel* find(const Release& release, const std::string& name) {
  const auto found = std::ranges::find(release.models, name, &ReleasedModel::name);
  return found == release.models.end() ? nullptr : &*found;
}

ReleasedModel read_model(const toml::table& table, const Release& before, const fs::path& recipes) {
  ReleasedModel model;
  model::read_fields(table, "model", model);
  const auto refuse = [&](const std::string& what) {
    model::refuse_toml(table.source(), fmt::format("model {}: {}", model.name, what));
  };
  if (model.name.empty()) refuse("it has no name");
  if (find(before, model.name) != nullptr) refuse("it comes twice");
  for (const std::string& from : {model.selector_from, model.solver_from, model.compiled_from}) {
    if (!from.empty() && find(before, from) == nullptr) {
      refuse(fmt::format("{} is not before it", from));
    }
  }
  for (const std::string& module : model.shares) {
    const bool taken = (module == "selector" && !model.selector_from.empty()) ||
                       (module == "solver" && !model.solver_from.empty());
    if (!taken) refuse(fmt::format("it takes no {} that it could share", module));
  }
  if (model.compiled()) {
    model.facts = find(before, model.compiled_from)->facts;
    return model;
  }
  if (!model.trains()) {
    // It is of the architecture of its Selector, and of the domains of its Solver.
    model.facts = find(before, model.selector_from)->facts;
    model.facts.domains = find(before, model.solver_from)->facts.domains;
    return model;
  }
  if (model.recipe.empty()) model.recipe = model.name;
  model.facts = facts_of(recipes / (model.recipe + ".toml"));
  return model;
}

}  // namespace

Release read_release(const fs::path& file, const fs::path& recipes) {
  const toml::table document = read_toml(file);
  model::refuse_unknown(document, "", {"model", "quick"});
  Release release;
  for (const toml::table* table : model::tables_of(document, "model")) {
    release.models.push_back(read_model(*table, release, recipes));
  }
  for (const toml::table* table : model::tables_of(document, "quick")) {
    QuickModel& quick = release.quick.emplace_back();
    model::read_fields(*table, "quick", quick);
    quick.facts = facts_of(recipes / (quick.name + ".toml"));
  }
  return release;
}

std::vector<StudyFacts> read_studies(const fs::path& folder) {
  std::vector<StudyFacts> studies;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    const fs::path& file = entry.path();
    // Without variants it is the space of a search.
    if (file.extension() != ".toml" || !read_toml(file).contains("variant")) continue;
    const Study study = read_study(file);
    studies.push_back(
        {file.stem().string(), file, static_cast<int>(study.variants.size() * study.seeds.size())});
  }
  std::ranges::sort(studies, {}, &StudyFacts::name);
  return studies;
}

std::string recipe_checksum(const fs::path& file) {
  std::ostringstream text;
  text << read_toml(file);
  return fmt::format("crc32:{:08x}", model::crc32(text.str()));
}

int trained_batch(std::string_view recipe, const std::string& module) {
  try {
    return toml::parse(recipe)["train"][module]["batch"].value_or(0);
  } catch (const toml::parse_error&) {
    return 0;  // a model of someone else's, whose recipe is a note
  }
}

}  // namespace nrs::lab
