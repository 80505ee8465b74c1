#include "runtime/selector.h"

#include <algorithm>
#include <cmath>

#include "base/rng.h"
#include "base/threads.h"
#include "nn/fast_math.h"
#include "nn/tensor_names.h"

namespace nrs::runtime {

namespace {

// Tokens that go through the network together. Fewer do not fill the matrix products, more do not
// stay in the cache.
constexpr std::size_t kBatchTokens = 768;

}  // namespace

ModelSelector::ModelSelector(const model::SelectorModel& model, SelectorOptions options)
    : model_(model),
      options_(options),
      leaf_rules_(model.config.leaf_rules),
      encoder_(model.config.encoder,
               nn::WeightReader(model.weights, nn::kSelectorPrefix).part("encoder")),
      head_(nn::WeightReader(model.weights, nn::kSelectorPrefix).matrix("head")),
      radius_(nn::character_radius(model.config.encoder, model_.tokens.by_byte())),
      reach_(radius_ && leaf_rules_.rules().empty() ? static_cast<std::size_t>(*radius_ + 1)
                                                    : kUnbounded) {}

std::vector<std::vector<SelectedLeaf>> ModelSelector::select(
    std::span<const Fragment> fragments) const {
  std::vector<Marked> marked(fragments.size());
  for (std::size_t i = 0; i < fragments.size(); ++i) {
    model_.tokens.read(fragments[i].text, model_.config.encoder.place_values > 0, marked[i].tokens);
    marked[i].marks.assign(marked[i].tokens.ids.size(), nn::kOutside);
    marked[i].log_probs.assign(marked[i].tokens.ids.size(), 0.0F);
  }
  const std::vector<std::vector<Piece>> batches = cut(fragments, marked);
  parallel_for(batches.size(), options_.threads,
               [&](std::size_t i) { mark(batches[i], fragments, marked); });
  std::vector<std::vector<SelectedLeaf>> leaves(fragments.size());
  for (std::size_t i = 0; i < fragments.size(); ++i) {
    leaves[i] = leaves_of(fragments[i].text, marked[i]);
  }
  return leaves;
}

// Into batches of about kBatchTokens. Long fragments are cut where that changes nothing, so that
// memory does not grow with their length.
std::vector<std::vector<ModelSelector::Piece>> ModelSelector::cut(
    std::span<const Fragment> fragments, std::span<const Marked> marked) const {
  std::vector<std::vector<Piece>> batches;
  std::size_t filled = kBatchTokens;
  const auto longest = static_cast<std::size_t>(encoder_.longest().value_or(INT64_MAX));
  for (std::size_t i = 0; i < marked.size(); ++i) {
    const std::size_t count = marked[i].tokens.ids.size();
    if (count > longest) continue;  // no mark, no leaf: the model cannot read it
    const auto overlap = static_cast<std::size_t>(radius_.value_or(0));
    const std::size_t step = radius_ ? std::max(kBatchTokens, 4 * overlap) : count;
    // Marks nearer to a cut than the radius are wrong, so nobody can want them.
    const std::size_t from = fragments[i].starts ? 0 : overlap;
    const std::size_t to = fragments[i].ends ? count : count - std::min(count, overlap);
    for (std::size_t begin = from; begin < to; begin += step) {
      const std::size_t end = std::min(begin + step, to);
      const Piece piece{i, begin - std::min(begin, overlap), std::min(end + overlap, count), begin,
                        end};
      if (filled + (piece.end - piece.begin) > kBatchTokens) {
        batches.emplace_back();
        filled = 0;
      }
      batches.back().push_back(piece);
      filled += piece.end - piece.begin;
    }
  }
  return batches;
}

void ModelSelector::mark(std::span<const Piece> batch, std::span<const Fragment> fragments,
                         std::span<Marked> marked) const {
  const nn::EncoderConfig& config = model_.config.encoder;
  nn::TokenRows rows;
  for (const Piece& piece : batch) {
    const model::Tokens& tokens = marked[piece.fragment].tokens;
    const std::size_t size = piece.end - piece.begin;
    rows.add(std::span(tokens.ids).subspan(piece.begin, size), piece.keep_begin - piece.begin,
             piece.keep_end - piece.begin);
    if (config.place_values > 0) {
      rows.add_places(std::span(tokens.places).subspan(piece.begin, size));
    }
    if (config.positions == nn::Positions::kLabel) {
      rows.seeds.push_back(label_seed(fragments[piece.fragment].text));
    }
  }
  const auto scratch = scratches_.borrow();
  const float* x = encoder_.run(rows, scratch->encoder);
  float* logits = scratch->logits.get(rows.packing.tokens() * nn::kMarkClasses);
  for (std::size_t row = 0; row < batch.size(); ++row) {
    const Piece& piece = batch[row];
    const auto first = rows.packing.begin(static_cast<std::int64_t>(row)) +
                       static_cast<std::int64_t>(piece.keep_begin - piece.begin);
    const auto count = static_cast<std::int64_t>(piece.keep_end - piece.keep_begin);
    head_.multiply(x + first * config.dim, count, logits);
    mark(piece, logits, marked[piece.fragment]);
  }
}

// Each token that is kept has its likeliest mark.
void ModelSelector::mark(const Piece& piece, const float* logits, Marked& to) {
  for (std::size_t token = piece.keep_begin; token < piece.keep_end; ++token) {
    const auto best = std::max_element(logits, logits + nn::kMarkClasses) - logits;
    float sum = 0;
    for (int c = 0; c < nn::kMarkClasses; ++c) {
      sum += nn::common::fast_exp(logits[c] - logits[best]);
    }
    logits += nn::kMarkClasses;
    if (to.tokens.ids[token] == nn::kPadId) continue;
    to.marks[token] = static_cast<std::int8_t>(best);
    to.log_probs[token] = -std::log(sum);
  }
}

// Whether a leaf begins at this token, or goes on. With two classes whatever is not outside does.
bool ModelSelector::in_leaf(const Marked& marked, std::size_t token, bool first) const {
  const std::int8_t mark = marked.marks[token];
  if (model_.config.marks == nn::Marks::kInside) return mark != nn::kOutside;
  return mark == (first ? nn::kBegin : nn::kInsideAfterBegin);
}

std::vector<SelectedLeaf> ModelSelector::leaves_of(std::string_view text,
                                                   const Marked& marked) const {
  std::vector<SelectedLeaf> leaves;
  const std::size_t count = marked.marks.size();
  for (std::size_t token = 0; token < count;) {
    const std::size_t first = token++;
    if (!in_leaf(marked, first, /*first=*/true)) continue;
    while (token < count && in_leaf(marked, token, /*first=*/false)) ++token;
    add_run(text, marked, {first, token}, leaves);
  }
  return leaves;
}

// As the paper's program does: what is not in a leaf that the rules know is passed over only if
// there are two such leaves.
void ModelSelector::add_run(std::string_view text, const Marked& marked, TokenRange run,
                            std::vector<SelectedLeaf>& leaves) const {
  if (leaf_rules_.rules().empty()) return add_leaf(marked, run, leaves);
  const Span whole = marked.tokens.span(run.begin, run.end);
  const std::vector<Span> found = leaf_rules_.matches(whole.of(text));
  if (found.size() < 2) return add_leaf(marked, run, leaves);
  std::size_t token = run.begin;
  for (const Span& leaf : found) {
    while (token < run.end && marked.tokens.span(token).begin < whole.begin + leaf.begin) ++token;
    const std::size_t first = token;
    while (token < run.end && marked.tokens.span(token).end <= whole.begin + leaf.end) ++token;
    if (token > first) add_leaf(marked, {first, token}, leaves);
  }
}

void ModelSelector::add_leaf(const Marked& marked, TokenRange leaf,
                             std::vector<SelectedLeaf>& leaves) const {
  const Span span = marked.tokens.span(leaf.begin, leaf.end);
  if (reach_ != kUnbounded && span.size() > reach_) return;
  double log_prob = marked.log_probs[leaf.begin];
  for (std::size_t i = leaf.begin + 1; i < leaf.end; ++i) log_prob += marked.log_probs[i];
  leaves.push_back({span, log_prob});
}

std::uint64_t ModelSelector::label_seed(std::string_view text) {
  return mix(hash_text(text), 1);
}

}  // namespace nrs::runtime
