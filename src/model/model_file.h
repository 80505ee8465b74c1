#pragma once
// A model: everything that is needed to rewrite formulas, and where it came from, in one file. What
// its modules mean is known to its architecture only (architectures/architecture.h).
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/safetensors.h"
#include "nn/tensor_names.h"

namespace nrs::model {

// The one format that is written and read.
inline constexpr std::string_view kModelFormat = "1.0";

// A tensor that is not made of weights: an automaton, for example.
struct IntegerTable {
  Dtype dtype = Dtype::kU8;
  nn::TensorShape shape{};
  std::string bytes{};  // as in the file

  template <class T>
  static IntegerTable of(nn::TensorShape shape, std::span<const T> values) {
    const TensorView view = view_of<T>("", std::move(shape), values);
    return {view.dtype, view.shape, std::string(view.bytes)};
  }
  template <class T>
  std::vector<T> values() const {
    if (dtype != dtype_of<T>()) throw wrong_dtype(dtype_of<T>());
    return numbers_of<T>(bytes);
  }
  bool operator==(const IntegerTable&) const = default;

 private:
  Error wrong_dtype(Dtype expected) const;
};
using TableMap = std::map<std::string, IntegerTable, std::less<>>;

// One part of a model. The names of its tensors begin with its own name and a dot.
struct Module {
  std::string fields = "{}";  // configuration, vocabularies and the like: a JSON object
  nn::WeightMap weights{};
  TableMap tables{};
  bool half = false;  // the file has the weights in 16 bits, and each is a number that they can say

  bool operator==(const Module&) const = default;
};

// Where a module is stored that several models share.
struct SharedModule {
  std::string file;      // a name in the folder of the model that shares it
  std::string checksum;  // of the module, see module_checksum()

  template <class Visitor>
  void visit(Visitor& v) {
    v("file", file, "of the model that has the module");
    v("checksum", checksum, "of the module");
  }
  bool operator==(const SharedModule&) const = default;
};

struct Model {
  // Empty for the three that came with the format: they are told by their modules.
  std::string architecture{};
  std::map<std::string, Module, std::less<>> modules{};
  // The modules that are not in the model's own file, by name.
  std::map<std::string, SharedModule> shared{};

  std::string name;
  std::string program;                 // what wrote it: "nrs 0.1.0"
  std::string recipe;                  // every field of the recipe, as TOML
  std::string data_hash;               // of the examples it was trained on
  std::vector<std::string> domains{};  // built-in ones that these came from; empty: from a file
  std::string protocol = "full";       // "paper" if the Solver was shown only some of their leaves
  std::uint64_t seed = 0;
  std::string results = "{}";              // how well it did in training, a JSON object
  std::optional<std::string> certificate;  // what has been verified of it, a JSON object

  bool has(std::string_view module) const { return modules.contains(module); }
  // Throws Error (input) if it is missing.
  const Module& module(std::string_view wanted) const;
};

// How many numbers training has set.
std::uint64_t count_parameters(const Module& module);
std::uint64_t count_parameters(const Model& model);

// Rounds every weight of its own file to 16 bits, for half the size. What was verified was another
// model, so the certificate goes. Throws Error (input) that names a weight too large for it.
void round_to_half(Model& model);

// Throws Error (input) that names what is wrong: a tensor that is missing, extra, of the wrong
// shape or not finite, a configuration or vocabulary that does not hold together. Modules that only
// their architecture knows are checked by it, when it is asked to run them.
void check_model(const Model& model);

// Writes the file whole or not at all. The same model gives the same bytes. Throws Error: (I/O), or
// (input) as check_model(), or if the weights should have 16 bits and one does not fit.
void save_model(const std::filesystem::path& path, const Model& model);
std::string serialise_model(const Model& model);
// The checksum that the file of this model has as long as it carries no certificate: it names the
// model, whatever has been verified of it.
std::string model_checksum(const Model& model);
// Names a module, whatever model it is in.
std::string module_checksum(std::string_view name, const Module& module);
// Whether it carries a certificate that is of this very model. One that was verified before someone
// changed the weights says nothing of them.
bool has_own_certificate(const Model& model);

// Law: load_model() of what save_model() wrote is the same model, bit for bit. Throws Error: (I/O),
// or (input) with the name of the file and the reason.
Model load_model(const std::filesystem::path& path);
// `folder` is where the modules are that the model shares with others.
Model parse_model(const TensorFile& file, const std::filesystem::path& folder);

// As load_model(), but the modules that are in other files stay there until they are needed:
// `shared` names them, and `modules` does not have them. Throws Error (input) if one of these files
// is missing.
Model load_own_modules(const std::filesystem::path& path);
// Reads them; nothing if they are there. `path` is the file of the model. Throws Error as
// load_model() does.
void load_shared(Model& model, const std::filesystem::path& path);

}  // namespace nrs::model
