#include "learn/train/guard.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "nrs/error.h"

namespace nrs::learn {
namespace {

constexpr int kWidest = 8;
constexpr int kWidestBesideShapes = 4;  // or the two together would have many states
constexpr int kNarrowest = 2;
// Leaving out one text of a few hundred makes a form narrower than it is: measured on texts that
// were never taught, guards that lost up to this part in that way lost nothing.
constexpr double kMostOfForms = 0.005;

// What taught leaves have in common when their atoms are taken out.
//
// The form of a text is the text with the length of an atom in the place of each atom:
// cat(ab,A) has the form cat(2,1) if ab and A are atoms. Atoms are the final texts. A text fits if
// its form is that of a taught text, and each of its atoms was met in that place of that form. A
// place that varies, and in which some atom was met fewer than three times, has not shown all that
// can stand there: every atom of that length fits into it.
class LeafForms {
 public:
  explicit LeafForms(const PairList& taught) {
    for (std::size_t i = 0; i < taught.size(); ++i) {
      const std::string_view text = taught.text(i);
      if (taught.omega(i)) atoms_[text.size()].emplace(text);
    }
    for (std::size_t i = 0; i < taught.size(); ++i) add(split(taught.text(i)));
  }

  // Whether a taught text would fit if it had not been taught.
  bool fits_without(std::string_view text) const {
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

  // All texts that fit.
  std::vector<model::TextProduct> products() const {
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

 private:
  static constexpr std::uint32_t kEnough = 3;  // times after which an atom is not rare

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

  void add(const Parts& parts) {
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

  // From the left, the longest at each place. Longer ones do not touch the atom before: 3-7 is 3
  // less 7, not 3 and -7.
  Parts split(std::string_view text) const {
    constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
    Parts parts;
    std::size_t literal = 0;  // where the text since the last atom begins
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t size = atom_at(text.substr(i), i > 0 && i == literal ? 1 : kAny);
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

  // The length of the longest atom that the text begins with, 0 if there is none.
  std::size_t atom_at(std::string_view text, std::size_t longest) const {
    for (const auto& [size, atoms] : atoms_) {
      if (size <= std::min(longest, text.size()) && atoms.contains(text.substr(0, size)))
        return size;
    }
    return 0;
  }

  static std::string form_of(const Parts& parts) {
    constexpr char kMark = '\0';
    std::string form;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      form += i % 2 == 0 ? std::string(parts[i]) : kMark + std::to_string(parts[i].size()) + kMark;
    }
    return form;
  }

  std::vector<std::string> choices(const Place& place) const {
    if (place.met.size() > 1 && place.rare > 0) {
      const Texts& all = atoms_.at(place.met.begin()->first.size());
      return {all.begin(), all.end()};
    }
    const auto met = std::views::keys(place.met);
    return {met.begin(), met.end()};
  }

  using Texts = std::set<std::string, std::less<>>;
  std::map<std::size_t, Texts, std::greater<>> atoms_;  // by length
  std::map<std::string, Form, std::less<>> forms_;
};

// How strict a guard is.
struct Strictness {
  int width = model::LeafGuard::kWholeTexts;
  model::ByteClasses classes = model::all_apart();
};

std::string in_classes(std::string_view text, const model::ByteClasses& classes) {
  std::string shape(text);
  for (char& c : shape) c = static_cast<char>(classes[static_cast<unsigned char>(c)]);
  return shape;
}

// All that a guard compares of a text: itself, or its parts, with its ends.
std::unordered_set<std::string> evidence(std::string_view text, const Strictness& strictness) {
  const std::string shape = in_classes(text, strictness.classes);
  if (strictness.width == model::LeafGuard::kWholeTexts) return {shape};
  const auto width = static_cast<std::size_t>(strictness.width);
  std::unordered_set<std::string> parts;
  for (std::size_t end = 1; end <= shape.size(); ++end) {
    const std::size_t begin = end - std::min(end, width);
    // A part that is cut short by the start of the text is another than the same part inside.
    parts.insert(std::string(1, end < width ? '^' : '.').append(shape, begin, end - begin));
  }
  const std::size_t last = shape.size() - std::min(shape.size(), width - 1);
  parts.insert(std::string(1, '$').append(shape, last));
  return parts;
}

// Where a byte was met: the classes before and behind it; kEnd at the ends of a text.
using Places = std::set<std::pair<int, int>>;
constexpr int kEnd = -1;

// Finer classes: bytes stay together as long as they were met between the same.
model::ByteClasses refined(const std::vector<std::string>& texts,
                           const model::ByteClasses& classes) {
  std::array<Places, 256> places;
  for (const std::string& text : texts) {
    const auto class_at = [&](std::size_t i) {
      return i < text.size() ? int{classes[static_cast<unsigned char>(text[i])]} : kEnd;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
      places[static_cast<unsigned char>(text[i])].emplace(i == 0 ? kEnd : class_at(i - 1),
                                                          class_at(i + 1));
    }
  }
  std::map<std::pair<int, Places>, std::uint8_t> numbers;
  model::ByteClasses finer{};
  for (std::size_t byte = 0; byte < finer.size(); ++byte) {
    finer[byte] = numbers
                      .emplace(std::pair(int{classes[byte]}, places[byte]),
                               static_cast<std::uint8_t>(numbers.size()))
                      .first->second;
  }
  return finer;
}

// Partitions of the bytes, from one class for all to ever finer ones. The last is stable.
std::vector<model::ByteClasses> byte_partitions(const std::vector<std::string>& texts) {
  // What was never met is no character of these texts, and in no class with one.
  model::ByteClasses classes{};
  for (const std::string& text : texts) {
    for (const char c : text) classes[static_cast<unsigned char>(c)] = 1;
  }
  std::vector<model::ByteClasses> partitions = {classes};
  while (true) {
    classes = refined(texts, partitions.back());
    if (classes == partitions.back()) return partitions;
    partitions.push_back(classes);
  }
}

// Tries guards on what a Solver is taught.
class GuardMaker {
 public:
  explicit GuardMaker(const SolverPairs& pairs) : pairs_(pairs) {
    for (std::size_t i = 0; i < pairs.train.size(); ++i) texts_.emplace_back(pairs.train.text(i));
  }

  std::optional<model::LeafGuard> make() const {
    if (pairs_.complete) return model::LeafGuard::of_texts(texts_, model::LeafGuard::kWholeTexts);
    if (pairs_.met.empty()) return std::nullopt;
    if (auto guard = of_texts({})) return guard;
    if (auto guard = of_forms()) return guard;
    for (const model::ByteClasses& classes : byte_partitions(texts_) | std::views::reverse) {
      const auto shapes = of_texts({model::LeafGuard::kWholeTexts, classes});
      if (!shapes) continue;
      const auto parts = of_parts(kWidestBesideShapes);
      return parts ? model::LeafGuard::both(*shapes, *parts) : shapes;
    }
    return of_parts(kWidest);
  }

 private:
  // A text does not fit without itself if it has evidence that no other text has.
  std::optional<model::LeafGuard> of_texts(const Strictness& strictness) const {
    std::unordered_map<std::string, std::uint32_t> texts_with;
    for (const std::string& text : texts_) {
      for (const std::string& part : evidence(text, strictness)) ++texts_with[part];
    }
    const auto fits_without = [&](const std::string& text) {
      return std::ranges::none_of(evidence(text, strictness),
                                  [&](const auto& part) { return texts_with[part] == 1; });
    };
    return tried(kMostTurnedAway, fits_without, [&] {
      return model::LeafGuard::of_texts(texts_, strictness.width, strictness.classes);
    });
  }

  std::optional<model::LeafGuard> of_forms() const {
    const LeafForms forms(pairs_.train);
    return tried(
        kMostOfForms, [&](const std::string& text) { return forms.fits_without(text); },
        [&] { return model::LeafGuard::of_products(forms.products()); });
  }

  std::optional<model::LeafGuard> of_parts(int widest) const {
    for (int width = widest; width >= kNarrowest; --width) {
      if (auto guard = of_texts({.width = width})) return guard;
    }
    return std::nullopt;
  }

  // Nothing if more than `most` of the examples would be turned away if their text were not among
  // the taught ones, or too many of those that were kept are, or if the guard would be too large.
  // Of the taught, a text that was met again would be: only those that were met once tell what is
  // still to come.
  template <class FitsWithout, class Make>
  std::optional<model::LeafGuard> tried(double most, const FitsWithout& fits_without,
                                        const Make& make) const {
    std::size_t examples = 0;
    std::size_t lost = 0;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      examples += pairs_.times(i);
      if (pairs_.times(i) == 1 && !fits_without(texts_[i])) ++lost;
    }
    if (static_cast<double>(lost) > most * static_cast<double>(examples)) return std::nullopt;
    try {
      model::LeafGuard guard = make();
      if (fits_kept(guard)) return guard;
    } catch (const Error&) {  // too many states
    }
    return std::nullopt;
  }

  bool fits_kept(const model::LeafGuard& guard) const {
    std::size_t lost = 0;
    for (std::size_t i = 0; i < pairs_.valid.size(); ++i) {
      lost += guard.accepts(pairs_.valid.text(i)) ? 0 : 1;
    }
    return static_cast<double>(lost) <= kMostTurnedAway * static_cast<double>(pairs_.valid.size());
  }

  const SolverPairs& pairs_;
  std::vector<std::string> texts_;
};

}  // namespace

std::optional<model::LeafGuard> make_guard(const SolverPairs& pairs) {
  return GuardMaker(pairs).make();
}

}  // namespace nrs::learn
