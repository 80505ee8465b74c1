#pragma once
// A Neural Data Router from a model file: reads a whole formula and gives its value, at a cost that
// grows with the square of the formula's length.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/networks.h"
#include "nn/layers.h"
#include "nrs/rewriter.h"
#include "runtime/pool.h"

namespace nrs::runtime {

struct RouterAnswer {
  std::string value;    // empty: it answered nothing at all
  double log_prob = 0;  // of all symbols of the answer, its end included
};

// Const and thread-safe.
class ModelRouter {
 public:
  // A longer formula is not read: it would take minutes.
  static constexpr std::size_t kMostTokens = 8192;

  // `model` must outlive this, and have passed check_model().
  explicit ModelRouter(const model::RouterModel& model);

  // The formula has at most kMostTokens tokens. A token that the model does not know is a vector of
  // zeros.
  RouterAnswer answer(std::string_view formula) const;
  // Each answer as one step from the formula to its value. Never throws for what the model
  // predicts: an empty answer is malformed, a formula that is too long at the step limit.
  std::vector<Result> run(std::span<const std::string_view> formulas, bool keep_rounds) const;

 private:
  struct Scratch {
    model::Tokens tokens;
    nn::Buffer x, in, room, mixed, a, c, hidden, gate, logits;
  };

  RouterAnswer answer(Scratch& scratch) const;
  void run_layer(std::int64_t count, Scratch& scratch) const;
  // The answer's next symbol, and its log-probability.
  std::int32_t read(const float* column, float* logits, double& log_prob) const;

  const model::RouterModel& model_;
  nn::Table embedding_;
  nn::LayerMatrix in_, out_;
  std::vector<float> scale_;  // [3]
  nn::FeedForward feed_forward_, gate_;
  nn::LayerNorm norm1_, norm2_;
  nn::LayerMatrix head_;
  mutable Pool<Scratch> scratch_;
};

}  // namespace nrs::runtime
