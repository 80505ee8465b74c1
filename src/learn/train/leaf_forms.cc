#include "learn/train/leaf_forms.h"

#include <limits>

namespace nrs::learn {
namespace {

constexpr std::uint32_t kEnough = 3;  // times after which an atom is not rare

}  // namespace

LeafForms::LeafForms(const PairList& taught) {
  for (std::size_t i = 0; i < taught.size(); ++i) {
    const std::string_view text = taught.text(i);
    if (taught.omega(i)) atoms_[text.size()].emplace(text);
  }
  for (std::size_t i = 0; i < taught.size(); ++i) {
    const Parts parts = split(taught.text(i));
    Form& form = forms_[form_of(parts)];
    ++form.texts;
    form.literals.clear();
    form.places.resize(parts.size() / 2);
    for (std::size_t k = 0; k < parts.size(); k += 2) form.literals.emplace_back(parts[k]);
    for (std::size_t k = 0; k < form.places.size(); ++k) {
      Place& place = form.places[k];
      const std::uint32_t times = ++place.met[std::string(parts[2 * k + 1])];
      if (times == 1) ++place.rare;
      if (times == kEnough) --place.rare;
    }
  }
}

bool LeafForms::fits_without(std::string_view text) const {
  const Parts parts = split(text);
  const Form& form = forms_.at(form_of(parts));
  const bool is_atom = parts.size() > 1 && parts[1].size() == text.size();
  if (form.texts == 1 || is_atom) return false;
  for (std::size_t k = 0; k < form.places.size(); ++k) {
    const Place& place = form.places[k];
    const bool met_again = place.met.find(parts[2 * k + 1])->second > 1;
    const bool open_without = place.met.size() > 2 && place.rare > 1;
    if (!met_again && !open_without) return false;
  }
  return true;
}

std::vector<model::TextProduct> LeafForms::products() const {
  std::vector<model::TextProduct> all;
  for (const auto& [name, form] : forms_) {
    model::TextProduct& product = all.emplace_back();
    for (std::size_t k = 0; k < form.literals.size(); ++k) {
      if (!form.literals[k].empty()) product.push_back({form.literals[k]});
      if (k < form.places.size()) product.push_back(choices(form.places[k]));
    }
  }
  return all;
}

// From the left, the longest at each place. Longer ones do not touch the atom before: 3-7 is 3 less
// 7, not 3 and -7.
LeafForms::Parts LeafForms::split(std::string_view text) const {
  constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
  Parts parts;
  std::size_t literal = 0;  // where the text since the last atom begins
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = atom_at(text, i, i > 0 && i == literal ? 1 : kAny);
    if (size == 0) {
      ++i;
      continue;
    }
    parts.push_back(text.substr(literal, i - literal));
    parts.push_back(text.substr(i, size));
    i += size;
    literal = i;
  }
  parts.push_back(text.substr(literal));
  return parts;
}

std::size_t LeafForms::atom_at(std::string_view text, std::size_t begin,
                               std::size_t longest) const {
  for (const auto& [size, atoms] : atoms_) {
    if (size <= longest && begin + size <= text.size() && atoms.contains(text.substr(begin, size)))
      return size;
  }
  return 0;
}

std::string LeafForms::form_of(const Parts& parts) {
  constexpr char kMark = '\0';
  std::string form;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    form += i % 2 == 0 ? std::string(parts[i]) : kMark + std::to_string(parts[i].size()) + kMark;
  }
  return form;
}

std::vector<std::string> LeafForms::choices(const Place& place) const {
  if (place.met.size() > 1 && place.rare > 0) {
    const Texts& all = atoms_.at(place.met.begin()->first.size());
    return {all.begin(), all.end()};
  }
  std::vector<std::string> met;
  for (const auto& [atom, times] : place.met) met.push_back(atom);
  return met;
}

}  // namespace nrs::learn
