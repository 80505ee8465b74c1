#pragma once
// What a plan has to know of recipes and studies, without the trainer that runs them.
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace nrs {

struct RecipeFacts {
  std::string name{};
  std::filesystem::path file{};
  std::string engine{};  // "fastnrs", "nrs" or "ndr"
  std::vector<std::string> domains{};
  std::map<std::string, int> steps{};  // by module: "selector", "solver", "router"
};

struct StudyFacts {
  std::string name{};
  std::filesystem::path file{};
  int runs = 0;  // variants times seeds
};

// The recipes of built-in domains in a folder, not in those below it, in the order of their names.
// Throws Error (usage) that names the file if one is no recipe.
std::vector<RecipeFacts> read_recipes(const std::filesystem::path& folder);
// The files of a folder that vary something ([[variant]]). None if there is no such folder.
std::vector<StudyFacts> read_studies(const std::filesystem::path& folder);

// Changes with every field of the file, and not with its comments.
std::string recipe_checksum(const std::filesystem::path& file);
// The batch that a module was trained with, by the recipe in a model's file; 0 if it does not say.
int trained_batch(std::string_view recipe, const std::string& module);

}  // namespace nrs
