// The program `nrs-measure`: makes formulas, and measures models on them. `nrs` runs it. Apart, for
// whoever wants a formula simplified should not wait until it is built.
#include <array>

#include "cli/options.h"

int main(int argc, char** argv) {
  using namespace nrs::cli;
  constexpr std::array<AddVerb, 7> kVerbs{add_generate, add_dataset,    add_eval,   add_verify,
                                          add_bench,    add_confidence, add_compile};
  return run_program("Makes formulas, and measures models on them.", kVerbs, argc, argv);
}
