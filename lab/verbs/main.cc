// The program `nrs-lab`: studies, the whole chain of results, the report, and other people's
// models. `nrs` runs it. Apart, because running a model needs none of it and would have to wait for
// its build.
#include <array>

#include "verbs/verbs.h"

int main(int argc, char** argv) {
  using namespace nrs::lab;
  constexpr std::array<nrs::cli::AddVerb, 5> kVerbs{add_report, add_reproduce, add_tune, add_ablate,
                                                    add_baseline};
  return nrs::cli::run_program("Reproduces and studies results, and draws them.", kVerbs, argc,
                               argv);
}
