// What a program costs that simplifies formulas by the library.
// usage: bench_simplify MODEL DOMAIN COUNT DEEPEST SEED
// Loads the model and simplifies COUNT formulas of each nesting 1 to DEEPEST, on one thread. Prints
// the seconds of the processor for that, how many formulas there are, and how many are answered
// right.
#include <fmt/format.h>
#include <nrs/nrs.h>

#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "base/rng.h"
#include "nrs/domain.h"

namespace nrs {
namespace {

std::vector<Sample> samples(const Domain& domain, std::uint64_t count, int deepest,
                            std::uint64_t seed) {
  std::vector<Sample> made;
  for (int nesting = 1; nesting <= deepest; ++nesting) {
    for (std::uint64_t i = 0; i < count; ++i) {
      Rng rng(mix(seed, static_cast<std::uint64_t>(nesting)), i);
      domain.generate({.nesting = nesting, .args = 2}, rng, made.emplace_back());
    }
  }
  return made;
}

void bench(const char* path, const std::vector<Sample>& all) {
  std::vector<std::string> formulas;
  for (const Sample& sample : all) formulas.push_back(sample.formula);
  const std::clock_t start = std::clock();
  const Simplifier simplifier(path);
  const std::vector<Answer> answers = simplifier.simplify(formulas);
  const std::clock_t ticks = std::clock() - start;
  std::size_t right = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    right += answers[i].ok() && answers[i].formula == all[i].value ? 1 : 0;
  }
  fmt::print("{:.3f} {} {}\n", static_cast<double>(ticks) / CLOCKS_PER_SEC, all.size(), right);
}

}  // namespace
}  // namespace nrs

int main(int argc, char** argv) {
  try {
    if (argc != 6) {
      throw nrs::Error(nrs::ErrorKind::kUsage, "bench_simplify MODEL DOMAIN COUNT DEEPEST SEED");
    }
    nrs::bench(argv[1], nrs::samples(nrs::find_domain(argv[2]), std::strtoull(argv[3], nullptr, 10),
                                     std::atoi(argv[4]), std::strtoull(argv[5], nullptr, 10)));
    return 0;
  } catch (const nrs::Error& error) {
    fmt::print(stderr, "{}\n", error.line());
    return static_cast<int>(error.kind());
  }
}
