#pragma once
// What a Neural Data Router is made of: a transformer encoder with one layer that is used many
// times, attention to the nearest match, and a gate by which a column keeps what it has. It reads a
// whole formula and gives its value at once: a baseline, for it rewrites nothing.
//
// The same list-once struct as those in config.h.
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nn/config.h"

namespace nrs::nn {

// Where the value is read from. Columns are: begin, the tokens of the formula, end.
enum class Readout {
  kFirst,  // the first columns, one for each token of the value
  kLast,   // the end column: values of one token
};
constexpr auto enum_names(Readout) {
  return std::to_array<EnumName<Readout>>({
      {Readout::kFirst, "first"},
      {Readout::kLast, "last"},
  });
}

struct RouterConfig {
  std::vector<std::string> token_rules{};  // see tokenizer.h; empty: characters
  int dim = 128;
  int heads = 8;
  int layers = 8;
  int run_layers = 0;
  int ff_mul = 2;
  Readout readout = Readout::kFirst;
  int columns = 1;
  double dropout = 0;
  double key_dropout = 0;
  double gate_dropout = 0;

  int layers_to_run() const { return run_layers > 0 ? run_layers : layers; }

  template <class Visitor>
  void visit(Visitor& v) {
    v("token_rules", token_rules, "patterns of tokens longer than a character; empty: characters");
    v("dim", dim, "width of the model", Range{4, 4096});
    v("heads", heads, "attention heads; divides dim", Range{1, 64});
    v("layers", layers, "times that the one layer is used in training", Range{1, 256});
    v("run_layers", run_layers, "times that it is used later; 0: as in training", Range{0, 256});
    v("ff_mul", ff_mul, "width of the feed-forward layer, in units of dim", Range{1, 16});
    v("readout", readout, "columns that the value is read from");
    v("columns", columns, "how many: tokens of the longest value", Range{1, 64});
    v("dropout", dropout, "share of activations dropped in training", Range{0.0, 0.9});
    v("key_dropout", key_dropout, "share of the keys of attention dropped in training",
      Range{0.0, 0.9});
    v("gate_dropout", gate_dropout, "share of columns that a training layer leaves as they are",
      Range{0.0, 0.9});
  }
};

// The ids of the two columns around a formula come after those of the tokens.
inline int end_column_id(int vocabulary) {
  return vocabulary;
}
inline int begin_column_id(int vocabulary) {
  return vocabulary + 1;
}

// How a formula stands in the columns: begin, the tokens, end; and as many more end columns as it
// takes to read an answer from.
std::vector<std::int32_t> router_columns(const RouterConfig& config, int vocabulary,
                                         std::span<const std::int32_t> tokens);
// The column that the i-th token of the answer is read from; `count` tokens were in the formula.
std::int64_t answer_column(const RouterConfig& config, std::int64_t count, int i);

}  // namespace nrs::nn
