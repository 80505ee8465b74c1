#pragma once
// A compiled model as one C++ file that needs nothing but a compiler: it reads formulas, one
// per line, from standard input and prints their values.
#include <optional>
#include <string>
#include <vector>

#include "runtime/marked_run.h"

namespace nrs::compile {

struct EmittedModel {
  std::string name;
  const runtime::MarkedParts* parts = nullptr;
  std::vector<std::string> tokens{};     // single characters; empty: all that the automata know
  std::optional<double> min_log_prob{};  // values that are less sure are not used
};

// C++17: g++ -O2 FILE. Formulas are written as the model sees them, without the notations that
// readers of domains know. Law: the program answers what runtime::MarkedRun answers.
std::string emit_cpp(const EmittedModel& model);

}  // namespace nrs::compile
