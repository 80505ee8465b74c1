#include "rewrite/windows.h"

namespace nrs::rewrite {

Windows::Windows(const ChainedText& text, std::size_t reach) : text_(text), reach_(reach) {}

void Windows::begin_round() {
  ++round_;
  stamps_.resize(text_.links());
  windows_.clear();
}

void Windows::add(Window& window, Link link) {
  window.text += text_.at(link);
  window.links.push_back(link);
  stamps_[link] = 2 * round_;
}

void Windows::cut_whole() {
  begin_round();
  Window& window = windows_.emplace_back();
  window.text.reserve(text_.size());
  window.links.reserve(text_.size());
  for (Link link = text_.next(ChainedText::kEdge); link != ChainedText::kEdge;
       link = text_.next(link)) {
    add(window, link);
    stamps_[link] = 2 * round_ + 1;
  }
  make_fragments();
}

void Windows::cut_around(std::span<const Stretch> changed) {
  if (reach_ == Selector::kUnbounded) return cut_whole();
  begin_round();
  for (const Stretch& stretch : changed) cut_one(stretch);
  // Only now: a window may have been lengthened after a change in it was passed.
  for (const Stretch& stretch : changed) mark_near(stretch);
  make_fragments();
}

void Windows::cut_one(Stretch changed) {
  const std::size_t width = 3 * reach_;
  std::vector<Link> left;
  Link link = text_.previous(changed.first);
  if (!cut(changed.first)) {
    while (left.size() < width && link != ChainedText::kEdge && !cut(link)) {
      left.push_back(link);
      link = text_.previous(link);
    }
    const bool meets_last = link != ChainedText::kEdge && cut(link);
    if (!meets_last) windows_.emplace_back();
  }
  Window& window = windows_.back();
  for (auto it = left.rbegin(); it != left.rend(); ++it) add(window, *it);
  const Link behind = text_.next(changed.last);
  for (link = changed.first; link != behind; link = text_.next(link)) {
    if (!cut(link)) add(window, link);
  }
  for (std::size_t i = 0; i < width && link != ChainedText::kEdge; ++i, link = text_.next(link)) {
    if (!cut(link)) add(window, link);
  }
}

void Windows::mark_near(Stretch changed) {
  const auto mark = [&](Link link) { stamps_[link] = 2 * round_ + 1; };
  const Link behind = text_.next(changed.last);
  Link link = changed.first;
  for (; link != behind; link = text_.next(link)) mark(link);
  for (std::size_t i = 0; i < reach_ && link != ChainedText::kEdge; ++i, link = text_.next(link)) {
    mark(link);
  }
  link = text_.previous(changed.first);
  for (std::size_t i = 0; i < reach_ && link != ChainedText::kEdge;
       ++i, link = text_.previous(link)) {
    mark(link);
  }
}

void Windows::make_fragments() {
  fragments_.clear();
  for (const Window& window : windows_) {
    fragments_.push_back({.text = window.text,
                          .starts = text_.previous(window.links.front()) == ChainedText::kEdge,
                          .ends = text_.next(window.links.back()) == ChainedText::kEdge});
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
