#pragma once
// What a network is made of: every choice of architecture as one typed field. The defaults are our
// own recipe; the paper's architecture is another set of values.
// Recipes, the model file and `nrs info` all read or write the fields that visit() lists
// (base/fields.h).
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"

namespace nrs::nn {

// How a module knows where a token is. Relative slots of a window are a choice of their own.
enum class Positions {
  kNone,
  kSinusoid,  // of the index, as the paper's decoders
  kLabel,     // sinusoids of sorted random labels, as the paper's Selector encoders
  kLearned,   // one vector per index
};
constexpr auto enum_names(Positions) {
  return names_in_order<Positions>("none", "sinusoid", "label", "learned");
}

// Where layer norm stands: before each sub-layer (and once at the end), or after each residual.
enum class Norm { kPre, kPost };
constexpr auto enum_names(Norm) {
  return names_in_order<Norm>("pre", "post");
}

enum class Activation { kRelu, kGelu };
constexpr auto enum_names(Activation) {
  return names_in_order<Activation>("relu", "gelu");
}

// In which order a Solver writes the characters of a value.
enum class Direction { kLeftToRight, kRightToLeft };
constexpr auto enum_names(Direction) {
  return names_in_order<Direction>("left_to_right", "right_to_left");
}

// What a Selector does with a formula.
enum class SelectorKind {
  kSegment,   // marks all leaves at once: FastNRS
  kLastLeaf,  // writes the last leaf: NRS
};
constexpr auto enum_names(SelectorKind) {
  return names_in_order<SelectorKind>("segment", "last_leaf");
}

// How a decoder looks at what was read.
enum class Cross {
  kSoftmax,
  // From the right end, each token takes its share of what the tokens behind it have left over. The
  // last token that fits takes it all, however long the formula is: no positions are needed.
  kLastMatch,
};
constexpr auto enum_names(Cross) {
  return names_in_order<Cross>("softmax", "last_match");
}

// What a Selector says of each token. Either way there are three logits.
enum class Marks {
  kInside,       // outside, inside, pad: the paper's; leaf_rules tell touching leaves apart
  kBeginInside,  // outside, begin, inside: touching leaves stay apart
};
constexpr auto enum_names(Marks) {
  return names_in_order<Marks>("inside", "begin_inside");
}
inline constexpr int kMarkClasses = 3;
inline constexpr int kOutside = 0;  // in both
inline constexpr int kBegin = 1;    // begin_inside; with `inside`, 1 is inside
inline constexpr int kInsideAfterBegin = 2;

struct EncoderConfig {
  int dim = 64;
  int heads = 4;
  int layers = 2;
  int ff_mul = 4;
  Norm norm = Norm::kPre;
  Activation activation = Activation::kGelu;
  double dropout = 0;
  Positions positions = Positions::kLearned;
  bool positions_every_layer = false;
  int max_positions = 64;
  int label_range = 5000;
  std::vector<int> dilations{};
  int window = 1;
  bool relative_slots = false;
  double attention_gain = 1;
  double embedding_std = 0.5;
  int place_values = 0;

  // Steps between the slots of a layer; 0: full attention.
  int dilation(int layer) const {
    return dilations.empty() ? 0 : dilations.at(static_cast<std::size_t>(layer));
  }

  template <class Visitor>
  void visit(Visitor& v) {
    v("dim", dim, "width of the model", Range{4, 4096});
    v("heads", heads, "attention heads; divides dim", Range{1, 64});
    v("layers", layers, "encoder layers", Range{1, 64});
    v("ff_mul", ff_mul, "width of the feed-forward layer, in units of dim", Range{1, 16});
    v("norm", norm, "where layer norm stands");
    v("activation", activation, "of the feed-forward layer");
    v("dropout", dropout, "share of activations dropped in training", Range{0.0, 0.9});
    v("positions", positions, "what is added to the input to tell positions apart");
    v("positions_every_layer", positions_every_layer,
      "add it before each layer, not just the first");
    v("max_positions", max_positions, "longest input with learned or sinusoid positions",
      Range{1, 1 << 16});
    v("label_range", label_range, "labels are drawn from [0, label_range)", Range{1, 1 << 16});
    v("dilations", dilations, "windowed attention: step between slots, one per layer; empty: full",
      Range{1, 1 << 20});
    v("window", window, "slots on each side of a token in windowed attention", Range{1, 64});
    v("relative_slots", relative_slots,
      "learn a bias and a value offset for each slot of a window");
    v("attention_gain", attention_gain, "gain of the first query, key and value weights",
      Range{0.01, 10.0});
    v("embedding_std", embedding_std, "spread of the first embeddings", Range{0.001, 10.0});
    v("place_values", place_values, "distinct digit places with an embedding; 0: none",
      Range{0, 64});
  }
};

// Width, heads, norm, activation, dropout and gain are those of the encoder.
struct DecoderConfig {
  int layers = 2;
  bool ff_residual = true;
  Positions positions = Positions::kLearned;
  bool positions_every_layer = false;
  Direction direction = Direction::kRightToLeft;
  int max_length = 16;

  template <class Visitor>
  void visit(Visitor& v) {
    v("layers", layers, "decoder layers", Range{1, 64});
    v("ff_residual", ff_residual, "residual around the feed-forward layer (the paper's has none)");
    v("positions", positions, "what is added to the output so far to tell positions apart");
    v("positions_every_layer", positions_every_layer,
      "add it before each layer, not just the first");
    v("direction", direction, "order in which a value is written");
    v("max_length", max_length, "longest output, its end symbol included", Range{1, 1 << 12});
  }
};

// What a Selector that writes the last leaf has besides its encoder.
struct LeafWriterConfig {
  Cross cross = Cross::kLastMatch;
  double jitter = 3;
  bool shared_vocabulary = true;
  DecoderConfig decoder{.direction = Direction::kLeftToRight, .max_length = 32};

  template <class Visitor>
  void visit(Visitor& v) {
    v("cross", cross, "how the decoder looks at the formula");
    v("jitter", jitter, "training raises the scores of matches by up to this (last_match)",
      Range{0.0, 100.0});
    v("shared_vocabulary", shared_vocabulary, "one vocabulary and embedding for input and output");
    v("decoder", decoder, "the network that writes");
  }
};

// An encoder with one mark per token, or an encoder-decoder from a formula to its last leaf.
struct SelectorConfig {
  SelectorKind kind = SelectorKind::kSegment;
  std::vector<std::string> token_rules{};  // see tokenizer.h; empty: characters
  Marks marks = Marks::kBeginInside;
  std::vector<std::string> leaf_rules{};  // see tokenizer.h; empty: a run of marks is one leaf
  EncoderConfig encoder{.layers = 6,
                        .positions = Positions::kNone,
                        .dilations = {1, 2, 4, 8, 16, 1},
                        .relative_slots = true};
  LeafWriterConfig writer{};

  bool writes() const { return kind == SelectorKind::kLastLeaf; }

  template <class Visitor>
  void visit(Visitor& v) {
    v("kind", kind, "segment: mark all leaves (FastNRS); last_leaf: write the last one (NRS)");
    v("token_rules", token_rules, "patterns of tokens longer than a character; empty: characters");
    v("marks", marks, "what is said of each token (segment)");
    v("leaf_rules", leaf_rules, "patterns that tell leaves apart which touch (marks = inside)");
    v("encoder", encoder, "the network that reads");
    v("writer", writer, "what writes (last_leaf)");
  }
};

// An encoder-decoder from a leaf to its value.
struct SolverConfig {
  std::vector<std::string> token_rules{};  // see tokenizer.h; empty: characters
  bool shared_vocabulary = true;
  EncoderConfig encoder{.place_values = 8};
  DecoderConfig decoder{};
  // In no recipe and no file of a Solver: a Selector that writes is the same network with its own.
  Cross cross = Cross::kSoftmax;
  double jitter = 0;

  template <class Visitor>
  void visit(Visitor& v) {
    v("token_rules", token_rules, "patterns of tokens longer than a character; empty: characters");
    v("shared_vocabulary", shared_vocabulary, "one vocabulary and embedding for input and output");
    v("encoder", encoder, "the network that reads");
    v("decoder", decoder, "the network that writes");
  }
};

// The network of a Selector that writes.
SolverConfig writer_network(const SelectorConfig& config);

// How far a token's result can depend on its neighbours, in tokens; nothing if without limit.
std::optional<int> receptive_radius(const EncoderConfig& config);
// The same for characters, of a model whose tokens are bytes or not. Nothing also if it depends on
// everything: absolute positions, or tokens longer than a byte.
std::optional<std::int64_t> character_radius(const EncoderConfig& config, bool by_byte);

// Where the value is read from. Columns are: begin, the tokens of the formula, end.
enum class Readout {
  kFirst,  // the first columns, one for each token of the value
  kLast,   // the end column: values of one token
};
constexpr auto enum_names(Readout) {
  return names_in_order<Readout>("first", "last");
}

// A Neural Data Router: a transformer encoder with one layer that is used many times, attention to
// the nearest match, and a gate by which a column keeps what it has. It reads a whole formula and
// gives its value at once: a baseline, for it rewrites nothing.
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
