#pragma once
// What the parts of `nrs bench` share.
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace nrs::cli {

// The middle of repeated measurements, and their spread.
struct Spread {
  double median = 0;
  double least = 0;
  double most = 0;

  static Spread of(std::vector<double> values);
};
void to_json(nlohmann::ordered_json& json, const Spread& spread);

// What measure() looks at before and after: the clock on the wall, or the processor's, which other
// work on the machine changes less.
double wall_seconds();
double processor_seconds();
// Seconds of one call, over as many calls as fit into `budget`, at least three. What has to be done
// before each of them is not counted.
Spread measure(
    double budget, const std::function<void()>& work, double (*clock)() = wall_seconds,
    const std::function<void()>& before = [] {});

// The terms that a rule file asks for, or random ones for a model of rules, each for `seconds`.
// Returns the exit code.
int bench_rules(const std::string& file, double seconds, bool json);

}  // namespace nrs::cli
