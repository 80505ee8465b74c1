#pragma once
// A recipe for a Solver from questions and answers alone, chosen from the pairs.
#include <span>

#include "data/pair_file.h"
#include "recipe/recipe.h"
#include "recipe/train_options.h"

namespace nrs::learn {

// What works for the leaves of arithmetic (docs/notes/experiments.md), with positions for the
// longest question and answer, and as many steps as the pairs need or `options.minutes` allow. The
// same pairs and options give the same recipe on every machine: the time is estimated.
recipe::Recipe solver_recipe(std::span<const data::TaughtPair> pairs,
                             const recipe::PairsOptions& options);

}  // namespace nrs::learn
