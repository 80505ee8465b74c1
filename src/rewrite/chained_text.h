#pragma once
// A formula that is being rewritten, and the parts of it that a Selector has to look at again after
// a change.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nrs/modules.h"

namespace nrs::rewrite {

// Positions in a ChainedText. They stay valid while other parts change.
using Link = std::uint32_t;

// A non-empty stretch of the chain, both ends included.
struct Stretch {
  Link first = 0;
  Link last = 0;
};

// A chain of characters, so that replacing a leaf costs the length of the leaf and not the length
// of the formula.
class ChainedText {
 public:
  explicit ChainedText(std::string_view text);

  std::size_t size() const { return size_; }
  // Every Link is below this.
  std::size_t links() const { return characters_.size(); }
  // The place before the first and after the last character: the ends of every walk.
  static constexpr Link kEdge = 0;
  Link next(Link link) const { return next_[link]; }
  Link previous(Link link) const { return previous_[link]; }
  char at(Link link) const { return characters_[link]; }

  std::string copy(Stretch stretch) const;
  std::string str() const;

  // Puts a value in the place of a stretch and returns where it now is: for an empty value, the
  // place before it, which may be the edge.
  Stretch replace(Stretch stretch, std::string_view value);

 private:
  std::vector<char> characters_;
  std::vector<Link> next_;
  std::vector<Link> previous_;
  std::size_t size_;
};

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

  bool is_cut(Link link) const { return stamps_[link] >> 1 == round_; }
  bool near(Link link) const { return stamps_[link] == 2 * round_ + 1; }
  void cut(std::span<const Stretch> changed);
  void cut_one(Stretch changed);
  void mark_near(Stretch changed);
  Link far(Link link, std::size_t steps, Link (ChainedText::*step)(Link) const) const;

  const ChainedText& text_;
  std::size_t reach_;
  std::vector<Window> windows_;
  std::vector<Fragment> fragments_;
  // Per link: twice the round in which it was last cut into a window, plus one if near a change.
  std::vector<std::uint64_t> stamps_;
  std::uint64_t round_ = 0;
};

}  // namespace nrs::rewrite
