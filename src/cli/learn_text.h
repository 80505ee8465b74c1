#pragma once
// nrs learn, for text that is not terms.
#include <functional>
#include <string>
#include <vector>

#include "cli/lesson.h"
#include "cli/train_solver.h"
#include "examples/examples.h"
#include "model/model_file.h"
#include "taught/open_questions.h"
#include "taught/replay.h"
#include "teach/text_system.h"

namespace nrs::cli {

struct TextTeaching {
  SolverTraining solver{};  // if one is needed
  bool kind_given = false;  // whether the user has said that pairs are steps or answers
  std::function<void(const std::string&)> progress{};
  VisitAll visit_all{};  // of a large file
};

struct TaughtText {
  teach::TextSystem system;
  model::Model model;
  bool from_answers = false;
  std::vector<taught::LengthScore>
      held_out;                   // on examples that it was not taught, short ones first
  taught::LengthScore rest;       // on those of a large file that it was not taught
  std::size_t learned_since = 0;  // of these, that it refused first
  std::vector<examples::BadLine> wrong_rest{};  // of these, that it does not agree with
  taught::OpenQuestions questions;              // what it was not shown
  bool interrupted = false;  // while a Solver was trained: the model has its best so far, or none
};

// Learns from the shorter nine tenths of the examples and measures on the others; what the model
// then has was read off all of them. The rest of a large file is asked, and what is refused of it
// is learned, too, and put into `file`. With no minutes at all, no Solver is trained. Throws Error
// (input) if there is nothing to learn.
TaughtText learn_text(examples::ExampleFile& file, const TextTeaching& teaching);

// Writes into the model what it was taught and how it did.
void write_card(const examples::ExampleFile& file, TaughtText& taught);

// What was learned, for people.
std::string to_text(const TaughtText& taught);
// For programs, as one JSON object.
std::string to_json(const TaughtText& taught);

}  // namespace nrs::cli
