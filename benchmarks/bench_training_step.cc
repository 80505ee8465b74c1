// How fast is a training step of the Solver: ours, against the same network made of libtorch's own
// Transformer modules, on the same batches, in the same run. Prints one JSON object per size.
//
//   bench_training_step [--threads N] [--steps N] [--rounds N]
#include <torch/nn/functional/loss.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/transformer.h>
#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adamw.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/rng.h"
#include "base/status_line.h"
#include "learn/kernels/kernels.h"
#include "learn/nets/nets.h"
#include "model/tokenizer.h"

namespace nrs {
namespace {

using Clock = std::chrono::steady_clock;
using torch::Tensor;
constexpr int kVocabulary = 24;
constexpr int kLongestLeaf = 32;
constexpr int kLongestValue = 8;

// Leaves and values as long as those of arithmetic and algebra.
struct Batch {
  nn::TokenRows leaves;
  nn::TokenRows written;
  std::vector<std::int32_t> targets;
};

Batch make_batch(int rows, int shortest, int longest, Rng& rng) {
  Batch batch;
  for (int r = 0; r < rows; ++r) {
    std::vector<std::int32_t> leaf(rng.between(shortest, longest)), value(rng.between(1, 4));
    for (auto& id : leaf) id = rng.between(4, kVocabulary - 1);
    for (auto& id : value) id = rng.between(4, kVocabulary - 1);
    batch.leaves.add(leaf);
    batch.leaves.add_places(std::vector<std::int32_t>(leaf.size(), 0));
    batch.targets.insert(batch.targets.end(), value.begin(), value.end());
    batch.targets.push_back(model::kEndId);
    value.insert(value.begin(), model::kStartId);
    batch.written.add(value);
  }
  return batch;
}

nn::SolverConfig config_of(int dim) {
  nn::SolverConfig config;
  config.encoder.dim = dim;
  config.encoder.max_positions = kLongestLeaf;
  config.decoder.max_length = kLongestValue;
  return config;
}

// The fused step: packed rows, our kernels, Adam over one buffer.
class Ours {
 public:
  explicit Ours(int dim) : net_(config_of(dim), {kVocabulary, kVocabulary}, 1) {
    const torch::NoGradGuard no_grad;
    std::int64_t count = 0;
    for (const Tensor& p : net_.parameters()) count += p.numel();
    weights_ = torch::empty({count}), gradient_ = torch::zeros({count});
    mean_ = torch::zeros({count}), square_ = torch::zeros({count});
    std::int64_t begin = 0;
    for (Tensor& p : net_.parameters()) {
      const Tensor part = weights_.narrow(0, begin, p.numel()).view(p.sizes());
      part.copy_(p);
      p.set_data(part);
      p.mutable_grad() = gradient_.narrow(0, begin, p.numel()).view(p.sizes());
      begin += p.numel();
    }
    average_ = weights_.clone();
  }

  double step(const Batch& batch) {
    gradient_.zero_();
    const learn::RowLoss loss = learn::row_loss(net_.forward(batch.leaves, batch.written),
                                                batch.targets, batch.written.packing);
    loss.mean.backward();
    const double norm = gradient_.norm().item<double>();
    learn::kernels::adam_step(
        {weights_.numel(), weights_.data_ptr<float>(), gradient_.data_ptr<float>(),
         mean_.data_ptr<float>(), square_.data_ptr<float>(), average_.data_ptr<float>()},
        {1e-4, 0.9, 0.98, 1e-8, 0.1, std::min(1.0, 1.0 / norm), 1, 1, 0.002});
    return loss.mean.item<double>();
  }

 private:
  learn::SolverNet net_;
  Tensor weights_, gradient_, mean_, square_, average_;
};

// The plain step: padded batch, torch::nn::Transformer, torch::optim::AdamW. It is spared the
// weight average and the place values that ours computes.
struct PlainNet : torch::nn::Module {
  explicit PlainNet(int dim) {
    namespace nn = torch::nn;
    embedding = register_module("embedding", nn::Embedding(kVocabulary, dim));
    in_positions = register_parameter("in_positions", torch::randn({kLongestLeaf, dim}));
    out_positions = register_parameter("out_positions", torch::randn({kLongestValue, dim}));
    transformer =
        register_module("transformer", nn::Transformer(nn::TransformerOptions(dim, 4, 2, 2)
                                                           .dim_feedforward(4 * dim)
                                                           .dropout(0)
                                                           .activation(torch::kGELU)));
    head = register_module("head", nn::Linear(dim, kVocabulary));
  }
  // in [B, L], out [B, M] int64; padding [B, L] bool. Returns [M, B, V].
  Tensor forward(const Tensor& in, const Tensor& padding, const Tensor& out) {
    const Tensor x = (embedding(in) + in_positions.narrow(0, 0, in.size(1))).transpose(0, 1);
    const Tensor y = (embedding(out) + out_positions.narrow(0, 0, out.size(1))).transpose(0, 1);
    const Tensor causal = torch::full({out.size(1), out.size(1)}, -INFINITY).triu(1);
    const Tensor none;
    return head(transformer(x, y, none, causal, none, padding, none, padding));
  }
  torch::nn::Embedding embedding{nullptr};
  torch::nn::Transformer transformer{nullptr};
  torch::nn::Linear head{nullptr};
  Tensor in_positions, out_positions;
};

Tensor padded(const std::vector<std::int32_t>& ids, const nn::Packing& packing) {
  std::int64_t longest = 0;
  for (std::int64_t r = 0; r < packing.rows(); ++r) longest = std::max(longest, packing.length(r));
  Tensor out = torch::zeros({packing.rows(), longest}, torch::kInt64);
  for (std::int64_t r = 0; r < packing.rows(); ++r) {
    for (std::int64_t i = 0; i < packing.length(r); ++i) {
      out.data_ptr<std::int64_t>()[r * longest + i] = ids[packing.begin(r) + i];
    }
  }
  return out;
}

class Plain {
 public:
  explicit Plain(int dim)
      : net_(std::make_shared<PlainNet>(dim)),
        optimiser_(net_->parameters(),
                   torch::optim::AdamWOptions(1e-4).betas({0.9, 0.98}).weight_decay(0.1)) {}

  double step(const Batch& batch) {
    const Tensor in = padded(batch.leaves.ids, batch.leaves.packing);
    const Tensor out = padded(batch.written.ids, batch.written.packing);
    const Tensor targets = padded(batch.targets, batch.written.packing).transpose(0, 1);
    optimiser_.zero_grad();
    const Tensor logits = net_->forward(in, in == nn::kPadId, out);
    const Tensor loss = torch::nn::functional::cross_entropy(
        logits.reshape({-1, kVocabulary}), targets.reshape({-1}),
        torch::nn::functional::CrossEntropyFuncOptions().ignore_index(nn::kPadId));
    loss.backward();
    torch::nn::utils::clip_grad_norm_(net_->parameters(), 1.0);
    optimiser_.step();
    return loss.item<double>();
  }

 private:
  std::shared_ptr<PlainNet> net_;
  torch::optim::AdamW optimiser_;
};

// Multiplications and additions of the matrix products of one step of ours, forward and backward.
double matrix_flops(const Batch& batch, int dim) {
  const double d = dim, n = static_cast<double>(batch.leaves.packing.tokens());
  const double m = static_cast<double>(batch.written.packing.tokens());
  const double encoder = n * 12 * d * d;
  const double decoder = m * 14 * d * d + n * 2 * d * d;
  return 3 * 2 * (2 * encoder + 2 * decoder + m * d * kVocabulary);
}

double gemm_peak() {
  const torch::NoGradGuard no_grad;
  const int n = 768;
  const Tensor a = torch::randn({n, n}), b = torch::randn({n, n});
  double best = 0;
  for (int i = 0; i < 20; ++i) {
    const auto start = Clock::now();
    torch::mm(a, b);
    best = std::max(best, 2.0 * n * n * n / seconds_since(start));
  }
  return best;
}

struct Options {
  int threads = 1;
  int steps = 20;
  int rounds = 7;
};

template <class Trainer>
double time_steps(Trainer& trainer, const std::vector<Batch>& batches) {
  const auto start = Clock::now();
  for (const Batch& batch : batches) trainer.step(batch);
  return seconds_since(start) / static_cast<double>(batches.size());
}

struct Length {
  const char* name;
  int shortest;
  int longest;
};

void compare(int dim, const Length& length, const Options& options, double peak) {
  Rng rng(1);
  std::vector<Batch> batches;
  double flops = 0;
  for (int i = 0; i < options.steps; ++i) {
    batches.push_back(make_batch(128, length.shortest, length.longest, rng));
    flops += matrix_flops(batches.back(), dim) / options.steps;
  }
  Ours ours(dim);
  Plain plain(dim);
  std::vector<double> ours_times, plain_times, ratios;
  for (int round = 0; round <= options.rounds; ++round) {  // alternating: noise hits both alike
    const double a = time_steps(ours, batches), b = time_steps(plain, batches);
    if (round == 0) continue;  // warm-up
    ours_times.push_back(a), plain_times.push_back(b), ratios.push_back(b / a);
  }
  for (auto* times : {&ours_times, &plain_times, &ratios}) std::sort(times->begin(), times->end());
  const auto median = [](const std::vector<double>& v) { return v[v.size() / 2]; };
  std::printf(
      "{\"lengths\":\"%s\",\"dim\":%d,\"batch\":128,\"threads\":%d,\"ours_ms\":%.2f,"
      "\"plain_ms\":%.2f,\"ratio\":%.2f,\"ratio_min\":%.2f,\"ratio_max\":%.2f,"
      "\"gemm_peak_gflops\":%.1f,\"ours_gemm_gflops\":%.1f,\"fraction_of_peak\":%.2f}\n",
      length.name, dim, options.threads, 1e3 * median(ours_times), 1e3 * median(plain_times),
      median(ratios), ratios.front(), ratios.back(), peak / 1e9, flops / median(ours_times) / 1e9,
      flops / median(ours_times) / peak);
  std::fflush(stdout);
}

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const int value = std::max(1, std::atoi(argv[i + 1]));
    if (name == "--threads") options.threads = value;
    if (name == "--steps") options.steps = value;
    if (name == "--rounds") options.rounds = value;
  }
  return options;
}

}  // namespace
}  // namespace nrs

int main(int argc, char** argv) {
  const nrs::Options options = nrs::read_options(argc, argv);
  torch::set_num_threads(options.threads);
  const double peak = nrs::gemm_peak();
  for (const int dim : {64, 96}) {
    for (const nrs::Length& length :
         {nrs::Length{"7-9", 7, 9}, nrs::Length{"5-9", 5, 9}, nrs::Length{"9-25", 9, 25}}) {
      nrs::compare(dim, length, options, peak);
    }
  }
}
