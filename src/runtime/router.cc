#include "runtime/router.h"

#include <algorithm>
#include <cmath>

#include "nn/tensor_names.h"

namespace nrs::runtime {
namespace {

nn::WeightReader weights_of(const model::RouterModel& model) {
  return {model.weights, nn::kRouterPrefix};
}

// Only queries and sides have a bias.
std::vector<float> input_bias(const nn::WeightReader& attention, int dim) {
  std::vector<float> bias = attention.values("query_bias");
  bias.resize(3 * static_cast<std::size_t>(dim), 0.0F);
  const std::vector<float> sides = attention.values("side_bias");
  bias.insert(bias.end(), sides.begin(), sides.end());
  return bias;
}

// The tokens that can be part of an answer, and its end.
bool can_be_said(int id) {
  return id == model::kEndId || id > model::kOmegaId;
}

}  // namespace

ModelRouter::ModelRouter(const model::RouterModel& model)
    : model_(model),
      embedding_(weights_of(model).values("embedding"), model.config.dim),
      in_(weights_of(model).get("attention.in"),
          input_bias(weights_of(model).part("attention"), model.config.dim)),
      out_(weights_of(model).get("attention.out"), {}),
      scale_(weights_of(model).values("attention.scale")),
      feed_forward_(nn::Activation::kRelu, weights_of(model).part("feed_forward")),
      gate_(nn::Activation::kRelu, weights_of(model).part("gate")),
      norm1_(weights_of(model).part("norm1")),
      norm2_(weights_of(model).part("norm2")),
      head_(weights_of(model).matrix("head")) {}

void ModelRouter::run_layer(std::int64_t count, Scratch& scratch) const {
  const nn::Kernels& kernels = nn::best_kernels();
  const int dim = model_.config.dim;
  const nn::HeadShape shape{model_.config.heads, dim};
  float* x = scratch.x.data();
  float* in = scratch.in.get(count * in_.out());
  float* mixed = scratch.mixed.get(count * dim);
  float* a = scratch.a.get(nn::kTileRows * dim);
  float* c = scratch.c.get(nn::kTileRows * dim);
  float* gate = scratch.gate.get(nn::kTileRows * dim);
  in_.multiply(x, count, in);
  kernels.attend_nearest_match(shape, {in, count, scale_.data()},
                               scratch.room.get(nn::nearest_room(shape, count)), nullptr, mixed);
  for (std::int64_t tile = 0; tile < count; tile += nn::kTileRows) {
    const std::int64_t rows = std::min(nn::kTileRows, count - tile);
    float* to = x + tile * dim;
    std::copy_n(to, rows * dim, a);
    out_.multiply_add(mixed + tile * dim, rows, a);
    kernels.norm_rows(norm1_.weights(), a, rows, a, nullptr);
    feed_forward_.run(a, rows, scratch.hidden, /*add=*/false, c);
    kernels.norm_rows(norm2_.weights(), c, rows, c, nullptr);
    gate_.run(a, rows, scratch.hidden, /*add=*/false, gate);
    kernels.gate_rows(gate, c, rows, dim, to);
  }
}

std::int32_t ModelRouter::read(const float* column, float* logits, double& log_prob) const {
  head_.multiply(column, 1, logits);
  int best = model::kEndId;
  for (int id = 0; id < head_.out(); ++id) {
    if (can_be_said(id) && logits[id] > logits[best]) best = id;
  }
  double sum = 0;
  for (int id = 0; id < head_.out(); ++id) sum += std::exp(double{logits[id]} - logits[best]);
  log_prob -= std::log(sum);
  return best;
}

RouterAnswer ModelRouter::answer(Scratch& scratch) const {
  const nn::RouterConfig& config = model_.config;
  const std::vector<std::int32_t> ids =
      nn::router_columns(config, model_.input.size(), scratch.tokens.ids);
  const auto count = static_cast<std::int64_t>(ids.size());
  float* x = scratch.x.get(count * config.dim);
  std::fill_n(x, count * config.dim, 0.0F);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int32_t id = ids[static_cast<std::size_t>(i)];
    if (id != nn::kPadId) embedding_.add(id, x + i * config.dim);
  }
  for (int i = 0; i < config.layers_to_run(); ++i) run_layer(count, scratch);
  RouterAnswer answer;
  std::vector<std::int32_t> symbols;
  for (int i = 0; i < config.columns; ++i) {
    const auto tokens = static_cast<std::int64_t>(scratch.tokens.ids.size());
    const float* column = x + nn::answer_column(config, tokens, i) * config.dim;
    const std::int32_t symbol = read(column, scratch.logits.get(head_.out()), answer.log_prob);
    if (symbol == model::kEndId) break;
    symbols.push_back(symbol);
  }
  answer.value = model_.output.decode(symbols, nn::Direction::kLeftToRight);
  return answer;
}

RouterAnswer ModelRouter::answer(std::string_view formula) const {
  const auto scratch = scratch_.borrow();
  model_.input.read(formula, /*places=*/false, scratch->tokens);
  return answer(*scratch);
}

std::vector<Result> ModelRouter::run(std::span<const std::string_view> formulas,
                                     bool keep_rounds) const {
  std::vector<Result> results;
  const auto scratch = scratch_.borrow();
  for (const std::string_view formula : formulas) {
    Result& result = results.emplace_back();
    result.formula = formula;
    model_.input.read(formula, /*places=*/false, scratch->tokens);
    if (scratch->tokens.ids.size() > kMostTokens) continue;
    RouterAnswer answer = this->answer(*scratch);
    result.stop = answer.value.empty() ? Stop::kMalformed : Stop::kFinal;
    if (answer.value.empty()) continue;
    result.steps = result.rounds = 1;
    if (keep_rounds) {
      result.record.push_back({Attempt{.step = {{0, formula.size()}, answer.value},
                                       .solver_log_prob = answer.log_prob,
                                       .applied = true}});
    }
    result.formula = std::move(answer.value);
  }
  return results;
}

}  // namespace nrs::runtime
