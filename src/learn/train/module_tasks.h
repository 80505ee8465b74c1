#pragma once
// The modules that can be trained. A source must outlive its task.
#include <memory>

#include "learn/examples/example_source.h"
#include "learn/examples/solved_source.h"
#include "learn/train/training_task.h"
#include "recipe/recipe.h"

namespace nrs::learn {

// The Selector of a FastNRS: measured by formulas whose leaves are all marked exactly.
std::unique_ptr<TrainingTask> selector_task(const recipe::Recipe& recipe,
                                            const ExampleSource& source);
// The Selector of an NRS: measured by last leaves that are written exactly.
std::unique_ptr<TrainingTask> leaf_writer_task(const recipe::Recipe& recipe,
                                               const ExampleSource& source);
// A Solver: leaves drawn by their recent loss, measured by values that are exactly right.
std::unique_ptr<TrainingTask> solver_task(const recipe::Recipe& recipe, SolverPairs pairs);
// A Neural Data Router: measured by values that are exactly right.
std::unique_ptr<TrainingTask> router_task(const recipe::Recipe& recipe, const SolvedSource& source);

}  // namespace nrs::learn
