#pragma once
// A formula that is being rewritten, with the keys and values that a decoder attends to. After a
// step only the neighbourhood of the change has to be read again.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nrs/leaf_writer.h"
#include "runtime/gap_rows.h"

namespace nrs::runtime {

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
