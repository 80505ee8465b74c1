// How the cost of rewriting grows with the length of a formula. usage: bench_rewrite [MODEL [MOST]]
// Seconds and memory for full trees and for combs (the deepest formulas there are), of up to about
// MOST characters, with the slope of a straight line through log(seconds) over log(length): slope 1
// is linear growth. Without a model the exact oracle rewrites.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "architectures/architecture.h"
#include "base/rng.h"
#include "nrs/domain.h"
#include "nrs/error.h"
#include "rewrite/modular.h"
#include "rewrite/oracle.h"

namespace nrs {
namespace {

struct Point {
  std::size_t length = 0;
  double seconds = 0;    // of the day
  double processor = 0;  // of all threads: says more on a machine that is shared
  long peak_mb = 0;      // of the process so far; lengths grow
};

const Domain& arithmetic() {
  return find_domain("arithmetic");
}

std::string full_tree(int nesting) {
  Rng rng(1);
  Sample sample;
  arithmetic().generate({nesting, 2}, rng, sample);
  return sample.formula;
}

// ((((1+35)*-7)-62)...: every step but the first waits for the one before.
std::string comb(std::size_t depth) {
  Rng rng(2);
  std::string formula(depth, '(');
  formula += "1";
  for (std::size_t i = 0; i < depth; ++i) {
    formula += "+-*"[rng.below(3)];
    formula += std::to_string(rng.between(-99, 99)) + ")";
  }
  return arithmetic().read(formula);
}

long peak_mb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

using Run = std::function<Result(const std::string&)>;

// Median of `times` runs.
Point measure(const std::string& formula, const Run& run, std::size_t times) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < times; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t ticks = std::clock();
    const Result result = run(formula);
    const double processor = static_cast<double>(std::clock() - ticks) / CLOCKS_PER_SEC;
    const auto taken = std::chrono::steady_clock::now() - start;
    points.push_back(
        {formula.size(), std::chrono::duration<double>(taken).count(), processor, peak_mb()});
    if (!result.ok()) fmt::print("stopped: {}, {} rewrites\n", name_of(result.stop), result.steps);
  }
  std::ranges::nth_element(points, points.begin() + points.size() / 2, {}, &Point::processor);
  return points[points.size() / 2];
}

double slope(const std::vector<Point>& points) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const Point& point : points) {
    const double lx = std::log(static_cast<double>(point.length));
    const double ly = std::log(point.processor);
    n += 1, x += lx, y += ly, xx += lx * lx, xy += lx * ly;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

void report(const char* what, const std::vector<Point>& points) {
  for (const Point& point : points) {
    fmt::print(
        "{:<22} {:>9} characters {:>9.3f} s, processor {:>9.3f} s {:>8.1f} ns/character {:>5} MB\n",
        what, point.length, point.seconds, point.processor,
        1e9 * point.processor / static_cast<double>(point.length), point.peak_mb);
  }
  fmt::print("{:<22} slope {:.2f}\n", what, slope(points));
}

// Trees and combs four and ten times as long as the ones before, up to `most` characters.
void bench(const Run& run, const char* name, std::size_t most, std::size_t times) {
  std::vector<Point> trees, combs;
  for (int nesting = 10; std::size_t{5} << nesting <= most; nesting += 2) {
    trees.push_back(measure(full_tree(nesting), run, times));
  }
  report(fmt::format("full tree, {}", name).c_str(), trees);
  for (std::size_t depth = 1000; 10 * depth <= 3 * most; depth *= 10) {
    combs.push_back(measure(comb(depth), run, times));
  }
  report(fmt::format("comb, {}", name).c_str(), combs);
}

void bench_oracle() {
  const rewrite::OracleRewriter oracle(arithmetic());
  for (const Leaves leaves : {Leaves::kAll, Leaves::kLast}) {
    // Reading and rewriting, as `nrs simplify` does.
    bench(
        [&](const std::string& formula) {
          return oracle.rewrite(arithmetic().read(formula), {.leaves = leaves});
        },
        leaves == Leaves::kAll ? "all leaves" : "last leaf", std::size_t{6} << 20, 5);
  }
}

void bench_model(const char* path, std::size_t most) {
  std::optional<architectures::RunningModel> model;
  // Anew for each formula: what one run has solved must not help the next. Every value is taken,
  // sure or not: it is the cost that counts here.
  bench(
      [&](const std::string& formula) {
        model.emplace(architectures::RunningModel::load(path, {.threads = 0}));
        return model->rewriter().rewrite(formula, {.min_log_prob = -INFINITY});
      },
      "model", most, 1);
}

}  // namespace
}  // namespace nrs

int main(int argc, char** argv) {
  try {
    if (argc < 2) {
      nrs::bench_oracle();
    } else {
      nrs::bench_model(argv[1], argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1'500'000);
    }
    return 0;
  } catch (const nrs::Error& error) {
    fmt::print(stderr, "{}\n", error.line());
    return static_cast<int>(error.kind());
  }
}
