#pragma once
// The tokens of the formulas that a Selector reads.
#include <cstdint>

#include "learn/examples/example_source.h"
#include "model/tokenizer.h"

namespace nrs {

// All characters of the source, or with token rules all tokens that it makes of atoms, leaves and
// many formulas: an example that is drawn later must not have an unknown token.
VocabularyBuilder formula_tokens(const SelectorConfig& config, const ExampleSource& source,
                                 std::uint64_t seed);

}  // namespace nrs
