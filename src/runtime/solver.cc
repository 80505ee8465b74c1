#include "runtime/solver.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "base/rng.h"
#include "base/threads.h"
#include "nn/tensor_names.h"

namespace nrs::runtime {
namespace {

// Leaves that are solved together: enough to fill the matrix products, few enough for the caches,
// and fewer if a model could write so much that remembering it would take more than kMostMemory.
constexpr std::size_t kBatchLeaves = 96;
constexpr std::size_t kMostMemory = std::size_t{1} << 26;

Solution unanswered() {
  return {.value = {}, .omega = false, .log_prob = -std::numeric_limits<double>::infinity()};
}

// What was written up to the end symbol, which is left out.
Solution read_symbols(const model::Tokenizer& output, std::span<const std::int32_t> symbols,
                      nn::Direction direction) {
  if (symbols.size() == 1 && symbols[0] == model::kOmegaId) return {.value = {}, .omega = true};
  if (std::ranges::any_of(symbols, [](std::int32_t symbol) { return symbol <= model::kOmegaId; })) {
    return unanswered();
  }
  return {.value = output.decode(symbols, direction)};
}

}  // namespace

ModelSolver::ModelSolver(const model::SolverModel& model, SolverOptions options)
    : model_(model),
      options_(options),
      network_(model.config, {model.weights, nn::kSolverPrefix}),
      batch_leaves_(network_.texts_at_once(kBatchLeaves, kMostMemory, 1)),
      table_(options.remembered) {}

std::uint64_t ModelSolver::label_seed(std::string_view leaf) {
  return mix(hash_text(leaf), 2);
}

std::vector<Solution> ModelSolver::solve(std::span<const std::string_view> leaves) const {
  std::vector<Solution> solutions(leaves.size());
  // Equal leaves are solved once: `source` is the number of a leaf among the distinct new ones.
  std::unordered_map<std::string_view, std::size_t> source;
  std::vector<std::string_view> distinct;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (source.contains(leaves[i])) continue;
    if (model_.guard && !model_.guard->accepts(leaves[i])) {
      solutions[i] = unanswered();
      solutions[i].known = false;
      continue;
    }
    if (std::optional<Solution> known = table_.find(leaves[i])) {
      solutions[i] = std::move(*known);
    } else {
      source.emplace(leaves[i], distinct.size());
      distinct.push_back(leaves[i]);
    }
  }
  std::vector<Solution> solved(distinct.size());
  const auto solve_some = [&](std::size_t begin, std::size_t count) {
    solve_batch(std::span(distinct).subspan(begin, count), std::span(solved).subspan(begin, count));
  };
  parallel_pieces(distinct.size(), batch_leaves_, options_.threads, solve_some);
  for (std::size_t i = 0; i < distinct.size(); ++i) table_.add(distinct[i], solved[i]);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (const auto it = source.find(leaves[i]); it != source.end())
      solutions[i] = solved[it->second];
  }
  return solutions;
}

void ModelSolver::solve_batch(std::span<const std::string_view> leaves,
                              std::span<Solution> solutions) const {
  const nn::EncoderConfig& config = model_.config.encoder;
  const auto scratch = scratches_.borrow();
  const auto longest = static_cast<std::size_t>(network_.encoder().longest().value_or(INT64_MAX));
  std::vector<TextRows> rows(leaves.size());
  std::vector<Passage> passages;
  std::vector<Reading> readings;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    model_.input.read(leaves[i], config.place_values > 0, scratch->tokens);
    const std::vector<std::int32_t>& ids = scratch->tokens.ids;
    solutions[i] = unanswered();
    if (ids.empty() || ids.size() > longest || std::ranges::count(ids, nn::kPadId) > 0) continue;
    rows[i] = network_.no_rows();
    passages.push_back({.ids = ids,
                        .places = scratch->tokens.places,
                        .keep_end = ids.size(),
                        .label_seed = label_seed(leaves[i]),
                        .rows = &rows[i]});
    readings.push_back({.text = i, .omega = true, .rows = &rows[i]});
  }
  if (readings.empty()) return;
  network_.read(passages, scratch->network);
  for (const Output& output : network_.write(readings, scratch->network)) {
    Solution& solution = solutions[output.text];
    solution = read_symbols(model_.output, output.symbols, model_.config.decoder.direction);
    solution.log_prob += output.log_prob;
  }
}

}  // namespace nrs::runtime
