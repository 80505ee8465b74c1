#include "runtime/solver.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "base/rng.h"
#include "base/threads.h"
#include "nn/tensor_names.h"
#include "runtime/sampling.h"

namespace nrs::runtime {
namespace {

// Leaves that are solved together: enough to fill the matrix products, few enough for the caches,
// and fewer if a model could write so much that remembering it would take more than kMostMemory.
constexpr std::size_t kBatchLeaves = 96;
constexpr std::size_t kMostMemory = std::size_t{1} << 26;
std::size_t batch_leaves(const nn::Decoder& decoder) {
  return std::clamp(kMostMemory / decoder.memory_of_one(), std::size_t{1}, kBatchLeaves);
}

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

struct ModelSolver::Scratch {
  model::Tokens tokens;
  nn::EncoderScratch encoder;
  nn::DecoderState decoder;
};

ModelSolver::ModelSolver(const model::SolverModel& model, SolverOptions options)
    : model_(model),
      options_(options),
      encoder_(model.config.encoder,
               nn::WeightReader(model.weights, std::string(nn::kSolverPrefix) + "encoder.")),
      decoder_(model.config, nn::WeightReader(model.weights, std::string(nn::kSolverPrefix)),
               encoder_.embedding()),
      batch_leaves_(batch_leaves(decoder_)),
      table_(options.remembered) {}

ModelSolver::~ModelSolver() = default;

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
  const std::size_t batches = (distinct.size() + batch_leaves_ - 1) / batch_leaves_;
  parallel_for(batches, options_.threads, [&](std::size_t batch) {
    const std::size_t begin = batch * batch_leaves_;
    const std::size_t count = std::min(batch_leaves_, distinct.size() - begin);
    solve_batch(std::span(distinct).subspan(begin, count), std::span(solved).subspan(begin, count));
  });
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
  nn::TokenRows rows;
  std::vector<nn::Written> writing;
  std::vector<std::size_t> leaf_of;  // [rows]
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    model_.input.read(leaves[i], config.place_values > 0, scratch->tokens);
    const std::vector<std::int32_t>& ids = scratch->tokens.ids;
    const auto longest = static_cast<std::size_t>(encoder_.longest().value_or(INT64_MAX));
    solutions[i] = unanswered();
    if (ids.empty() || ids.size() > longest || std::ranges::count(ids, nn::kPadId) > 0) continue;
    rows.add(ids);
    if (config.place_values > 0) rows.add_places(scratch->tokens.places);
    if (config.positions == nn::Positions::kLabel) {
      rows.seeds.push_back(label_seed(leaves[i]));
    }
    writing.push_back({static_cast<std::int32_t>(leaf_of.size()), model::kStartId});
    leaf_of.push_back(i);
  }
  if (writing.empty()) return;
  decoder_.begin(encoder_.run(rows, scratch->encoder), rows.packing, scratch->decoder);
  std::vector<std::vector<std::int32_t>> symbols(leaf_of.size());
  std::vector<double> log_probs(leaf_of.size());
  for (int step = 0; step < decoder_.max_length() && !writing.empty(); ++step) {
    const float* logits = decoder_.next(writing, step, scratch->decoder);
    std::size_t kept = 0;
    for (const nn::Written& row : writing) {
      const auto number = static_cast<std::size_t>(row.leaf);
      const Branch best = likeliest(logits, decoder_.vocabulary());
      logits += decoder_.vocabulary();
      log_probs[number] += best.log_prob;
      if (best.symbol != model::kEndId) {
        symbols[number].push_back(best.symbol);
        writing[kept++] = {row.leaf, best.symbol};
        continue;
      }
      Solution& solution = solutions[leaf_of[number]];
      solution = read_symbols(model_.output, symbols[number], model_.config.decoder.direction);
      solution.log_prob += log_probs[number];
    }
    writing.resize(kept);
  }
}

}  // namespace nrs::runtime
