#include "compile/compile_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/threads.h"

namespace nrs::compile {
namespace {

constexpr std::size_t kAtOnce = std::size_t{1} << 13;
constexpr std::size_t kPieceLeaves = 512;
constexpr double kLowest = -1e300;  // for what the Solver cannot read; a file has no infinity

std::vector<Solution> solve_all(const SolverRequest& request) {
  std::vector<Solution> solutions(request.leaves.size());
  const std::vector<std::string_view> views(request.leaves.begin(), request.leaves.end());
  for (std::size_t from = 0; from < views.size(); from += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, views.size() - from);
    const auto solve_some = [&](std::size_t begin, std::size_t size) {
      std::ranges::move(request.solver->solve(std::span(views).subspan(from + begin, size)),
                        solutions.begin() + static_cast<std::ptrdiff_t>(from + begin));
    };
    parallel_pieces(count, kPieceLeaves, request.threads, solve_some);
    const bool go_on =
        !request.progress ||
        request.progress(fmt::format("values of {} of {} leaves", from + count, views.size()));
    if (!go_on) throw Interrupted{};
  }
  return solutions;
}

}  // namespace

CompiledSolver compile_solver(const SolverRequest& request) {
  const std::vector<Solution> solutions = solve_all(request);
  std::array<double, 2> lowest{};  // of sure leaves, and of the others
  const auto unsure_one = [&](const Solution& one) { return one.log_prob < request.min_log_prob; };
  for (const Solution& one : solutions) {
    double& low = lowest[unsure_one(one) ? 1 : 0];
    low = std::min(low, one.log_prob);
  }
  std::vector<std::string> leaves;
  std::vector<runtime::TableValue> said;
  std::size_t unsure = 0;
  for (std::size_t i = 0; i < solutions.size(); ++i) {
    const Solution& solution = solutions[i];
    if (!solution.known) continue;
    const std::size_t one = unsure_one(solution) ? 1 : 0;
    unsure += one;
    leaves.push_back(request.leaves[i]);
    said.push_back({.text = solution.value,
                    .omega = solution.omega,
                    .log_prob = std::max(lowest[one], kLowest)});
  }
  return {.table = runtime::LeafTable::of(leaves, said), .unsure = unsure};
}

}  // namespace nrs::compile
