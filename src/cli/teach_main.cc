// The program `nrs-teach`: learns rewriting systems from examples, and reads, checks and converts
// rules. `nrs` runs it. Apart, for whoever wants a formula simplified should not wait until it is
// built.
#include <array>

#include "cli/options.h"

int main(int argc, char** argv) {
  using namespace nrs::cli;
  constexpr std::array<AddVerb, 4> kVerbs{add_learn, add_check, add_rules, add_derive};
  return run_program("Learns rewriting systems from examples, and checks rules.", kVerbs, argc,
                     argv);
}
