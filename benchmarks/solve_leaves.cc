// usage: solve_leaves MODEL < LEAVES
// What the Solver of a model says of each line: whether its guard lets the line through (1 or 0),
// the log-probability and the value of the network alone (omega: nothing is left to do).
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/networks.h"
#include "runtime/solver.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  nrs::model::SolverModel solver_model = nrs::model::solver_of(nrs::model::load_model(argv[1]));
  const auto guard = std::exchange(solver_model.guard, std::nullopt);
  const nrs::runtime::ModelSolver solver(solver_model);
  std::vector<std::string> lines;
  for (std::string line; std::getline(std::cin, line);) lines.push_back(line);
  const std::vector<std::string_view> leaves(lines.begin(), lines.end());
  const std::vector<nrs::Solution> solutions = solver.solve(leaves);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const nrs::Solution& solution = solutions[i];
    std::printf("%d\t%.9g\t%s\n", !guard || guard->accepts(leaves[i]) ? 1 : 0, solution.log_prob,
                solution.omega ? "omega" : solution.value.c_str());
  }
}
