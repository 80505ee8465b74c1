// What a list of formulas costs a program that uses the library; benchmarks/python.py compares.
// usage: bench_list MODEL ROUNDS < FORMULAS
// Prints the least seconds of the processor for all formulas in one call, of so many rounds, each
// with the model loaded anew: it remembers what it has solved. Prints also how many are answered.
#include <fmt/format.h>
#include <nrs/nrs.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

namespace nrs {
namespace {

void bench(const char* path, int rounds) {
  std::vector<std::string> formulas;
  for (std::string line; std::getline(std::cin, line);) formulas.push_back(line);
  double least = std::numeric_limits<double>::infinity();
  std::size_t answered = 0;
  for (int round = 0; round < rounds; ++round) {
    const Simplifier simplifier(path);
    const std::clock_t start = std::clock();
    const std::vector<Answer> answers = simplifier.simplify(formulas);
    const std::clock_t ticks = std::clock() - start;
    least = std::min(least, static_cast<double>(ticks) / CLOCKS_PER_SEC);
    answered = static_cast<std::size_t>(std::ranges::count_if(answers, &Answer::ok));
  }
  fmt::print("{:.6f} {}\n", least, answered);
}

}  // namespace
}  // namespace nrs

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw nrs::Error(nrs::ErrorKind::kUsage, "bench_list MODEL ROUNDS < FORMULAS");
    nrs::bench(argv[1], std::atoi(argv[2]));
    return 0;
  } catch (const nrs::Error& error) {
    fmt::print(stderr, "{}\n", error.line());
    return static_cast<int>(error.kind());
  }
}
