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
  return {value.empty() ? before : first, last};
}

Windows::Windows(const ChainedText& text, std::size_t reach) : text_(text), reach_(reach) {}

void Windows::cut_whole() {
  const Stretch whole{text_.next(ChainedText::kEdge), text_.previous(ChainedText::kEdge)};
  cut({&whole, 1});
}

void Windows::cut_around(std::span<const Stretch> changed) {
  reach_ == Selector::kUnbounded ? cut_whole() : cut(changed);
}

void Windows::cut(std::span<const Stretch> changed) {
  ++round_;
  stamps_.resize(text_.links());
  windows_.clear();
  for (const Stretch& stretch : changed) cut_one(stretch);
  // Only now: a window may have been lengthened after a change in it was passed.
  for (const Stretch& stretch : changed) mark_near(stretch);
  fragments_.clear();
  for (const Window& window : windows_) {
    fragments_.push_back({.text = window.text,
                          .starts = text_.previous(window.links.front()) == ChainedText::kEdge,
                          .ends = text_.next(window.links.back()) == ChainedText::kEdge});
  }
}

void Windows::cut_one(Stretch changed) {
  const std::size_t width = 3 * reach_;
  const auto inside = [](Link link) { return link != ChainedText::kEdge; };
  Link first = changed.first;
  if (!is_cut(first)) {
    Link before = text_.previous(first);
    for (std::size_t i = 0; i < width && inside(before) && !is_cut(before); ++i) {
      first = before;
      before = text_.previous(before);
    }
    const bool meets_last = inside(before) && is_cut(before);
    if (!meets_last) windows_.emplace_back();
  }
  const Link last = far(changed.last, width, &ChainedText::next);
  for (Link link = first;; link = text_.next(link)) {
    if (!is_cut(link)) {
      windows_.back().text += text_.at(link);
      windows_.back().links.push_back(link);
      stamps_[link] = 2 * round_;
    }
    if (link == last) return;
  }
}

// As many steps from a link as there are, but not over the edge.
Link Windows::far(Link link, std::size_t steps, Link (ChainedText::*step)(Link) const) const {
  for (std::size_t i = 0; i < steps; ++i) {
    const Link to = (text_.*step)(link);
    if (to == ChainedText::kEdge) break;
    link = to;
  }
  return link;
}

void Windows::mark_near(Stretch changed) {
  const Link last = far(changed.last, reach_, &ChainedText::next);
  for (Link link = far(changed.first, reach_, &ChainedText::previous);; link = text_.next(link)) {
    stamps_[link] = 2 * round_ + 1;
    if (link == last) return;
  }
}

std::optional<Stretch> Windows::find(std::size_t index, Span span) const {
  const std::vector<Link>& links = windows_[index].links;
  if (span.begin >= span.end || span.end > links.size()) return {};
  const Stretch stretch{links[span.begin], links[span.end - 1]};
  return near(stretch) ? std::optional(stretch) : std::nullopt;
}

bool Windows::near(Stretch stretch) const {
  for (Link link = stretch.first;; link = text_.next(link)) {
    if (near(link)) return true;
    if (link == stretch.last) return false;
  }
}

}  // namespace nrs::rewrite
