#pragma once
// A formula that is being rewritten, with the keys and values that a decoder attends to. After a
// step only the neighbourhood of the change has to be read again.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nn/decoder.h"
#include "nrs/modules.h"

namespace nrs::runtime {

// Rows of numbers of a text that changes in one place after the other: what is before the place and
// what is behind it lie at the two ends of a buffer, and the room between them moves along.
class GapRows {
 public:
  explicit GapRows(std::int64_t width) : width_(width) {}

  std::int64_t size() const { return before_ + behind_; }
  // Takes out the rows [begin, end), where the gap then is. Costs as much as the gap moves.
  void cut(std::int64_t begin, std::int64_t end);
  // `count` new rows before the gap, to be filled: [count, width].
  float* insert(std::int64_t count);
  // Valid until the next change.
  nn::ReadRows read() const;

 private:
  float* row(std::int64_t index) const { return rows_.data() + index * width_; }

  std::int64_t width_;
  std::int64_t room_ = 0;  // rows that fit into the buffer
  std::int64_t before_ = 0;
  std::int64_t behind_ = 0;  // the last rows of the buffer
  nn::Buffer rows_;          // [room, width]
};

// The keys and values of a text for every layer of a decoder.
std::vector<GapRows> rows_of_layers(const nn::Decoder& decoder);

// Law: where `radius` is given, what is read of a character depends on nothing further away than
// that. Then rows that are kept are those that reading everything again would give.
class LeafDraft : public LeafWriter::Draft {
 public:
  // Without a radius nothing is kept, and tokens need not be characters.
  LeafDraft(std::string_view formula, const nn::Decoder& decoder,
            std::optional<std::int64_t> radius)
      : text_(formula), radius_(radius), rows_(rows_of_layers(decoder)), unread_{0, text_.size()} {}

  const std::string& formula() const override { return text_; }
  void replace(Span span, std::string_view value) override;

  // The characters that have no rows yet; their rows belong at the gap.
  Span unread() const { return unread_; }
  // One GapRows for each layer.
  std::vector<GapRows>& rows() { return rows_; }
  void set_read() { unread_ = {}; }

 private:
  void forget_all();

  std::string text_;
  std::optional<std::int64_t> radius_;
  std::vector<GapRows> rows_;
  Span unread_;
};

}  // namespace nrs::runtime
