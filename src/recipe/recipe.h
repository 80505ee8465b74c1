#pragma once
// A recipe: everything that fixes a training run. The same recipe, program and processor give the
// same weights, bit for bit, with any number of threads.
#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/protocol.h"
#include "nn/config.h"
#include "nn/router_config.h"
#include "recipe/train_config.h"

namespace nrs {

template <>
struct EnumNames<Protocol> {
  static constexpr std::array<std::pair<Protocol, std::string_view>, 2> all{{
      {Protocol::kPaper, "paper"},
      {Protocol::kFull, "full"},
  }};
};

// Where the examples come from: domains, a folder, or a file; several domains make one model for
// all.
struct DataConfig {
  std::vector<std::string> domains;
  Protocol protocol = Protocol::kFull;
  std::string folder;
  std::string traces;
  double held_out = 0.1;
  int valid_formulas = 50;
  int valid_leaves = 6000;

  template <class Visitor>
  void visit(Visitor& v) {
    v("domains", domains, "built-in domains to draw examples from");
    v("protocol", protocol, "which leaves the Solver learns from");
    v("folder", folder, "a data set written by `nrs dataset`, instead of domains");
    v("traces", traces, "a file of worked examples, instead of domains");
    v("held_out", held_out, "part of the worked examples kept for validation", Range{0.0, 0.5});
    v("valid_formulas", valid_formulas, "validation formulas per level of difficulty",
      Range{1, 100'000});
    v("valid_leaves", valid_leaves, "most leaves in one validation of the Solver",
      Range{1, 10'000'000});
  }
};

// When a value of the Solver counts as sure: at or above this joint log-probability. Calibrated on
// leaves that were kept from it (else on all that it knows), unless fixed. And from which length on
// a Selector that writes reads formulas in windows.
struct ThresholdConfig {
  static constexpr int kCalibrateWindows = -1;

  bool calibrate = true;
  double fixed = -1;
  double quantile = 0.0005;
  double margin = 2;
  double strictest = -0.01;  // a Solver that knows its leaves by heart would leave no room at all
  int windows_from = kCalibrateWindows;
  double window_confidence = 0.8;

  template <class Visitor>
  void visit(Visitor& v) {
    v("calibrate", calibrate, "from the scores of right values; otherwise `fixed`");
    v("fixed", fixed, "the log-probability itself", Range{-1e3, 0.0});
    v("quantile", quantile, "part of the right values of unseen leaves that may score lower",
      Range{0.0, 0.5});
    v("margin", margin, "factor on that log-probability", Range{1.0, 100.0});
    v("strictest", strictest, "the threshold is never nearer to 0 than this", Range{-1e3, 0.0});
    v("windows_from", windows_from,
      "tokens from which a writing Selector reads in windows; 0: never; -1: by its confidence",
      Range{-1, 1 << 30});
    v("window_confidence", window_confidence,
      "mean confidence below which a length is too long to be read whole", Range{0.0, 1.0});
  }
};

// The sections of a router are there if the recipe is of one: then it has no Selector and no
// Solver.
struct TrainingSections {
  std::optional<TrainConfig> router{};
  TrainConfig selector{.weight_decay = 0.01, .average = 0.98};
  TrainConfig solver{
      .steps = 6000, .batch = 128, .warmup = 300, .validate_every = 400, .patience = 0};

  // How a router is trained if a recipe says nothing else.
  static TrainConfig first_router();

  template <class Visitor>
  void visit(Visitor& v) {
    if (router) return v("router", *router, "of the Neural Data Router");
    v("selector", selector, "of the Selector");
    v("solver", solver, "of the Solver");
  }
};

struct Recipe {
  // A Neural Data Router instead of a Selector and a Solver.
  void make_router();

  std::string name;
  int seed = 1;
  int threads = 2;
  int parts = 2;
  double checkpoint_seconds = 60;
  DataConfig data;
  std::optional<RouterConfig> router{};
  SelectorConfig selector;
  SolverConfig solver;
  TrainingSections train;
  ThresholdConfig threshold;

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
    if (router) {
      v("router", *router, "architecture of the Neural Data Router");
      v("train", train, "how it is trained");
      return;
    }
    v("selector", selector, "architecture of the Selector");
    v("solver", solver, "architecture of the Solver");
    v("train", train, "how they are trained");
    v("threshold", threshold, "confidence below which a value is not used");
  }
};

// Reads a recipe file and then the `--set` overrides ("train.solver.steps=500") in their order.
// Throws Error (usage) with file and line: unknown key, wrong type, out of range, fields that do
// not fit.
Recipe load_recipe(const std::filesystem::path& path, std::span<const std::string> overrides = {});
Recipe parse_recipe(std::string_view text, const std::string& source,
                    std::span<const std::string> overrides = {});

// Model files are called after recipes, so a name is no path: letters, digits, '-', '_' and '.', of
// which the last does not come first, and not too many.
bool is_recipe_name(std::string_view name);
// The name of a recipe; that of its file, with '_' for what a name cannot have, if it has none.
std::string recipe_name(const Recipe& recipe, const std::filesystem::path& file);

// The recipe with every field, as TOML. Law: parse_recipe(to_toml(r)) equals r field by field.
std::string to_toml(const Recipe& recipe);

// All keys of it that `--set` takes: "train.solver.steps".
std::vector<std::string> keys_of(const Recipe& recipe);

// The keys whose values differ, as "train.solver.steps: 500, was 400". Empty if none.
std::vector<std::string> differences(const Recipe& now, const Recipe& then);

}  // namespace nrs
