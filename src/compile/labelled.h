#pragma once
// Texts with the marks that a Selector gives them.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compile/texts.h"
#include "nrs/modules.h"
#include "runtime/mark_automata.h"

namespace nrs::compile {

struct Labelled {
  std::string text;
  std::vector<runtime::Mark> marks;  // one per character
};

// Law: the leaves of the marks are the leaves that the Selector finds.
std::vector<Labelled> label(const Selector& selector, std::vector<std::string> texts, int threads);

}  // namespace nrs::compile
