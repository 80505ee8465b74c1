// The program `nrs-bulk`: long lists of formulas, on one machine or many. `nrs` runs it. Apart, for
// whoever wants a formula simplified should not wait until it is built.
#include <array>

#include "cli/options.h"

int main(int argc, char** argv) {
  using namespace nrs::cli;
  constexpr std::array<AddVerb, 1> kVerbs{add_bulk};
  return run_program("Answers long lists of formulas, on one machine or many.", kVerbs, argc, argv);
}
