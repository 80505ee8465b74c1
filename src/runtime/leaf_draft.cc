#include "runtime/leaf_draft.h"

#include <algorithm>
#include <utility>

namespace nrs::runtime {

void GapRows::cut(std::int64_t begin, std::int64_t end) {
  if (end < before_) {  // what is between the cut and the gap goes behind the gap
    const std::int64_t moved = before_ - end;
    std::copy_backward(row(end), row(before_), row(room_ - behind_));
    behind_ += moved;
  } else if (begin > before_) {
    const std::int64_t moved = begin - before_, first = room_ - behind_;
    std::copy(row(first), row(first + moved), row(before_));
    behind_ -= end - before_;
  } else {
    behind_ -= end - before_;
  }
  before_ = begin;
}

float* GapRows::insert(std::int64_t count) {
  if (size() + count > room_) {
    const std::int64_t room = size() + count + size() / 2;
    nn::Buffer larger;
    larger.get(room * width_);
    std::copy_n(rows_.data(), before_ * width_, larger.data());
    std::copy_n(row(room_ - behind_), behind_ * width_, larger.data() + (room - behind_) * width_);
    std::swap(rows_, larger);
    room_ = room;
  }
  before_ += count;
  return row(before_ - count);
}

nn::ReadRows GapRows::read() const {
  return {row(0), before_, row(room_ - behind_), behind_};
}

std::vector<GapRows> rows_of_layers(const nn::Decoder& decoder) {
  std::vector<GapRows> rows;
  for (std::size_t i = 0; i < decoder.layers(); ++i) rows.emplace_back(2 * decoder.dim());
  return rows;
}

void LeafDraft::forget_all() {
  for (GapRows& rows : rows_) rows.cut(0, rows.size());
  unread_ = {0, text_.size()};
}

void LeafDraft::replace(Span span, std::string_view value) {
  const bool known = unread_.size() == 0;
  const std::size_t size_before = text_.size();
  text_.replace(span.begin, span.size(), value);
  if (!radius_ || !known) return forget_all();
  const auto radius = static_cast<std::size_t>(*radius_);
  const std::size_t begin = span.begin - std::min(span.begin, radius);
  const std::size_t end = std::min(size_before, span.end + radius);
  for (GapRows& rows : rows_) {
    rows.cut(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
  }
  unread_ = {begin, end - span.size() + value.size()};
}

}  // namespace nrs::runtime
