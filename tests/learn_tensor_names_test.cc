// The modules and the list of tensors in the model layer name the same parameters.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "learn/nets/nets.h"
#include "nn/tensor_names.h"

namespace nrs::nn {
namespace {

using Names = std::vector<std::pair<std::string, TensorShape>>;

Names names_of(const torch::nn::Module& module, std::string_view prefix) {
  Names names;
  for (const auto& item : module.named_parameters()) {
    const auto sizes = item.value().sizes();
    names.emplace_back(std::string(prefix) + item.key(), TensorShape(sizes.begin(), sizes.end()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Names names_of(const std::vector<ExpectedTensor>& tensors) {
  Names names;
  for (const ExpectedTensor& tensor : tensors) names.emplace_back(tensor.name, tensor.shape);
  std::sort(names.begin(), names.end());
  return names;
}

// Encoders that differ in everything that has parameters.
std::vector<EncoderConfig> encoders() {
  std::vector<EncoderConfig> configs;
  for (const Norm norm : {Norm::kPre, Norm::kPost}) {
    for (const Positions positions :
         {Positions::kNone, Positions::kSinusoid, Positions::kLabel, Positions::kLearned}) {
      for (const int slots : {0, 1, 2}) {
        EncoderConfig config{.dim = 8, .heads = 2, .layers = 2, .ff_mul = 3};
        config.norm = norm;
        config.positions = positions;
        config.max_positions = 10;
        config.label_range = 20;
        config.place_values = slots;
        config.window = 2;
        if (slots > 0) config.dilations = {1, 3};
        config.relative_slots = slots > 1;
        configs.push_back(config);
      }
    }
  }
  return configs;
}

TEST(TensorNames, AreThoseOfTheSelectorModules) {
  for (const EncoderConfig& encoder : encoders()) {
    const SelectorConfig config{.encoder = encoder};
    EXPECT_EQ(names_of(learn::SelectorNet(config, 5, /*seed=*/1), kSelectorPrefix),
              names_of(selector_tensors(config, 5)));
  }
}

TEST(TensorNames, AreThoseOfTheSolverModules) {
  for (const EncoderConfig& encoder : encoders()) {
    for (const bool shared : {true, false}) {
      for (const Positions positions : {Positions::kSinusoid, Positions::kLearned}) {
        SolverConfig config{.shared_vocabulary = shared, .encoder = encoder};
        config.decoder.positions = positions;
        const int output = shared ? 9 : 7;
        EXPECT_EQ(
            names_of(learn::SolverNet(config, {.input = 9, .output = output}, 1), kSolverPrefix),
            names_of(solver_tensors(config, 9, output)));
      }
    }
  }
}

}  // namespace
}  // namespace nrs::nn
