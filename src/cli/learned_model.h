#pragma once
// What was learned from chains, as a model.
#include <string>
#include <vector>

#include "data/pair_file.h"
#include "induce/numbers.h"
#include "model/model_file.h"

namespace nrs::cli {

// A model of the rules, with a table of all questions about numbers that were answered; without a
// Solver and a certificate.
model::Model learned_model(const induce::ChainFile& file, const induce::LearnedSystem& system);

// What a Solver would have to learn: the same questions and answers.
std::vector<data::TaughtPair> questions_about_numbers(const induce::LearnedSystem& system);
// Whether a table of them is not enough: many questions that will be asked are not in it, and there
// are enough of them to learn from.
bool needs_solver(const induce::LearnedSystem& system);

// Gives the model the Solver of another one, with what is known of its training.
void take_solver(model::Model& model, const model::Model& solver);

}  // namespace nrs::cli
