#pragma once
// nrs learn, for terms: rules with variables, and a Solver for what has to be computed.
#include <string>

#include "examples/examples.h"

namespace nrs::cli {

struct LearnOptions {
  std::string examples;  // as the user names them
  std::string out;       // empty: nothing is written
  std::string kind = "auto";
  std::string architecture;
  int seed = 1;
  double minutes = 10;
  int threads = 2;
  bool json = false;
};

// Prints what was learned and writes it. Returns the exit code. Throws Error.
int learn_rules(const LearnOptions& options, examples::ExampleFile examples);

}  // namespace nrs::cli
