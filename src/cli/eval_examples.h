#pragma once
// nrs eval with a file of examples: right, wrong and refused by length, and whose fault it is.
#include <string>

#include "architectures/architecture.h"

namespace nrs::cli {

struct ExampleEval {
  std::string model;     // as the user names it; empty: none
  std::string examples;  // any file that nrs learn reads
  std::string errors;    // a file for what went wrong; may be empty
  int threads = 0;
  bool json = false;
};

// Prints the scores. Returns the exit code. Throws Error.
int eval_examples(const ExampleEval& options, const architectures::RunningModel& model);

}  // namespace nrs::cli
