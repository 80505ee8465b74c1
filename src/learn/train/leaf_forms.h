#pragma once
// What taught leaves have in common when their atoms are taken out.
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "learn/examples/example_source.h"
#include "model/leaf_guard.h"

namespace nrs::learn {

// The form of a text is the text with the length of an atom in the place of each atom:
// cat(ab,A) has the form cat(2,1) if ab and A are atoms. Atoms are the final texts. A text fits if
// its form is that of a taught text, and each of its atoms was met in that place of that form. A
// place that varies, and in which some atom was met fewer than three times, has not shown all that
// can stand there: every atom of that length fits into it.
class LeafForms {
 public:
  explicit LeafForms(const PairList& taught);

  // Whether a taught text would fit if it had not been taught.
  bool fits_without(std::string_view text) const;
  // All texts that fit.
  std::vector<model::TextProduct> products() const;

 private:
  struct Place {
    std::map<std::string, std::uint32_t, std::less<>> met;  // in how many texts each atom stands
    std::size_t rare = 0;                                   // atoms that stand in few
  };
  struct Form {
    std::uint32_t texts = 0;
    std::vector<std::string> literals;  // one more than places
    std::vector<Place> places;
  };
  // A text between and around its atoms, which are in the odd places.
  using Parts = std::vector<std::string_view>;

  Parts split(std::string_view text) const;
  // The length of the longest atom there, 0 if there is none.
  std::size_t atom_at(std::string_view text, std::size_t begin, std::size_t longest) const;
  static std::string form_of(const Parts& parts);
  std::vector<std::string> choices(const Place& place) const;

  using Texts = std::set<std::string, std::less<>>;
  std::map<std::size_t, Texts, std::greater<>> atoms_;  // by length
  std::map<std::string, Form, std::less<>> forms_;
};

}  // namespace nrs::learn
