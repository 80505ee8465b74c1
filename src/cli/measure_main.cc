// The program `nrs-measure`: makes formulas, and measures models on them. `nrs` runs it. Apart, for
// whoever wants a formula simplified should not wait until it is built.
#include "cli/options.h"

int main(int argc, char** argv) {
  using namespace nrs::cli;
  return run_program(
      "Makes formulas, and measures models on them.",
      {add_generate, add_dataset, add_eval, add_verify, add_bench, add_confidence, add_compile},
      argc, argv);
}
