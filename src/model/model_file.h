#pragma once
// A model: everything that is needed to rewrite formulas, and where it came from, in one file.
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/config.h"
#include "model/router_config.h"
#include "model/safetensors.h"
#include "model/tokenizer.h"

namespace nrs {

// The newest format. A file of a newer one is refused; older ones stay readable. A model is written
// in the oldest format that can say it: 2 is for Selectors that write the last leaf, 3 for Neural
// Data Routers, 4 for weights of 16 bits, 5 for Selectors with rules for leaves.
inline constexpr int kModelFormat = 5;

struct Weights {
  TensorShape shape;
  std::vector<float> values;  // row-major

  bool operator==(const Weights&) const = default;
};

// By their full names, "selector.head.bias"; which there are: tensor_names.h.
using WeightMap = std::map<std::string, Weights, std::less<>>;

struct SelectorModel {
  SelectorConfig config;
  Tokenizer tokens;
  WeightMap weights;
  // Of a Selector that writes.
  Tokenizer output{};        // the same as `tokens` if config.writer.shared_vocabulary
  int window_threshold = 0;  // formulas of this many tokens or more are read in windows; 0: none
};

struct SolverModel {
  SolverConfig config;
  Tokenizer input;
  Tokenizer output;         // the same as `input` if config.shared_vocabulary
  double min_log_prob = 0;  // a value with a lower joint log-probability is not sure enough
  WeightMap weights;
};

struct RouterModel {
  RouterConfig config;
  Tokenizer input;
  Tokenizer output;
  WeightMap weights;
};

struct Model {
  // Either may be missing while the other is trained alone.
  std::optional<SelectorModel> selector;
  std::optional<SolverModel> solver;
  // Or this, and neither of the two.
  std::optional<RouterModel> router{};

  std::string name;
  std::string program;    // what wrote it: "nrs 0.1.0"
  std::string recipe;     // every field of the recipe, as TOML
  std::string data_hash;  // of the examples it was trained on
  std::uint64_t seed = 0;
  std::string results = "{}";              // how well it did in training, a JSON object
  std::optional<std::string> certificate;  // what has been verified of it, a JSON object

  // The file has its weights in 16 bits, and each is a number that they can say.
  bool half = false;
};

// Rounds every weight to 16 bits, for a file of half the size. What was verified was another model,
// so the certificate goes. Throws Error (input) that names a weight too large for it.
void round_to_half(Model& model);

// Throws Error (input) that names what is wrong: a tensor that is missing, extra, of the wrong
// shape or not finite, a configuration or vocabulary that does not hold together.
void check_model(const Model& model);

// Writes the file whole or not at all. The same model gives the same bytes. Throws Error: (I/O), or
// (input) as check_model(), or if the weights should have 16 bits and one does not fit.
void save_model(const std::filesystem::path& path, const Model& model);
std::string serialise_model(const Model& model);
// The checksum that the file of this model has as long as it carries no certificate: it names the
// model, whatever has been verified of it.
std::string model_checksum(const Model& model);
// Whether it carries a certificate that is of this very model. One that was verified before someone
// changed the weights says nothing of them.
bool has_own_certificate(const Model& model);

// Law: load_model() of what save_model() wrote is the same model, bit for bit. Throws Error: (I/O),
// or (input) with the name of the file and the reason.
Model load_model(const std::filesystem::path& path);
Model parse_model(const TensorFile& file);

}  // namespace nrs
