// The program `nrs-serve`: models over HTTP. `nrs` runs it. Apart, for its library takes long to
// compile.
#include <array>

#include "cli/options.h"

int main(int argc, char** argv) {
  using namespace nrs::cli;
  constexpr std::array<AddVerb, 1> kVerbs{add_serve};
  return run_program("Answers formulas over HTTP.", kVerbs, argc, argv);
}
