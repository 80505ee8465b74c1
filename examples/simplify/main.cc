// usage: simplify MODEL.nrs FORMULA...
// Prints every rewrite with how sure the model is of it, and then the answer.
#include <nrs/nrs.h>

#include <iostream>

int main(int argc, char** argv) try {
  if (argc < 3) {
    std::cerr << "usage: simplify MODEL.nrs FORMULA...\n";
    return 2;
  }
  const nrs::Simplifier simplifier(argv[1], {.steps = true});
  for (const std::string formula : std::span(argv + 2, argv + argc)) {
    const nrs::Answer answer = simplifier.simplify(formula);
    for (const nrs::Rewrite& step : answer.steps) {
      std::cout << "  " << step.leaf << " -> " << step.value << "  (log-probability "
                << step.solver_log_prob << ")\n";
    }
    if (answer.ok()) {
      std::cout << answer.formula << "\n";
    } else {
      std::cout << "stopped: " << nrs::name_of(answer.stop) << ": " << answer.formula << "\n";
    }
  }
  return 0;
} catch (const nrs::Error& error) {
  std::cerr << error.line() << "\n";
  return static_cast<int>(error.kind());
}
