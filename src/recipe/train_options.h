#pragma once
// The options of `nrs train`. Apart from the trainer, so that `nrs` knows a wrong one, and prints
// the help, without libtorch.
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace nrs::recipe {

// Where to compute.
enum class Device { kCpu, kCuda };

inline constexpr const char* kTrainPurpose = "Trains the model that a recipe describes.";

struct TrainOptions {
  std::string recipe;
  std::vector<std::string> overrides;
  std::string out;
  std::string only;  // a module; empty: all
  std::string solver_from;
  Device device = Device::kCpu;
  int threads = 0;
  bool resume = false;
  bool quiet = false;
};

void declare_train(CLI::App& app, TrainOptions& options);

}  // namespace nrs::recipe
