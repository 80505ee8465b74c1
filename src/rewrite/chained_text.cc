#include "rewrite/chained_text.h"

#include <numeric>

namespace nrs::rewrite {

ChainedText::ChainedText(std::string_view text)
    : characters_(text.size() + 1),
      next_(text.size() + 1),
      previous_(text.size() + 1),
      size_(text.size()) {
  // Character i is link i + 1; link 0 closes the chain to a ring.
  text.copy(characters_.data() + 1, text.size());
  std::iota(next_.begin(), next_.end(), Link{1});
  next_.back() = kEdge;
  std::iota(previous_.begin() + 1, previous_.end(), Link{0});
  previous_[kEdge] = static_cast<Link>(text.size());
}

std::string ChainedText::copy(Stretch stretch) const {
  std::string text;
  for (Link link = stretch.first;; link = next_[link]) {
    text += characters_[link];
    if (link == stretch.last) return text;
  }
}

std::string ChainedText::str() const {
  std::string text;
  text.reserve(size_);
  for (Link link = next_[kEdge]; link != kEdge; link = next_[link]) text += characters_[link];
  return text;
}

Stretch ChainedText::replace(Stretch stretch, std::string_view value) {
  const Link before = previous_[stretch.first];
  const Link after = next_[stretch.last];
  std::size_t old_size = 1;
  for (Link link = stretch.first; link != stretch.last; link = next_[link]) ++old_size;
  size_ = size_ - old_size + value.size();

  // Values are nearly always shorter than their leaves, so the links of the leaf serve again.
  Link last = before;
  Link reusable = stretch.first;
  Link first = kEdge;
  for (const char c : value) {
    Link link = reusable;
    if (link == after) {
      link = static_cast<Link>(characters_.size());
      characters_.push_back(c);
      next_.push_back(kEdge);
      previous_.push_back(kEdge);
    } else {
      reusable = next_[link];
    }
    characters_[link] = c;
    previous_[link] = last;
    next_[last] = link;
    if (first == kEdge) first = link;
    last = link;
  }
  next_[last] = after;
  previous_[after] = last;
  return {first, last};
}

}  // namespace nrs::rewrite
