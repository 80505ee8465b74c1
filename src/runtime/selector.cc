#include "runtime/selector.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/rng.h"
#include "base/threads.h"
#include "nn/fast_math.h"
#include "nn/tensor_names.h"

namespace nrs::runtime {

// A fragment with what is known of its tokens.
struct ModelSelector::Marked {
  model::Tokens tokens;
  std::vector<std::int8_t> marks;
  std::vector<float> log_probs;  // of the marks
};

// A part of a fragment that is computed as one row: the tokens [begin, end), of which those in
// [keep_begin, keep_end) are far enough from the cuts to be right.
struct ModelSelector::Piece {
  std::size_t fragment;
  std::int64_t begin, end;
  std::int64_t keep_begin, keep_end;
};

struct ModelSelector::Scratch {
  nn::EncoderScratch encoder;
  std::vector<std::int32_t> wanted;
  nn::Buffer rows;    // [wanted.size(), D]
  nn::Buffer logits;  // [wanted.size(), kMarkClasses]
};

namespace {

// Tokens that go through the network together. Fewer do not fill the matrix products, more do not
// stay in the cache.
constexpr std::int64_t kBatchTokens = 768;

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

ModelSelector::~ModelSelector() = default;

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
  std::int64_t filled = kBatchTokens;
  const auto longest = encoder_.longest();
  for (std::size_t i = 0; i < marked.size(); ++i) {
    const auto count = static_cast<std::int64_t>(marked[i].tokens.ids.size());
    if (longest && count > *longest) continue;  // no mark, no leaf: the model cannot read it
    const std::int64_t overlap = radius_.value_or(0);
    const std::int64_t step = radius_ ? std::max(kBatchTokens, 4 * overlap) : count;
    // Marks nearer to a cut than the radius are wrong, so nobody can want them.
    const std::int64_t from = fragments[i].starts ? 0 : overlap;
    const std::int64_t to = fragments[i].ends ? count : count - overlap;
    for (std::int64_t begin = from; begin < to; begin += step) {
      const std::int64_t end = std::min(begin + step, to);
      const Piece piece{i, std::max<std::int64_t>(0, begin - overlap),
                        std::min(end + overlap, count), begin, end};
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
    const auto begin = static_cast<std::size_t>(piece.begin);
    const auto size = static_cast<std::size_t>(piece.end - piece.begin);
    rows.add(std::span(tokens.ids).subspan(begin, size));
    if (config.place_values > 0) rows.add_places(std::span(tokens.places).subspan(begin, size));
    if (config.positions == nn::Positions::kLabel) {
      rows.seeds.push_back(label_seed(fragments[piece.fragment].text));
    }
  }
  const auto scratch = scratches_.borrow();
  const float* three = logits(batch, rows, *scratch);
  for (const Piece& piece : batch) {
    Marked& to = marked[piece.fragment];
    for (std::int64_t token = piece.keep_begin; token < piece.keep_end; ++token) {
      const auto at = static_cast<std::size_t>(token);
      const auto best = std::max_element(three, three + nn::kMarkClasses) - three;
      float sum = 0;
      for (int c = 0; c < nn::kMarkClasses; ++c)
        sum += nn::common::fast_exp(three[c] - three[best]);
      three += nn::kMarkClasses;
      if (to.tokens.ids[at] == nn::kPadId) continue;
      to.marks[at] = static_cast<std::int8_t>(best);
      to.log_probs[at] = -std::log(sum);
    }
  }
}

const float* ModelSelector::logits(std::span<const Piece> batch, const nn::TokenRows& rows,
                                   Scratch& scratch) const {
  scratch.wanted.clear();
  for (std::size_t row = 0; row < batch.size(); ++row) {
    const Piece& piece = batch[row];
    const std::int64_t shift = rows.packing.begin(static_cast<std::int64_t>(row)) - piece.begin;
    for (std::int64_t token = piece.keep_begin; token < piece.keep_end; ++token) {
      scratch.wanted.push_back(static_cast<std::int32_t>(token + shift));
    }
  }
  const float* x = encoder_.run(rows, scratch.wanted, scratch.encoder);
  const std::int64_t dim = model_.config.encoder.dim;
  const auto count = static_cast<std::int64_t>(scratch.wanted.size());
  float* kept = scratch.rows.get(count * dim);
  for (const std::int32_t token : scratch.wanted) kept = std::copy_n(x + token * dim, dim, kept);
  float* logits = scratch.logits.get(count * nn::kMarkClasses);
  head_.multiply(scratch.rows.data(), count, logits);
  return logits;
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

std::vector<float> ModelSelector::logits(std::string_view text) const {
  model::Tokens tokens;
  model_.tokens.read(text, model_.config.encoder.place_values > 0, tokens);
  nn::TokenRows rows;
  rows.add(tokens.ids);
  rows.places = tokens.places;
  rows.seeds.push_back(label_seed(text));
  std::vector<float> logits(tokens.ids.size() * nn::kMarkClasses);
  const auto scratch = scratches_.borrow();
  head_.multiply(encoder_.run(rows, scratch->encoder), rows.packing.tokens(), logits.data());
  return logits;
}

std::uint64_t ModelSelector::label_seed(std::string_view text) {
  return mix(hash_text(text), 1);
}

}  // namespace nrs::runtime
