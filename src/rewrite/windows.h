#pragma once
// The parts of a formula that a Selector has to look at again after a change.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nrs/modules.h"
#include "rewrite/chained_text.h"

namespace nrs::rewrite {

// With a Selector of reach R, a change can create or destroy leaves that come within R of it
// ("near"). Such a leaf lies within 2R, and to be sure of it the Selector must see R more on each
// side: so windows are cut 3R wide on either side of each change, and merged where they meet.
class Windows {
 public:
  // `text` must outlive this. Reach Selector::kUnbounded: every window is the whole formula.
  Windows(const ChainedText& text, std::size_t reach);

  void cut_whole();
  // `changed` from left to right.
  void cut_around(std::span<const Stretch> changed);

  // The windows, from left to right; valid until the next cut.
  const std::vector<Fragment>& fragments() const { return fragments_; }
  // Where a span of window `index` is in the formula; nothing if it is not near a change, and so
  // already known, or no span of the window at all.
  std::optional<Stretch> find(std::size_t index, Span span) const;
  // Whether any character of the stretch is near a change.
  bool near(Stretch stretch) const;

 private:
  struct Window {
    std::string text;
    std::vector<Link> links;
  };

  bool cut(Link link) const { return stamps_[link] >> 1 == round_; }
  bool near(Link link) const { return stamps_[link] == 2 * round_ + 1; }
  void begin_round();
  void add(Window& window, Link link);
  void cut_one(Stretch changed);
  void mark_near(Stretch changed);
  void make_fragments();

  const ChainedText& text_;
  std::size_t reach_;
  std::vector<Window> windows_;
  std::vector<Fragment> fragments_;
  // Per link: twice the round in which it was last cut into a window, plus one if near a change.
  std::vector<std::uint64_t> stamps_;
  std::uint64_t round_ = 0;
};

}  // namespace nrs::rewrite
