#pragma once
// A recipe: everything that fixes a training run. The same recipe, program and processor give the
// same weights, bit for bit, with any number of threads.
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/fields.h"
#include "data/protocol.h"
#include "recipe/sections.h"

namespace nrs::recipe {

// Where the examples come from: domains, a folder, or a file; several domains make one model for
// all.
struct DataConfig {
  std::vector<std::string> domains;
  data::Protocol protocol = data::Protocol::kFull;
  std::string folder;
  std::string traces;
  std::string pairs;
  int deepest = 0;
  double held_out = 0.1;
  int valid_formulas = 50;
  int valid_leaves = 6000;

  template <class Visitor>
  void visit(Visitor& v) {
    v("domains", domains, "built-in domains to draw examples from");
    v("protocol", protocol, "which leaves the Solver learns from");
    v("folder", folder, "a data set written by `nrs dataset`, instead of domains");
    v("traces", traces, "a file of worked examples, instead of domains");
    v("pairs", pairs, "a file of questions with answers, for a Solver alone, instead of domains");
    v("deepest", deepest,
      "nesting of the formulas that half of the Selector's are left of; 0: none (full protocol)",
      Range{0, 64});
    v("held_out", held_out, "fraction of the worked examples kept for validation", Range{0.0, 0.5});
    v("valid_formulas", valid_formulas, "validation formulas per level of difficulty",
      Range{1, 100'000});
    v("valid_leaves", valid_leaves, "most leaves in one validation of the Solver",
      Range{1, 10'000'000});
  }
};

struct Recipe {
  std::string name;
  int seed = 1;
  int threads = 2;
  int parts = 2;
  double checkpoint_seconds = 60;
  DataConfig data;
  Sections sections;

  std::uint64_t seed_number() const { return static_cast<std::uint64_t>(seed); }
  // The sections of an architecture. Throws if the recipe is of another one.
  template <class Architecture>
  Architecture& of() {
    return std::get<Architecture>(sections);
  }
  template <class Architecture>
  const Architecture& of() const {
    return std::get<Architecture>(sections);
  }
  std::string_view architecture() const {
    return std::visit([](const auto& one) { return one.architecture(); }, sections);
  }
  std::vector<TrainSection> trained() const {
    return std::visit([](const auto& one) { return one.trained(); }, sections);
  }

  template <class Visitor>
  void visit(Visitor& v) {
    v("name", name, "of the model");
    v("seed", seed, "fixes every random draw", Range{0, 2'147'483'647});
    v("threads", threads, "of the processor; more than `parts` help in validation only",
      Range{1, 1024});
    v("parts", parts, "of a batch, computed side by side; another number gives other rounding",
      Range{1, 1024});
    v("checkpoint_seconds", checkpoint_seconds, "between checkpoints; 0: after every step",
      Range{0.0, 1e6});
    v("data", data, "examples");
    std::visit([&v](auto& one) { one.visit(v); }, sections);
  }
};

// Reads a recipe file and then the `--set` overrides ("train.solver.steps=500") in their order.
// Throws Error (usage) with file and line: unknown key, wrong type, out of range, fields that do
// not fit.
Recipe load_recipe(const std::filesystem::path& path, std::span<const std::string> overrides = {});
Recipe parse_recipe(std::string_view text, const std::string& source,
                    std::span<const std::string> overrides = {});

// Model files are called after recipes, so a name is no path: a limited number of letters, digits,
// '-', '_' and '.', and no '.' at the beginning.
bool is_recipe_name(std::string_view name);
// The name of a recipe. If it has none, that of its file, with '_' for what a name cannot have.
std::string recipe_name(const Recipe& recipe, const std::filesystem::path& file);

// The recipe with every field, as TOML. Law: parse_recipe(to_toml(r)) equals r field by field.
std::string to_toml(const Recipe& recipe);

// All keys of it that `--set` takes: "train.solver.steps".
std::vector<std::string> keys_of(const Recipe& recipe);

// The keys whose values differ, as "train.solver.steps: 500, was 400". Empty if none.
std::vector<std::string> differences(const Recipe& now, const Recipe& then);

}  // namespace nrs::recipe
