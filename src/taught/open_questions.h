#pragma once
// What a model was not shown: formulas close to those it was taught that it cannot answer.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "examples/examples.h"
#include "nrs/rewriter.h"

namespace nrs::taught {

enum class Missing { kLeaf, kNeighbour, kFinal };

struct OpenQuestion {
  std::string formula;  // short, and the model refuses it
  Missing missing = Missing::kNeighbour;
  std::string why;  // what was never seen: "not <value> after not"
};

struct OpenQuestions {
  std::vector<OpenQuestion> ask;  // those whose answers would help most, best first
  // All that was found missing. A leaf or a value counts once, and a neighbour once for each form
  // of a leaf.
  std::size_t leaves = 0, neighbours = 0, finals = 0;

  std::size_t all() const { return leaves + neighbours + finals; }
};

// Puts leaves where their values stand, takes other atoms of the same kind for those in a leaf, and
// asks for values alone. What the model answers is no question. Law: the same model and examples
// give the same questions.
OpenQuestions open_questions(const Rewriter& rewriter, std::span<const examples::Example> examples,
                             std::size_t most = 10);

// For people: what is missing, and the questions. Empty if there are none.
std::string to_text(const OpenQuestions& questions);

}  // namespace nrs::taught
