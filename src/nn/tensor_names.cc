#include "nn/tensor_names.h"

#include <utility>

namespace nrs::nn {
namespace {

// One part of a module: it puts its name in front of those of its tensors and of its own parts.
class Part {
 public:
  Part(std::string prefix, std::vector<ExpectedTensor>& tensors)
      : prefix_(std::move(prefix)), tensors_(tensors) {}

  Part part(const std::string& name) const { return {prefix_ + name + ".", tensors_}; }
  void add(const std::string& name, TensorShape shape) const {
    tensors_.push_back({prefix_ + name, std::move(shape)});
  }

 private:
  std::string prefix_;
  std::vector<ExpectedTensor>& tensors_;
};

std::uint64_t size(int number) {
  return static_cast<std::uint64_t>(number);
}

// A weight with its bias: a matrix [out, in], or the scale of a layer norm.
void add_weight(const Part& part, TensorShape shape) {
  const std::uint64_t out = shape.front();
  part.add("weight", std::move(shape));
  part.add("bias", {out});
}

void add_feed_forward(const Part& part, const EncoderConfig& config) {
  const std::uint64_t dim = size(config.dim);
  add_weight(part.part("up"), {dim * size(config.ff_mul), dim});
  add_weight(part.part("down"), {dim, dim * size(config.ff_mul)});
}

// Query, key and value in one weight. A dilation of 0 is full attention, which has no slots.
void add_self_attention(const Part& part, const EncoderConfig& config, int dilation) {
  const std::uint64_t dim = size(config.dim);
  add_weight(part.part("in"), {3 * dim, dim});
  add_weight(part.part("out"), {dim, dim});
  if (dilation == 0 || !config.relative_slots) return;
  const std::uint64_t slots = 2 * size(config.window) + 1;
  part.add("slot_bias", {slots, size(config.heads)});
  part.add("slot_value", {slots, dim});
}

void add_cross_attention(const Part& part, const EncoderConfig& config, Cross cross) {
  const std::uint64_t dim = size(config.dim);
  add_weight(part.part("query"), {dim, dim});
  add_weight(part.part("memory"), {2 * dim, dim});
  add_weight(part.part("out"), {dim, dim});
  if (cross == Cross::kLastMatch) part.add("match_bias", {size(config.heads)});
}

void add_positions(const Part& part, Positions positions, int rows, int dim) {
  if (positions == Positions::kLearned) part.add("weight", {size(rows), size(dim)});
}

void add_encoder(const Part& part, const EncoderConfig& config, int vocabulary) {
  const std::uint64_t dim = size(config.dim);
  part.add("embedding", {size(vocabulary), dim});
  // Row 0 is for tokens that are no digits.
  if (config.place_values > 0) part.add("places", {size(config.place_values) + 1, dim});
  add_positions(part.part("positions"), config.positions, config.max_positions, config.dim);
  for (int i = 0; i < config.layers; ++i) {
    const Part layer = part.part("layer" + std::to_string(i));
    add_self_attention(layer.part("attention"), config, config.dilation(i));
    add_feed_forward(layer.part("feed_forward"), config);
    for (const char* norm : {"norm1", "norm2"}) add_weight(layer.part(norm), {dim});
  }
  if (config.norm == Norm::kPre) add_weight(part.part("norm"), {dim});
}

void add_decoder(const Part& part, const SolverConfig& config, int vocabulary) {
  const EncoderConfig& shape = config.encoder;
  const std::uint64_t dim = size(shape.dim);
  if (!config.shared_vocabulary) part.add("embedding", {size(vocabulary), dim});
  add_positions(part.part("positions"), config.decoder.positions, config.decoder.max_length,
                shape.dim);
  for (int i = 0; i < config.decoder.layers; ++i) {
    const Part layer = part.part("layer" + std::to_string(i));
    add_self_attention(layer.part("attention"), shape, /*dilation=*/0);
    add_cross_attention(layer.part("cross"), shape, config.cross);
    add_feed_forward(layer.part("feed_forward"), shape);
    for (const char* norm : {"norm1", "norm2", "norm3"}) add_weight(layer.part(norm), {dim});
  }
  if (shape.norm == Norm::kPre) add_weight(part.part("norm"), {dim});
}

void add_seq2seq(const Part& part, const SolverConfig& config, int input_vocabulary,
                 int output_vocabulary) {
  add_encoder(part.part("encoder"), config.encoder, input_vocabulary);
  add_decoder(part.part("decoder"), config, output_vocabulary);
  add_weight(part.part("head"), {size(output_vocabulary), size(config.encoder.dim)});
}

}  // namespace

std::vector<ExpectedTensor> selector_tensors(const SelectorConfig& config, int vocabulary,
                                             int output_vocabulary) {
  std::vector<ExpectedTensor> tensors;
  const Part part(std::string(kSelectorPrefix), tensors);
  if (config.writes()) {
    add_seq2seq(part, writer_network(config), vocabulary, output_vocabulary);
    return tensors;
  }
  add_encoder(part.part("encoder"), config.encoder, vocabulary);
  add_weight(part.part("head"), {size(kMarkClasses), size(config.encoder.dim)});
  return tensors;
}

std::vector<ExpectedTensor> solver_tensors(const SolverConfig& config, int input_vocabulary,
                                           int output_vocabulary) {
  std::vector<ExpectedTensor> tensors;
  add_seq2seq(Part(std::string(kSolverPrefix), tensors), config, input_vocabulary,
              output_vocabulary);
  return tensors;
}

std::vector<ExpectedTensor> router_tensors(const RouterConfig& config, int input_vocabulary,
                                           int output_vocabulary) {
  std::vector<ExpectedTensor> tensors;
  const Part part(std::string(kRouterPrefix), tensors);
  const std::uint64_t dim = size(config.dim), sides = 2 * size(config.heads);
  part.add("embedding", {size(input_vocabulary) + 2, dim});  // and the two columns around it
  const Part attention = part.part("attention");
  // Query, key, value and the two sides in one weight; keys and values have no bias.
  attention.add("in", {3 * dim + sides, dim});
  attention.add("query_bias", {dim});
  attention.add("side_bias", {sides});
  attention.add("scale", {3});
  attention.add("out", {dim, dim});
  const std::uint64_t hidden = dim * size(config.ff_mul);
  for (const auto& [name, width] : {std::pair{"feed_forward", hidden}, std::pair{"gate", dim}}) {
    add_weight(part.part(name).part("up"), {width, dim});
    add_weight(part.part(name).part("down"), {dim, width});
  }
  for (const char* norm : {"norm1", "norm2"}) add_weight(part.part(norm), {dim});
  add_weight(part.part("head"), {size(output_vocabulary), dim});
  return tensors;
}

}  // namespace nrs::nn
