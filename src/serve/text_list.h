#pragma once
// Texts one after the other in one string: a list that takes no memory for each of them.
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nrs/formula.h"

namespace nrs::serve {

class TextList {
 public:
  TextList() = default;
  // Those that lie at these places of a string.
  TextList(std::string whole, std::vector<Span> places)
      : whole_(std::move(whole)), places_(std::move(places)) {}

  void add(std::string_view text) {
    places_.push_back({whole_.size(), whole_.size() + text.size()});
    whole_ += text;
  }

  std::size_t size() const { return places_.size(); }
  std::string_view operator[](std::size_t number) const { return places_[number].of(whole_); }

  bool operator==(const TextList& other) const {
    if (size() != other.size()) return false;
    for (std::size_t i = 0; i < size(); ++i) {
      if ((*this)[i] != other[i]) return false;
    }
    return true;
  }

 private:
  std::string whole_;
  std::vector<Span> places_;
};

}  // namespace nrs::serve
