#pragma once
// A Selector with the weights of a model.
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/networks.h"
#include "nn/encoder.h"
#include "nrs/modules.h"
#include "runtime/pool.h"

namespace nrs::runtime {

struct SelectorOptions {
  int threads = 1;  // for one call of select()
};

// Marks every token with its likeliest mark and reads the leaves off the marks. A token that the
// model does not know is part of no leaf. Law: the same fragment has the same leaves, to the bit,
// whatever is asked beside it; and where reach() is bounded, whatever it is cut from, but for
// what is near a cut.
class ModelSelector : public Selector {
 public:
  // `model` must outlive this and have passed check_model().
  explicit ModelSelector(const model::SelectorModel& model, SelectorOptions options = {});
  ModelSelector(model::SelectorModel&&, SelectorOptions = {}) = delete;

  std::vector<std::vector<SelectedLeaf>> select(std::span<const Fragment> fragments) const override;

  // One more than the receptive radius: where a leaf ends is told by the mark behind it. A longer
  // span is no leaf, for where it begins its end cannot be seen. Unbounded if positions are
  // absolute, attention is not windowed, tokens are longer than a byte or rules tell leaves apart,
  // which look at all tokens between two that are outside.
  std::size_t reach() const override { return reach_; }

  // From which the labels of label positions are drawn: the same formula has the same labels.
  static std::uint64_t label_seed(std::string_view text);
  // The network, for tests and benchmarks.
  const nn::Encoder& encoder() const { return encoder_; }
  const nn::LayerMatrix& head() const { return head_; }

 private:
  // A fragment with what is known of its tokens.
  struct Marked {
    model::Tokens tokens;
    std::vector<std::int8_t> marks;
    std::vector<float> log_probs;  // of the marks
  };
  // A part of a fragment that is computed as one row: the tokens [begin, end), of which those in
  // [keep_begin, keep_end) are far enough from the cuts to be right.
  struct Piece {
    std::size_t fragment;
    std::size_t begin, end;
    std::size_t keep_begin, keep_end;
  };
  struct Scratch {
    nn::EncoderScratch encoder;
    nn::Buffer logits;  // [tokens, kMarkClasses]
  };
  struct TokenRange {
    std::size_t begin, end;
  };
  std::vector<std::vector<Piece>> cut(std::span<const Fragment> fragments,
                                      std::span<const Marked> marked) const;
  void mark(std::span<const Piece> batch, std::span<const Fragment> fragments,
            std::span<Marked> marked) const;
  static void mark(const Piece& piece, const float* logits, Marked& to);
  std::vector<SelectedLeaf> leaves_of(std::string_view text, const Marked& marked) const;
  bool in_leaf(const Marked& marked, std::size_t token, bool first) const;
  // Adds the tokens of `run` as a leaf, or as those that the rules find in it.
  void add_run(std::string_view text, const Marked& marked, TokenRange run,
               std::vector<SelectedLeaf>& leaves) const;
  void add_leaf(const Marked& marked, TokenRange leaf, std::vector<SelectedLeaf>& leaves) const;

  const model::SelectorModel& model_;
  SelectorOptions options_;
  model::TokenRules leaf_rules_;
  nn::Encoder encoder_;
  nn::LayerMatrix head_;
  std::optional<std::int64_t> radius_;  // of marks, in tokens, if they are cut into pieces
  std::size_t reach_;
  mutable Pool<Scratch> scratches_;
};

}  // namespace nrs::runtime
