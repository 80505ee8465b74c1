#pragma once
// The NRS's Selector with the weights of a model: writes the last leaf of a formula.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/networks.h"
#include "nrs/modules.h"
#include "runtime/pool.h"
#include "runtime/seq2seq.h"

namespace nrs::runtime {

struct LeafWriterOptions {
  // Outputs that are drawn for each formula (the paper's M); 0: one, of the likeliest symbols.
  int samples = 0;
  // Outputs that are drawn where the one of the likeliest symbols is not in the formula; 0: none.
  int retry = 100;
  // Formulas of this many tokens or more are read in windows; 0: never; unset: as the model says.
  std::optional<int> window_threshold = std::nullopt;
  std::uint64_t seed = 0;  // of what is drawn
  int threads = 1;         // for one call of write()
};

// Law: the candidates of a formula depend on the formula, the model and the options without the
// threads only: not on the batch or the steps that led to it.
class ModelLeafWriter : public LeafWriter {
 public:
  // Windows over the end of a long formula, from a twentieth of it to all of it, and as many label
  // sets where positions are random. The samples are shared out among them.
  static constexpr int kViews = 20;

  // `model` must outlive this, write last leaves and have passed check_model().
  explicit ModelLeafWriter(const model::SelectorModel& model, LeafWriterOptions options = {});
  ModelLeafWriter(model::SelectorModel&&, LeafWriterOptions = {}) = delete;
  ~ModelLeafWriter() override;

  std::unique_ptr<Draft> begin(std::string_view formula) const override;
  std::vector<std::vector<LeafCandidate>> write(std::span<Draft* const> drafts) const override;

  // From which the labels of label positions are drawn, for a view of a formula.
  std::uint64_t label_seed(std::string_view formula, int view) const;
  // For tests and benchmarks.
  const Seq2Seq& network() const { return network_; }

 private:
  // Drafts that are answered together, and how far they have come.
  struct Chunk;

  bool reads_windows(std::size_t tokens) const;
  void add_views(std::size_t number, Chunk& chunk) const;
  void add_draft(std::size_t number, Chunk& chunk) const;
  void write_chunk(std::span<Draft* const> drafts,
                   std::span<std::vector<LeafCandidate>> candidates) const;
  void answer(const Chunk& chunk, std::span<std::vector<LeafCandidate>> candidates,
              Seq2Seq::Scratch& scratch) const;
  LeafCandidate match(const std::string& formula, const model::Tokens& tokens,
                      const Output& output) const;

  const model::SelectorModel& model_;
  nn::SolverConfig config_;
  LeafWriterOptions options_;
  Seq2Seq network_;
  std::optional<std::int64_t> radius_;  // in characters; unset: everything is read each time
  int window_threshold_;                // 0: never
  std::vector<std::int32_t> input_of_;  // [output vocabulary] the same token in the input, or -1
  std::size_t drafts_at_once_;
  mutable Pool<Seq2Seq::Scratch> scratches_;
};

}  // namespace nrs::runtime
