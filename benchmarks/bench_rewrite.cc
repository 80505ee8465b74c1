// How the cost of exact rewriting grows with the length of a formula: seconds and memory for full
// trees and for combs (the deepest formulas there are), with the slope of a straight line through
// log(seconds) over log(length). Slope 1 is linear growth.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "base/rng.h"
#include "nrs/domain.h"
#include "nrs/engine.h"
#include "rewrite/oracle.h"

namespace nrs {
namespace {

struct Point {
  std::size_t length = 0;
  double seconds = 0;
};

std::string full_tree(const Domain& domain, int nesting) {
  Rng rng(1);
  Sample sample;
  domain.generate({nesting, 2}, rng, sample);
  return sample.formula;
}

std::string comb(std::size_t depth) {
  std::string formula(depth, '(');
  formula += "1";
  for (std::size_t i = 0; i < depth; ++i) formula += "+7)";
  return formula;
}

// Median of several runs: reading and rewriting, as `nrs simplify` does.
Point measure(const Domain& domain, const std::string& formula, Leaves leaves) {
  const OracleSelector selector(domain);
  const OracleSolver solver(domain);
  const Engine engine(selector, solver, {.leaves = leaves});
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const Result result = engine.run(domain.read(formula));
    if (!result.ok()) std::abort();
    times.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + 2, times.end());
  return {formula.size(), times[2]};
}

double slope(const std::vector<Point>& points) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const Point& point : points) {
    const double lx = std::log(static_cast<double>(point.length));
    const double ly = std::log(point.seconds);
    n += 1, x += lx, y += ly, xx += lx * lx, xy += lx * ly;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

void report(const char* what, const std::vector<Point>& points) {
  for (const Point& point : points) {
    fmt::print("{:<28} {:>10} characters {:>9.4f} s {:>7.1f} ns/character\n", what, point.length,
               point.seconds, 1e9 * point.seconds / static_cast<double>(point.length));
  }
  fmt::print("{:<28} slope {:.2f}\n", what, slope(points));
}

}  // namespace
}  // namespace nrs

int main() {
  using namespace nrs;
  for (const Leaves leaves : {Leaves::kAll, Leaves::kLast}) {
    const bool all = leaves == Leaves::kAll;
    std::vector<Point> trees;
    for (int nesting = 12; nesting <= 20; nesting += 2) {
      const Domain& domain = find_domain("arithmetic");
      trees.push_back(measure(domain, full_tree(domain, nesting), leaves));
    }
    report(all ? "full tree, all leaves" : "full tree, last leaf", trees);
    std::vector<Point> combs;
    for (std::size_t depth = 10000; depth <= 1000000; depth *= 10) {
      combs.push_back(measure(find_domain("arithmetic"), comb(depth), leaves));
    }
    report(all ? "comb, all leaves" : "comb, last leaf", combs);
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  fmt::print("peak memory {} MB\n", usage.ru_maxrss / 1024);
}
