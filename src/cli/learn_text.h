#pragma once
// nrs learn, for text that is not terms.
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "examples/examples.h"
#include "model/model_file.h"
#include "teach/text_system.h"

namespace nrs::cli {

struct TextTeaching {
  double minutes = 10;  // for a Solver, if one is needed
  int seed = 1;
  int threads = 2;
  bool quiet = false;
  bool kind_given = false;  // whether the user has said that pairs are steps or answers
  std::function<void(const std::string&)> progress{};
};

// How well a model does on examples of some length.
struct LengthScore {
  std::size_t shortest = 0, longest = 0;  // characters of the questions
  std::size_t asked = 0, right = 0, wrong = 0;

  std::size_t refused() const { return asked - right - wrong; }
};

struct TaughtText {
  teach::TextSystem system;
  model::Model model;
  bool from_answers = false;
  std::vector<LengthScore> held_out;  // on examples that it was not taught, short ones first
};

// Learns from the shorter nine tenths of the examples and measures on the others; what the model
// then has was read off all of them. Throws Error (input) if there is nothing to learn.
TaughtText learn_text(const examples::ExampleFile& file, const TextTeaching& teaching);

// What was learned, for people.
std::string to_text(const TaughtText& taught);
// For programs, as one JSON object.
std::string to_json(const TaughtText& taught);

}  // namespace nrs::cli
