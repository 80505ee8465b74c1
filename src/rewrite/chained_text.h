#pragma once
// A formula that is being rewritten: a chain of characters, so that replacing a leaf costs the
// length of the leaf and not the length of the formula.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nrs::rewrite {

// Positions in a ChainedText. They stay valid while other parts change.
using Link = std::uint32_t;

// A non-empty stretch of the chain, both ends included.
struct Stretch {
  Link first = 0;
  Link last = 0;
};

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

  // Puts a non-empty value in the place of a stretch and returns where it now is.
  Stretch replace(Stretch stretch, std::string_view value);

 private:
  std::vector<char> characters_;
  std::vector<Link> next_;
  std::vector<Link> previous_;
  std::size_t size_;
};

}  // namespace nrs::rewrite
