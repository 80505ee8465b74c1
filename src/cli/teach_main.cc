// The program `nrs-teach`: learns rewriting systems from examples, and reads, checks and converts
// rules. `nrs` runs it. Apart, for whoever wants a formula simplified should not wait until it is
// built.
#include "cli/options.h"

int main(int argc, char** argv) {
  using namespace nrs::cli;
  return run_program("Learns rewriting systems from examples, and checks rules.",
                     {add_learn, add_check, add_rules, add_derive}, argc, argv);
}
