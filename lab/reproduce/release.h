#pragma once
// The list of models and what they are made of (models/release.toml), with what a plan has to know
// of recipes and studies, without the trainer that runs them.
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace nrs::lab {

struct RecipeFacts {
  std::filesystem::path file{};
  std::string engine{};  // the name of an architecture
  std::vector<std::string> domains{};
  std::map<std::string, int> steps{};  // by module: "selector", "solver", "router"
};

struct StudyFacts {
  std::string name{};
  std::filesystem::path file{};
  int runs = 0;  // variants times seeds
};

// How a model is made. The modules that it takes from no other are trained by its recipe.
struct ReleasedModel {
  std::string name{};
  std::string recipe{};
  std::string selector_from{}, solver_from{};
  std::string compiled_from{};
  std::vector<std::string> shares{};
  bool half = false;
  bool ships = true;
  RecipeFacts facts{};  // of its recipe; if it trains nothing, of the model that it is most like

  template <class Visitor>
  void visit(Visitor& v) {
    v("name", name, "of the model");
    v("recipe", recipe, "that trains its own modules; else the one of the same name");
    v("selector_from", selector_from, "the model whose Selector it takes");
    v("solver_from", solver_from, "the model whose Solver it takes");
    v("compiled_from", compiled_from, "the model that is compiled, and keeps the networks");
    v("shares", shares, "modules that stay in the file of the model that they are taken from");
    v("half", half, "weights of 16 bits");
    v("ships", ships, "whether it is part of the release");
  }

  bool compiled() const { return !compiled_from.empty(); }
  bool trains() const { return selector_from.empty() || solver_from.empty(); }
  bool joined() const { return half || !selector_from.empty() || !solver_from.empty(); }
};

// A short training for `--quick`, after so many steps; 0: those of the recipe.
struct QuickModel {
  std::string name{};
  int selector_steps = 0;
  int solver_steps = 0;
  RecipeFacts facts{};

  template <class Visitor>
  void visit(Visitor& v) {
    v("name", name, "of the model and its recipe");
    v("selector_steps", selector_steps, "steps of the Selector's training");
    v("solver_steps", solver_steps, "steps of the Solver's training");
  }
};

struct Release {
  std::vector<ReleasedModel> models{};  // each behind those that it takes modules from
  std::vector<QuickModel> quick{};
};

// Throws Error (usage) that names the file and the line: a model takes modules from one that is not
// before it, or a recipe is missing or no recipe.
Release read_release(const std::filesystem::path& file, const std::filesystem::path& recipes);
// The files of a folder that vary something ([[variant]]). None if there is no such folder.
std::vector<StudyFacts> read_studies(const std::filesystem::path& folder);

// Changes with every field of the file, and not with its comments.
std::string recipe_checksum(const std::filesystem::path& file);
// The batch that a module was trained with, by the recipe in a model's file; 0 if it does not say.
int trained_batch(std::string_view recipe, const std::string& module);

}  // namespace nrs::lab
