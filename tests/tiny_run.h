#pragma once
// A training run that is done in a second and has every moving part, and a folder for its files.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "base/files.h"
#include "learn/train/train.h"
#include "model/training_files.h"
#include "recipe/recipe.h"
#include "temporary.h"

namespace nrs {

inline recipe::Recipe tiny_recipe() {
  return recipe::parse_recipe(R"(
    name = "tiny"
    threads = 1
    checkpoint_seconds = 1000
    [data]
    domains = ["logic"]
    valid_formulas = 1
    [selector.encoder]
    dim = 16
    heads = 2
    layers = 3
    dropout = 0.1
    dilations = [1, 2, 1]
    [solver.encoder]
    dim = 16
    heads = 2
    layers = 1
    dropout = 0.1
    [solver.decoder]
    layers = 1
    [train.selector]
    steps = 6
    batch = 8
    warmup = 2
    validate_every = 3
    [train.solver]
    steps = 6
    batch = 16
    warmup = 2
    validate_every = 2
  )",
                              "tiny.toml");
}

// True at the n-th time it is asked.
inline std::function<bool()> stop_at(int n) {
  return [n]() mutable { return --n == 0; };
}

class TinyRun : public TemporaryFolder {
 protected:
  learn::TrainRequest request(const std::string& name, bool resume = false) const {
    return {.recipe = tiny_recipe(), .out = folder / name, .resume = resume};
  }
  std::string bytes(const std::string& name) const { return read_file(folder / name, 1 << 30); }
};

}  // namespace nrs
