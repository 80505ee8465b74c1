#include "runtime/leaf_draft.h"

#include <algorithm>

namespace nrs::runtime {

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
