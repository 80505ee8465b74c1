#pragma once
// The sections of a recipe that belong to one architecture: what its modules are made of and how
// they are trained. A new architecture adds a struct to `Sections`. Such a struct has
//   kTable          a table that only recipes of this architecture have
//   visit()         its tables, as every list-once struct (base/fields.h)
//   architecture()  the name by which the architecture is registered
//   trained()       its modules, in the order in which they are trained
//   check(data)     throws Error (usage) where fields fit neither each other nor the data
#include <string_view>
#include <variant>
#include <vector>

#include "nn/config.h"
#include "nn/router_config.h"
#include "recipe/train_config.h"

namespace nrs::recipe {

struct DataConfig;

struct TrainSection {
  std::string_view name;  // the key of its section under [train], and the prefix of its tensors
  const TrainConfig* config;
};

// When a value of the Solver counts as sure: at or above this joint log-probability. Calibrated on
// leaves that were kept from it (else on all that it was taught), unless fixed. And from which
// length on a Selector that writes reads formulas in windows.
struct ThresholdConfig {
  static constexpr int kCalibrateWindows = -1;

  bool calibrate = true;
  double fixed = -1;
  double quantile = 0.0005;
  double margin = 2;
  double strictest = -0.01;  // a Solver that knows its leaves by heart would leave no room at all
  double most_wrong = 1;
  int windows_from = kCalibrateWindows;
  double window_confidence = 0.8;

  template <class Visitor>
  void visit(Visitor& v) {
    v("calibrate", calibrate, "from the scores of right values; otherwise `fixed`");
    v("fixed", fixed, "the log-probability itself", Range{-1e3, 0.0});
    v("quantile", quantile, "fraction of the right values of unseen leaves that may score lower",
      Range{0.0, 0.5});
    v("margin", margin, "factor on that log-probability", Range{1.0, 100.0});
    v("strictest", strictest, "the threshold is never nearer to 0 than this", Range{-1e3, 0.0});
    v("most_wrong", most_wrong,
      "fraction of the answers to unseen leaves at or above it that may be wrong; 1: any",
      Range{0.0, 1.0});
    v("windows_from", windows_from,
      "tokens from which a writing Selector reads in windows; 0: never; -1: by its confidence",
      Range{-1, 1 << 30});
    v("window_confidence", window_confidence,
      "mean confidence below which a length is too long to be read whole", Range{0.0, 1.0});
  }
};

// FastNRS and NRS: a Selector and a Solver. The kind of the Selector tells them apart.
struct RewritingSections {
  static constexpr std::string_view kTable = "selector";

  struct Train {
    TrainConfig selector{.weight_decay = 0.01, .average = 0.98};
    TrainConfig solver{
        .steps = 6000, .batch = 128, .warmup = 300, .validate_every = 400, .patience = 0};

    template <class Visitor>
    void visit(Visitor& v) {
      v("selector", selector, "of the Selector");
      v("solver", solver, "of the Solver");
    }
  };

  nn::SelectorConfig selector;
  nn::SolverConfig solver;
  Train train;
  ThresholdConfig threshold;

  template <class Visitor>
  void visit(Visitor& v) {
    v("selector", selector, "architecture of the Selector");
    v("solver", solver, "architecture of the Solver");
    v("train", train, "how they are trained");
    v("threshold", threshold, "confidence below which a value is not used");
  }
  std::string_view architecture() const {
    return selector.kind == nn::SelectorKind::kLastLeaf ? "nrs" : "fastnrs";
  }
  std::vector<TrainSection> trained() const {
    return {{"selector", &train.selector}, {"solver", &train.solver}};
  }
  void check(const DataConfig& data) const;
};

// The Neural Data Router.
struct RouterSections {
  static constexpr std::string_view kTable = "router";

  struct Train {
    TrainConfig router{.steps = 20'000,
                       .batch = 128,
                       .rate = 1e-3,
                       .warmup = 500,
                       .sampling = Sampling::kUniform,
                       .validate_every = 1000,
                       .patience = 0};

    template <class Visitor>
    void visit(Visitor& v) {
      v("router", router, "of the Neural Data Router");
    }
  };

  nn::RouterConfig router;
  Train train;

  template <class Visitor>
  void visit(Visitor& v) {
    v("router", router, "architecture of the Neural Data Router");
    v("train", train, "how it is trained");
  }
  std::string_view architecture() const { return "ndr"; }
  std::vector<TrainSection> trained() const { return {{"router", &train.router}}; }
  void check(const DataConfig& data) const;
};

// A recipe without any table of its own is of the first.
using Sections = std::variant<RewritingSections, RouterSections>;

}  // namespace nrs::recipe
