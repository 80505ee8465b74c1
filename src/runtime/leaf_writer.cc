#include "runtime/leaf_writer.h"

#include <algorithm>
#include <deque>
#include <map>

#include "base/rng.h"
#include "base/threads.h"
#include "nn/tensor_names.h"
#include "runtime/combiner.h"

namespace nrs::runtime {

// A formula that is being rewritten, with the rows that the decoder attends to. After a step only
// the neighbourhood of the change has to be read again. Law: where `radius` is given, what is read
// of a character depends on nothing further away than that. Then rows that are kept are those that
// reading everything again would give.
class LeafDraft : public LeafWriter::Draft {
 public:
  // Without a radius nothing is kept, and tokens need not be characters.
  LeafDraft(std::string_view formula, TextRows no_rows, std::optional<std::int64_t> radius)
      : text_(formula), radius_(radius), rows_(std::move(no_rows)), unread_{0, text_.size()} {}

  const std::string& formula() const override { return text_; }
  void replace(Span span, std::string_view value) override;

  // The characters that have no rows yet; their rows belong at the gap.
  Span unread() const { return unread_; }
  TextRows& rows() { return rows_; }
  void set_read() { unread_ = {}; }

 private:
  std::string text_;
  std::optional<std::int64_t> radius_;
  TextRows rows_;
  Span unread_;
};

void LeafDraft::replace(Span span, std::string_view value) {
  const bool keep = radius_ && unread_.size() == 0;
  const auto radius = static_cast<std::size_t>(radius_.value_or(0));
  const std::size_t size = text_.size();
  // The characters whose rows go.
  const std::size_t begin = keep ? span.begin - std::min(span.begin, radius) : 0;
  const std::size_t end = keep ? std::min(size, span.end + radius) : size;
  for (GapRows& rows : rows_) {
    rows.cut(static_cast<std::int64_t>(begin), keep ? static_cast<std::int64_t>(end) : rows.size());
  }
  text_.replace(span.begin, span.size(), value);
  unread_ = {begin, end - span.size() + value.size()};
}

struct ModelLeafWriter::Chunk {
  std::vector<LeafDraft*> drafts;
  std::vector<model::Tokens> tokens;  // of each draft; empty if they are not needed
  std::vector<Passage> passages;
  std::vector<Reading> readings;
  std::deque<TextRows> views;  // their rows
};

namespace {

// Drafts that are answered together, if their samples cannot take more memory than this.
constexpr std::size_t kBatchDrafts = 64;
constexpr std::size_t kMostBytes = std::size_t{1} << 28;

bool better(const LeafCandidate& a, const LeafCandidate& b) {
  if (a.agreement != b.agreement) return a.agreement > b.agreement;
  if (a.log_prob != b.log_prob) return a.log_prob > b.log_prob;
  return a.text < b.text;
}

// What several samples or views have written is one output, as sure as the surest of them.
std::vector<Output> merged(std::vector<Output> outputs) {
  std::map<std::pair<std::size_t, std::vector<std::int32_t>>, Output> distinct;
  for (Output& output : outputs) {
    const auto [place, added] = distinct.try_emplace({output.text, output.symbols}, output);
    if (added) continue;
    place->second.log_prob = std::max(place->second.log_prob, output.log_prob);
    place->second.samples += output.samples;
  }
  outputs.clear();
  for (auto& entry : distinct) outputs.push_back(std::move(entry.second));
  return outputs;
}

bool is_there(const std::vector<LeafCandidate>& candidates) {
  return !candidates.empty() && candidates.front().agreement >= 1;
}

}  // namespace

ModelLeafWriter::ModelLeafWriter(const model::SelectorModel& model, LeafWriterOptions options)
    : model_(model),
      config_(nn::writer_network(model.config)),
      options_(options),
      network_(config_, {model.weights, nn::kSelectorPrefix}),
      radius_(config_.cross == nn::Cross::kLastMatch
                  ? nn::character_radius(config_.encoder, model_.tokens.by_byte())
                  : std::nullopt),
      window_threshold_(options.window_threshold.value_or(model.window_threshold)),
      input_of_(static_cast<std::size_t>(model.output.size()), -1),
      drafts_at_once_(network_.texts_at_once(kBatchDrafts, kMostBytes, options.samples)) {
  for (const std::string& token : model.output.tokens()) {
    input_of_[static_cast<std::size_t>(model.output.id(token))] = model.tokens.id(token);
  }
}

ModelLeafWriter::~ModelLeafWriter() = default;

std::unique_ptr<LeafWriter::Draft> ModelLeafWriter::begin(std::string_view formula) const {
  return std::make_unique<LeafDraft>(formula, network_.no_rows(), radius_);
}

std::uint64_t ModelLeafWriter::label_seed(std::string_view formula, int view) const {
  return mix(mix(hash_text(formula), options_.seed), static_cast<std::uint64_t>(view));
}

std::vector<std::vector<LeafCandidate>> ModelLeafWriter::write(
    std::span<Draft* const> drafts) const {
  std::vector<std::vector<LeafCandidate>> candidates(drafts.size());
  const auto write_some = [&](std::size_t begin, std::size_t count) {
    write_chunk(drafts.subspan(begin, count), std::span(candidates).subspan(begin, count));
  };
  parallel_pieces(drafts.size(), drafts_at_once_, options_.threads, write_some);
  return candidates;
}

bool ModelLeafWriter::reads_windows(std::size_t tokens) const {
  return window_threshold_ > 0 && tokens >= static_cast<std::size_t>(window_threshold_);
}

// Several views of one formula, each read anew: the samples are shared out among them.
void ModelLeafWriter::add_views(std::size_t number, Chunk& chunk) const {
  const model::Tokens& tokens = chunk.tokens[number];
  const std::size_t size = tokens.ids.size();
  if (size > static_cast<std::size_t>(network_.encoder().longest().value_or(INT64_MAX))) return;
  const bool windows = reads_windows(size);
  const bool labels = config_.encoder.positions == nn::Positions::kLabel && options_.samples > 0;
  const int most = options_.samples > 0 ? std::min(kViews, options_.samples) : kViews;
  const int views = windows || labels ? most : 1;
  for (int view = 0; view < views; ++view) {
    const auto dropped =
        windows ? static_cast<std::ptrdiff_t>(size) * view / kViews : std::ptrdiff_t{0};
    const auto tail = [&](const std::vector<std::int32_t>& all) {
      return all.empty() ? all : std::vector(all.begin() + dropped, all.end());
    };
    TextRows& rows = chunk.views.emplace_back(network_.no_rows());
    const std::uint64_t seed = label_seed(chunk.drafts[number]->formula(), view);
    chunk.passages.push_back({.ids = tail(tokens.ids),
                              .places = tail(tokens.places),
                              .keep_end = size - static_cast<std::size_t>(dropped),
                              .label_seed = seed,
                              .rows = &rows});
    chunk.readings.push_back({.text = number,
                              .samples = (options_.samples + views - 1 - view) / views,
                              .seed = seed,
                              .rows = &rows});
  }
}

// A draft that keeps its rows: only what is new is read, in passages that see one radius more.
void ModelLeafWriter::add_draft(std::size_t number, Chunk& chunk) const {
  LeafDraft& draft = *chunk.drafts[number];
  const auto radius = static_cast<std::size_t>(*radius_);
  const std::string_view text = draft.formula();
  const std::size_t step = std::max(Seq2Seq::kBatchTokens, 4 * radius);
  model::Tokens tokens;
  for (std::size_t begin = draft.unread().begin; begin < draft.unread().end; begin += step) {
    const std::size_t end = std::min(begin + step, draft.unread().end);
    const std::size_t from = begin - std::min(begin, radius);
    const std::size_t to = std::min(text.size(), end + radius);
    model_.tokens.read(text.substr(from, to - from), config_.encoder.place_values > 0, tokens);
    chunk.passages.push_back({.ids = tokens.ids,
                              .places = tokens.places,
                              .keep_begin = begin - from,
                              .keep_end = end - from,
                              .rows = &draft.rows()});
  }
  draft.set_read();
  chunk.readings.push_back({.text = number,
                            .samples = options_.samples,
                            .seed = label_seed(text, 0),
                            .rows = &draft.rows()});
}

void ModelLeafWriter::write_chunk(std::span<Draft* const> drafts,
                                  std::span<std::vector<LeafCandidate>> candidates) const {
  Chunk chunk;
  chunk.tokens.resize(drafts.size());
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    chunk.drafts.push_back(&static_cast<LeafDraft&>(*drafts[i]));
    const std::string& formula = drafts[i]->formula();
    if (radius_ && !reads_windows(formula.size())) {
      add_draft(i, chunk);
      continue;
    }
    model_.tokens.read(formula, config_.encoder.place_values > 0, chunk.tokens[i]);
    add_views(i, chunk);
  }
  const auto scratch = scratches_.borrow();
  network_.read(chunk.passages, *scratch);
  answer(chunk, candidates, *scratch);
  if (options_.samples > 0 || options_.retry == 0) return;
  std::erase_if(chunk.readings, [&](const Reading& one) { return is_there(candidates[one.text]); });
  for (Reading& reading : chunk.readings) {
    reading.samples = options_.retry;
    candidates[reading.text].clear();
  }
  answer(chunk, candidates, *scratch);
}

void ModelLeafWriter::answer(const Chunk& chunk, std::span<std::vector<LeafCandidate>> candidates,
                             Seq2Seq::Scratch& scratch) const {
  for (const Output& output : merged(network_.write(chunk.readings, scratch))) {
    candidates[output.text].push_back(
        match(chunk.drafts[output.text]->formula(), chunk.tokens[output.text], output));
  }
  for (std::vector<LeafCandidate>& one : candidates) std::ranges::sort(one, better);
}

LeafCandidate ModelLeafWriter::match(const std::string& formula, const model::Tokens& tokens,
                                     const Output& output) const {
  LeafCandidate candidate;
  candidate.text = model_.output.decode(output.symbols, config_.decoder.direction);
  candidate.log_prob = output.log_prob;
  candidate.samples = output.samples;
  if (model_.tokens.by_byte()) {
    const Match found = best_match<char>(formula, candidate.text);
    candidate.agreement = found.agreement;
    candidate.place = {found.position,
                       std::min(formula.size(), found.position + candidate.text.size())};
    return candidate;
  }
  std::vector<std::int32_t> leaf;
  for (const std::int32_t symbol : output.symbols) {
    leaf.push_back(input_of_[static_cast<std::size_t>(symbol)]);
  }
  if (config_.decoder.direction == nn::Direction::kRightToLeft) std::ranges::reverse(leaf);
  const Match found = best_match<std::int32_t>(tokens.ids, leaf);
  candidate.agreement = found.agreement;
  const std::size_t end = std::min(found.position + leaf.size(), tokens.ids.size());
  if (end > found.position) {
    candidate.place = tokens.span(found.position, end);
  }
  return candidate;
}

}  // namespace nrs::runtime
