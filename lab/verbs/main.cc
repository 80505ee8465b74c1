// The program `nrs-lab`: studies, the whole chain of results, the report, and other people's
// models. `nrs` runs it. Apart, because running a model needs none of it and would have to wait for
// its build.
#include "verbs/verbs.h"

int main(int argc, char** argv) {
  using namespace nrs::lab;
  return nrs::cli::run_program("Reproduces and studies results, and draws them.",
                               {add_report, add_reproduce, add_tune, add_ablate, add_baseline},
                               argc, argv);
}
