#include "runtime/router.h"

#include <algorithm>
#include <cmath>

#include "nn/tensor_names.h"

namespace nrs::runtime {
namespace {

nn::WeightReader weights_of(const model::RouterModel& model) {
  return {model.weights, nn::kRouterPrefix};
}

nn::Weights zeros(std::uint64_t count) {
  return {{count}, std::vector<float>(count, 0.0F)};
}

// Only queries and sides have a bias.
nn::Weights input_bias(const nn::WeightReader& attention, int dim) {
  std::vector<float> bias = attention.values("query_bias");
  bias.resize(3 * static_cast<std::size_t>(dim), 0.0F);
  const std::vector<float> sides = attention.values("side_bias");
  bias.insert(bias.end(), sides.begin(), sides.end());
  const std::uint64_t count = bias.size();
  return {{count}, std::move(bias)};
}

nn::EncoderConfig relu() {
  return {.activation = nn::Activation::kRelu};
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
      out_(weights_of(model).get("attention.out"),
           zeros(static_cast<std::uint64_t>(model.config.dim))),
      scale_(weights_of(model).values("attention.scale")),
      feed_forward_(relu(), weights_of(model).part("feed_forward")),
      gate_(relu(), weights_of(model).part("gate")),
      norm1_(weights_of(model).part("norm1")),
      norm2_(weights_of(model).part("norm2")),
      head_(weights_of(model).matrix("head")) {}

void ModelRouter::run_layer(std::int64_t count, Scratch& scratch) const {
  const nn::Kernels& kernels = nn::best_kernels();
  const int dim = model_.config.dim;
  const nn::HeadShape shape{model_.config.heads, dim};
  float *x = scratch.x.data(), *in = scratch.in.data();
  float *mixed = scratch.mixed.data(), *a = scratch.a.data(), *c = scratch.c.data();
  float *hidden = scratch.hidden.data(), *gate = scratch.gate.data();
  in_.multiply(x, count, in);
  kernels.attend_nearest_match(shape, {in, count, scale_.data()}, scratch.room.data(), nullptr,
                               mixed);
  for (std::int64_t tile = 0; tile < count; tile += nn::kTileRows) {
    const std::int64_t rows = std::min(nn::kTileRows, count - tile);
    float* to = x + tile * dim;
    std::copy_n(to, rows * dim, a);
    out_.multiply_add(mixed + tile * dim, rows, a);
    kernels.norm_rows(norm1_.weights(), a, rows, a, nullptr);
    feed_forward_.run(a, rows, hidden, /*add=*/false, c);
    kernels.norm_rows(norm2_.weights(), c, rows, c, nullptr);
    gate_.run(a, rows, hidden, /*add=*/false, gate);
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
  scratch.in.get(count * in_.out());
  scratch.mixed.get(count * config.dim);
  scratch.room.get(nn::nearest_room({config.heads, config.dim}, count));
  for (nn::Buffer* tile : {&scratch.a, &scratch.c, &scratch.gate}) {
    tile->get(nn::kTileRows * config.dim);
  }
  scratch.hidden.get(nn::kTileRows * std::max(feed_forward_.hidden(), gate_.hidden()));
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

Result ModelRouter::result(std::string_view formula, bool keep_rounds) const {
  const auto scratch = scratch_.borrow();
  model_.input.read(formula, /*places=*/false, scratch->tokens);
  Result result;
  result.formula = formula;
  if (scratch->tokens.ids.size() > kMostTokens) return result;
  RouterAnswer answer = this->answer(*scratch);
  if (answer.value.empty()) {
    result.stop = Stop::kMalformed;
    return result;
  }
  result.stop = Stop::kFinal;
  result.steps = result.rounds = 1;
  if (keep_rounds) {
    result.record.push_back({Attempt{.step = {{0, formula.size()}, answer.value},
                                     .solver_log_prob = answer.log_prob,
                                     .applied = true}});
  }
  result.formula = std::move(answer.value);
  return result;
}

std::vector<Result> ModelRouter::run(std::span<const std::string_view> formulas,
                                     bool keep_rounds) const {
  std::vector<Result> results;
  for (const std::string_view formula : formulas) results.push_back(result(formula, keep_rounds));
  return results;
}

}  // namespace nrs::runtime
