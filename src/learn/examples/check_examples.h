#pragma once
// What cannot be learnt from worked examples, told before the training and not after it.
#include <functional>
#include <string>
#include <vector>

#include "data/example.h"
#include "nn/config.h"

namespace nrs::learn {

// Throws Error (input) if rewriting never ends in them.
void check_final_examples(const std::vector<data::RewriteExample>& examples);

// Throws Error (usage) if a leaf is longer than what a Selector that marks tokens sees of a
// formula. `warn` is told if only some final formulas are.
void check_examples(const nn::SelectorConfig& config,
                    const std::vector<data::RewriteExample>& examples,
                    const std::function<void(const std::string&)>& warn);

// Throws Error (usage) if a leaf or a value is longer than the Solver can read or write.
void check_examples(const nn::SolverConfig& config,
                    const std::vector<data::RewriteExample>& examples);

}  // namespace nrs::learn
