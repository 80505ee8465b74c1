#pragma once
// The building blocks of the networks, in the order in which a token passes them. They take packed
// tokens [N, D] (packing.h) and hand on a residual stream whose last update has not been added yet,
// so that adding it, its bias and the next layer norm are one pass over memory (fused.h).
//
// The names under which parts and weights are registered are the names of the tensors in a model
// file.
#include <torch/nn/module.h>
#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/rng.h"
#include "learn/nets/fused.h"
#include "nn/config.h"
#include "nn/packing.h"

namespace nrs::learn {

// One run of a network. Chance draws from `seed`: the same seed drops the same activations, on any
// number of threads.
struct Pass {
  bool training = false;
  std::uint64_t seed = 0;
};

// The dropout of one run, and its other draws; each call drops other activations.
class Dropout {
 public:
  Dropout(double share, Pass pass)
      : training_(pass.training), share_(pass.training ? share : 0), seed_(pass.seed) {}
  bool active() const { return share_ > 0; }
  // What follows is about the tokens of the batch from this one on. A token's draws do not depend
  // on the part of the batch that it is computed in.
  void begin_at(std::int64_t token) { first_token_ = token; }
  torch::Tensor operator()(const torch::Tensor& x);  // [N, D]
  // Within [0, most] while training, the same for all parts of a batch; else 0.
  double shift(double most);

 private:
  bool training_;
  double share_;
  std::uint64_t seed_;
  std::uint64_t calls_ = 0;
  std::int64_t first_token_ = 0;
};

// First weights are drawn by our own generator: the same seed gives the same network with any
// libtorch.
torch::Tensor uniform_tensor(const std::vector<std::int64_t>& shape, double bound, Rng& rng);
torch::Tensor normal_tensor(const std::vector<std::int64_t>& shape, double spread, Rng& rng);

// A weight [out, in] and a bias [out], which start uniform within 1 / sqrt(in).
struct Dense : torch::nn::Module {
  Dense(int in, int out, Rng& rng);
  // Starts again as projections of attention do: the weight uniform within the bound, no bias.
  void start(double bound, Rng& rng);
  torch::Tensor forward(const torch::Tensor& x) const;  // [N, in] -> [N, out]

  torch::Tensor weight, bias;
};

struct LayerNorm : torch::nn::Module {
  explicit LayerNorm(int dim);
  torch::Tensor weight, bias;  // [D]
};

// What a sub-layer adds to the stream. The bias is apart: it is added where the sum is made.
struct Update {
  torch::Tensor values;  // [N, D]
  torch::Tensor bias;    // [D]
};

// Self-attention: full, causal, or within a window of slots.
class SelfAttention : public torch::nn::Module {
 public:
  // dilation 0: no window.
  SelfAttention(const nn::EncoderConfig& config, int dilation, bool causal, Rng& rng);
  Update forward(const torch::Tensor& x, const Rows& rows) const;  // x [N, D]

 private:
  SelfAttentionShape shape_;
  std::shared_ptr<Dense> in_, out_;
  torch::Tensor slot_bias_;   // [2 * window + 1, heads]
  torch::Tensor slot_value_;  // [2 * window + 1, D]
};

class CrossAttention : public torch::nn::Module {
 public:
  CrossAttention(const nn::EncoderConfig& config, nn::Cross cross, Rng& rng);
  // x [N, D], memory [M, D]. `shift` is added to the scores of matches.
  Update forward(const torch::Tensor& x, const torch::Tensor& memory, const CrossRows& rows,
                 double shift) const;

 private:
  int heads_;
  std::shared_ptr<Dense> query_, memory_, out_;
  torch::Tensor match_bias_;  // [heads]; undefined: softmax
};

struct FeedForward : torch::nn::Module {
  FeedForward(int dim, int hidden, nn::Activation activation, Rng& rng);
  Update forward(const torch::Tensor& x) const;  // x [N, D]

  nn::Activation activation;
  std::shared_ptr<Dense> up, down;
};

// The residual stream: its value is sum + update, either of which may be missing.
struct Stream {
  torch::Tensor sum;  // [N, D]
  Update update;
};
// Adds the update and norms: returns the norm [N, D] and leaves the sum in the stream.
torch::Tensor settle(Stream& stream, const LayerNorm& norm, Dropout& dropout);

// A sub-layer with its norm before or behind it.
struct SubLayer {
  nn::Norm place = nn::Norm::kPre;
  bool residual = true;
  std::shared_ptr<LayerNorm> norm;

  using Function = std::function<Update(const torch::Tensor& x)>;
  void run(Stream& stream, Dropout& dropout, const Function& function) const;
};

// What a coder makes of its rows, for others to attend to.
struct Memory {
  torch::Tensor values;  // [M, D]
  Rows rows;
};

class Layer : public torch::nn::Module {
 public:
  // Of an encoder; dilation 0: no window.
  Layer(const nn::EncoderConfig& config, int dilation, Rng& rng);
  // Of a decoder: it sees what comes before each token, and the memory.
  Layer(const nn::SolverConfig& config, Rng& rng);
  void run(Stream& stream, const Rows& rows, const Memory& memory, Dropout& dropout) const;

 private:
  // Registers its norm.
  SubLayer sub_layer(const char* norm, const nn::EncoderConfig& config, bool residual = true);

  std::shared_ptr<SelfAttention> attention_;
  std::shared_ptr<CrossAttention> cross_;  // null: an encoder's
  double jitter_ = 0;
  std::shared_ptr<FeedForward> feed_forward_;
  SubLayer first_, second_, last_;  // the second is that of cross_
};

}  // namespace nrs::learn
