#pragma once
// The options of `nrs train`. Apart from the trainer, so that `nrs` knows a wrong one, and prints
// the help, without libtorch.
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace nrs::recipe {

inline constexpr const char* kTrainPurpose = "Trains the model that a recipe describes.";

struct TrainOptions {
  std::string recipe;
  std::vector<std::string> overrides;
  std::string out;
  std::string only;  // a module; empty: all
  std::string solver_from;
  int threads = 0;
  bool resume = false;
  bool quiet = false;
};

void declare_train(CLI::App& app, TrainOptions& options);

// A Solver from questions and answers alone: what `nrs` asks of the trainer by itself, with the
// word kPairsVerb before the options. Nobody writes a recipe: sizes and steps come from the pairs.
inline constexpr const char* kPairsVerb = "pairs";

struct PairsOptions {
  std::string pairs;      // a file as in data/pair_file.h
  std::string out;        // a model with a Solver and nothing else
  std::string goes_on{};  // a model whose Solver is trained further, if it fits the pairs
  double minutes = 10;    // about the time that it may take on one quiet core
  int seed = 1;
  int threads = 2;
  bool resume = false;  // a run that was interrupted
  bool quiet = false;
};

void declare_pairs(CLI::App& app, PairsOptions& options);
// The words that declare_pairs() reads as these options.
std::vector<std::string> words_of(const PairsOptions& options);

}  // namespace nrs::recipe
