#pragma once
// A model: everything that is needed to rewrite formulas, and where it came from, in one file.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/leaf_guard.h"
#include "model/safetensors.h"
#include "model/tokenizer.h"
#include "nn/config.h"
#include "nn/router_config.h"

namespace nrs {

// The one format that is written and read.
inline constexpr std::string_view kModelFormat = "1.0";

struct SelectorModel {
  SelectorConfig config;
  Tokenizer tokens;
  WeightMap weights;
  bool half = false;  // the file has the weights in 16 bits, and each is a number that they can say
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
  bool half = false;
  std::optional<LeafGuard> guard{};  // which texts it may be asked; nothing: all
};

struct RouterModel {
  RouterConfig config;
  Tokenizer input;
  Tokenizer output;
  WeightMap weights;
  bool half = false;
};

// Where a module is stored that several models share.
struct SharedModule {
  std::string file;      // a name in the folder of the model that shares it
  std::string checksum;  // of the module, see module_checksum()

  bool operator==(const SharedModule&) const = default;
};

struct Model {
  // Either may be missing while the other is trained alone.
  std::optional<SelectorModel> selector;
  std::optional<SolverModel> solver;
  // Or this, and neither of the two.
  std::optional<RouterModel> router{};
  // The modules of this model that are not in its own file, by name: "selector", "solver".
  std::map<std::string, SharedModule> shared{};

  std::string name;
  std::string program;                 // what wrote it: "nrs 0.1.0"
  std::string recipe;                  // every field of the recipe, as TOML
  std::string data_hash;               // of the examples it was trained on
  std::vector<std::string> domains{};  // built-in ones that these came from; empty: from a file
  std::string protocol =
      "full";  // "paper" if the Solver was shown some leaves of them, else "full"
  std::uint64_t seed = 0;
  std::string results = "{}";              // how well it did in training, a JSON object
  std::optional<std::string> certificate;  // what has been verified of it, a JSON object
};

// Rounds every weight of its own file to 16 bits, for half the size. What was verified was another
// model, so the certificate goes. Throws Error (input) that names a weight too large for it.
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
// Names a module, whatever model it is in.
std::string module_checksum(const SelectorModel& selector);
std::string module_checksum(const SolverModel& solver);
// Whether it carries a certificate that is of this very model. One that was verified before someone
// changed the weights says nothing of them.
bool has_own_certificate(const Model& model);

// Law: load_model() of what save_model() wrote is the same model, bit for bit. Throws Error: (I/O),
// or (input) with the name of the file and the reason.
Model load_model(const std::filesystem::path& path);
// `folder` is where the modules are that the model shares with others.
Model parse_model(const TensorFile& file, const std::filesystem::path& folder);

}  // namespace nrs
