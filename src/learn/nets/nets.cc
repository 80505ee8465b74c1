#include "learn/nets/nets.h"

#include <fmt/format.h>
#include <torch/autograd.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "model/networks.h"
#include "model/tokenizer.h"
#include "nn/layers.h"
#include "nrs/error.h"

namespace nrs::learn {
namespace {

// Row 0 is padding's. It is never looked up; zero, as in the paper's models.
torch::Tensor first_embedding(int vocabulary, const nn::EncoderConfig& config, Rng& rng) {
  torch::Tensor table = normal_tensor({vocabulary, config.dim}, config.embedding_std, rng);
  table[0].zero_();
  return table;
}

// Adds the positions of a layer to the stream, its pending update included.
void add_positions(Stream& stream, const TableLookup& lookup, Dropout& dropout) {
  torch::Tensor sum = stream.sum;
  if (stream.update.values.defined()) {
    const torch::Tensor update = dropout(stream.update.values + stream.update.bias);
    sum = sum.defined() ? sum + update : update;
  }
  stream = {sum + dropout(embed({lookup})), {}};
}

Rows shared(const nn::Packing& packing) {
  return std::make_shared<const nn::Packing>(packing);
}

}  // namespace

// Which vector is added to each token for its position: a row of a table.
class PositionTable : public torch::nn::Module {
 public:
  // rows: positions, or labels to draw from.
  PositionTable(nn::Positions kind, int rows, const nn::EncoderConfig& config, Rng& rng)
      : kind_(kind) {
    if (kind == nn::Positions::kLearned) {
      weight_ = register_parameter("weight",
                                   normal_tensor({rows, config.dim}, config.embedding_std, rng));
    } else if (kind != nn::Positions::kNone) {
      weight_ = register_buffer("table", torch::empty({rows, config.dim}));
      nn::fill_sinusoids(rows, config.dim, weight_.data_ptr<float>());
    }
  }

  bool none() const { return kind_ == nn::Positions::kNone; }

  // Labels are drawn anew for each layer, from the seed of the row. Throws Error (input) for a row
  // that is longer than the table.
  TableLookup lookup(const nn::TokenRows& rows, int layer) const {
    torch::Tensor index = torch::empty({rows.packing.tokens()}, torch::kInt32);
    auto* to = index.data_ptr<std::int32_t>();
    for (std::int64_t r = 0; r < rows.packing.rows(); ++r) {
      const std::int64_t length = rows.packing.length(r), positions = weight_.size(0);
      if (kind_ == nn::Positions::kLabel) {
        Rng rng(rows.seeds.at(static_cast<std::size_t>(r)), static_cast<std::uint64_t>(layer));
        nn::draw_labels(static_cast<int>(positions), rng, {to, static_cast<std::size_t>(length)});
      } else if (length > positions) {
        throw Error(
            ErrorKind::kInput,
            fmt::format("a row of {} tokens; the network has {} positions", length, positions));
      } else {
        std::iota(to, to + length, 0);
      }
      to += length;
    }
    return {weight_, index};
  }

 private:
  nn::Positions kind_;
  torch::Tensor weight_;  // [rows, D]; a parameter if learned, else a buffer
};

Coder::Coder(const nn::EncoderConfig& config, int vocabulary, Rng& rng)
    : place_values_(config.place_values), positions_every_layer_(config.positions_every_layer) {
  embedding_ = register_parameter("embedding", first_embedding(vocabulary, config, rng));
  if (place_values_ > 0) {
    places_ = register_parameter(
        "places", normal_tensor({place_values_ + 1, config.dim}, config.embedding_std, rng));
  }
  const bool labels = config.positions == nn::Positions::kLabel;
  positions_ = register_module(
      "positions",
      std::make_shared<PositionTable>(
          config.positions, labels ? config.label_range : config.max_positions, config, rng));
  for (int i = 0; i < config.layers; ++i) {
    const int dilation = config.dilations.empty() ? 0 : config.dilations[i];
    add_layer(std::make_shared<Layer>(config, dilation, rng));
  }
  end_layers(config);
}

Coder::Coder(const nn::SolverConfig& network, int vocabulary, const Coder& encoder, Rng& rng)
    : positions_every_layer_(network.decoder.positions_every_layer) {
  const nn::EncoderConfig& config = network.encoder;
  embedding_ = network.shared_vocabulary
                   ? encoder.embedding_
                   : register_parameter("embedding", first_embedding(vocabulary, config, rng));
  positions_ = register_module(
      "positions", std::make_shared<PositionTable>(network.decoder.positions,
                                                   network.decoder.max_length, config, rng));
  for (int i = 0; i < network.decoder.layers; ++i) {
    add_layer(std::make_shared<Layer>(network, rng));
  }
  end_layers(config);
}

void Coder::add_layer(std::shared_ptr<Layer> layer) {
  layers_.push_back(register_module("layer" + std::to_string(layers_.size()), std::move(layer)));
}

void Coder::end_layers(const nn::EncoderConfig& config) {
  if (config.norm == nn::Norm::kPre) {
    norm_ = register_module("norm", std::make_shared<LayerNorm>(config.dim));
  }
}

Stream Coder::embedded(const nn::TokenRows& tokens) const {
  std::vector<TableLookup> lookups{{embedding_, torch::tensor(tokens.ids, torch::kInt32)}};
  if (places_.defined()) {
    std::vector<std::int32_t> places = tokens.places;
    for (std::int32_t& place : places) place = std::min(place, place_values_);
    lookups.push_back({places_, torch::tensor(places, torch::kInt32)});
  }
  if (!positions_->none() && !positions_every_layer_) {
    lookups.push_back(positions_->lookup(tokens, /*layer=*/0));
  }
  return {embed(lookups), {}};
}

Memory Coder::forward(const nn::TokenRows& tokens, Dropout& dropout, const Memory& memory) const {
  const Rows rows = shared(tokens.packing);
  dropout.begin_at(tokens.first_token);
  Stream stream = embedded(tokens);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (!positions_->none() && positions_every_layer_) {
      add_positions(stream, positions_->lookup(tokens, static_cast<int>(i)), dropout);
    }
    layers_[i]->run(stream, rows, memory, dropout);
  }
  return {norm_ ? settle(stream, *norm_, dropout) : stream.sum, rows};
}

SelectorNet::SelectorNet(const nn::SelectorConfig& config, int vocabulary, std::uint64_t seed)
    : config_(config) {
  model::check(config);
  Rng rng(seed);
  encoder_ = register_module("encoder", std::make_shared<Coder>(config.encoder, vocabulary, rng));
  head_ =
      register_module("head", std::make_shared<Dense>(config.encoder.dim, nn::kMarkClasses, rng));
}

torch::Tensor SelectorNet::forward(const nn::TokenRows& formulas, Pass pass) const {
  Dropout dropout(config_.encoder.dropout, pass);
  return head_->forward(encoder_->forward(formulas, dropout).values);
}

SolverNet::SolverNet(const nn::SolverConfig& config, SolverVocabulary vocabulary,
                     std::uint64_t seed)
    : dropout_(config.encoder.dropout) {
  model::check(config);
  Rng rng(seed);
  encoder_ =
      register_module("encoder", std::make_shared<Coder>(config.encoder, vocabulary.input, rng));
  decoder_ = register_module("decoder",
                             std::make_shared<Coder>(config, vocabulary.output, *encoder_, rng));
  head_ =
      register_module("head", std::make_shared<Dense>(config.encoder.dim, vocabulary.output, rng));
}

torch::Tensor SolverNet::write(const nn::TokenRows& written, const Memory& memory,
                               Dropout& dropout) const {
  return head_->forward(decoder_->forward(written, dropout, memory).values);
}

torch::Tensor SolverNet::forward(const nn::TokenRows& leaves, const nn::TokenRows& written,
                                 Pass pass) const {
  Dropout dropout(dropout_, pass);
  return write(written, encoder_->forward(leaves, dropout), dropout);
}

std::vector<std::vector<std::int32_t>> SolverNet::write_greedily(const nn::TokenRows& leaves,
                                                                 int steps) const {
  const torch::NoGradGuard no_grad;
  Dropout dropout(0, Pass{});
  const Memory memory = encoder_->forward(leaves, dropout);
  const auto rows = static_cast<std::size_t>(leaves.packing.rows());
  std::vector<std::vector<std::int32_t>> prefixes(rows, {model::kStartId});
  for (int step = 0; step < steps; ++step) {
    nn::TokenRows written;
    for (const auto& prefix : prefixes) written.add(prefix);
    const torch::Tensor best = write(written, memory, dropout).argmax(-1);
    for (std::size_t r = 0; r < rows; ++r) {
      const std::int64_t last = written.packing.end(static_cast<std::int64_t>(r)) - 1;
      prefixes[r].push_back(static_cast<std::int32_t>(best.data_ptr<std::int64_t>()[last]));
    }
  }
  for (auto& prefix : prefixes) prefix.erase(prefix.begin());
  return prefixes;
}

RowLoss row_loss(const torch::Tensor& logits, const std::vector<std::int32_t>& targets,
                 const nn::Packing& packing) {
  const TokenLoss loss = token_loss(logits, torch::tensor(targets, torch::kInt32));
  RowLoss result{loss.mean, {}, {}};
  for (std::int64_t r = 0; r < packing.rows(); ++r) {
    float sum = 0;
    bool exact = true;
    for (std::int64_t i = packing.begin(r); i < packing.end(r); ++i) {
      sum += loss.each.data_ptr<float>()[i];
      exact = exact && loss.correct.data_ptr<bool>()[i];
    }
    result.rows.push_back(sum);
    result.exact.push_back(static_cast<char>(exact));
  }
  return result;
}

}  // namespace nrs::learn
