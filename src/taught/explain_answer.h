#pragma once
// Finds the steps of a question that a model could not answer, once its answer is known.
#include <optional>
#include <span>
#include <vector>

#include "examples/examples.h"
#include "nrs/rewriter.h"

namespace nrs::taught {

// The same examples. A question with an answer that the model refuses becomes a derivation with its
// places, if putting the value of a leaf that it knows in the place of that leaf leads to the
// answer: so the leaf stands between new neighbours. If the model is taught by steps (`kind`), a
// question that it answers in this way in several steps becomes these steps. `known` are the
// examples that it was taught.
std::vector<examples::Example> explain_answers(const Rewriter& rewriter,
                                               std::span<const examples::Example> known,
                                               std::vector<examples::Example> answered,
                                               examples::Kind kind);

}  // namespace nrs::taught
