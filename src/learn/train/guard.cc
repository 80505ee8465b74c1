#include "learn/train/guard.h"

#include <algorithm>
#include <array>
#include <map>
#include <ranges>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "learn/train/leaf_forms.h"
#include "nrs/error.h"

namespace nrs::learn {
namespace {

constexpr int kWidest = 8;
constexpr int kWidestBesideShapes = 4;  // or the two together would have many states
constexpr int kNarrowest = 2;
// Leaving out one text of a few hundred makes a form narrower than it is: measured on texts that
// were never taught, guards that lost up to this part in that way lost nothing.
constexpr double kMostOfForms = 0.005;

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

// Whether few enough examples would be turned away if their text were not among the taught ones.
// A text that was met again would be: only those that were met once tell what is still to come.
template <class FitsWithout>
bool fits_taught(const SolverPairs& pairs, double most, const FitsWithout& fits_without) {
  std::size_t examples = 0;
  std::size_t lost = 0;
  for (std::size_t i = 0; i < pairs.train.size(); ++i) {
    examples += pairs.times(i);
    if (pairs.times(i) == 1 && !fits_without(pairs.train.text(i))) ++lost;
  }
  return static_cast<double>(lost) <= most * static_cast<double>(examples);
}

// A text does not fit without itself if it has evidence that no other text has.
bool fits_taught(const SolverPairs& pairs, const Strictness& strictness) {
  std::unordered_map<std::string, std::uint32_t> texts_with;
  for (std::size_t i = 0; i < pairs.train.size(); ++i) {
    for (const std::string& part : evidence(pairs.train.text(i), strictness)) ++texts_with[part];
  }
  return fits_taught(pairs, kMostTurnedAway, [&](std::string_view text) {
    const auto parts = evidence(text, strictness);
    return std::ranges::none_of(parts, [&](const auto& p) { return texts_with[p] == 1; });
  });
}

bool fits_kept(const SolverPairs& pairs, const model::LeafGuard& guard) {
  std::size_t lost = 0;
  for (std::size_t i = 0; i < pairs.valid.size(); ++i) {
    lost += guard.accepts(pairs.valid.text(i)) ? 0 : 1;
  }
  return static_cast<double>(lost) <= kMostTurnedAway * static_cast<double>(pairs.valid.size());
}

// Nothing if it turns away too much of what was kept, or would be too large.
template <class Make>
std::optional<model::LeafGuard> guard_if_fits_kept(const SolverPairs& pairs, const Make& make) {
  try {
    model::LeafGuard guard = make();
    if (fits_kept(pairs, guard)) return guard;
  } catch (const Error&) {  // too many states
  }
  return std::nullopt;
}

std::optional<model::LeafGuard> guard_if_fits(const SolverPairs& pairs,
                                              const std::vector<std::string>& texts,
                                              const Strictness& strictness) {
  if (!fits_taught(pairs, strictness)) return std::nullopt;
  return guard_if_fits_kept(pairs, [&] {
    return model::LeafGuard::of_texts(texts, strictness.width, strictness.classes);
  });
}

std::optional<model::LeafGuard> guard_of_forms(const SolverPairs& pairs) {
  const LeafForms forms(pairs.train);
  const auto fits_without = [&](std::string_view text) { return forms.fits_without(text); };
  if (!fits_taught(pairs, kMostOfForms, fits_without)) return std::nullopt;
  return guard_if_fits_kept(pairs, [&] { return model::LeafGuard::of_products(forms.products()); });
}

std::optional<model::LeafGuard> guard_of_parts(const SolverPairs& pairs,
                                               const std::vector<std::string>& texts, int widest) {
  for (int width = widest; width >= kNarrowest; --width) {
    if (auto guard = guard_if_fits(pairs, texts, {.width = width})) return guard;
  }
  return std::nullopt;
}

// Where a byte was met: the classes before and behind it; kEnd at the ends of a text.
using Places = std::set<std::pair<int, int>>;
constexpr int kEnd = -1;

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

std::string mutant(const PairList& taught, Rng& rng) {
  const auto any = [&] { return std::string(taught.text(rng.below(taught.size()))); };
  std::string text = any();
  const std::string other = any();
  if (text.empty() || other.empty()) return {};
  const std::size_t at = rng.below(text.size());
  const char strange = other[rng.below(other.size())];
  switch (rng.below(5)) {
    case 0:
      text[at] = strange;
      break;
    case 1:
      text.erase(at, 1);
      break;
    case 2:
      text.insert(at, 1, strange);
      break;
    case 3:
      std::swap(text[at], text[rng.below(text.size())]);
      break;
    default:
      text = text.substr(0, at) + other.substr(rng.below(other.size()));
  }
  return text;
}

}  // namespace

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

std::optional<model::LeafGuard> make_guard(const SolverPairs& pairs) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < pairs.train.size(); ++i) texts.emplace_back(pairs.train.text(i));
  if (pairs.complete)
    return model::LeafGuard::of_texts(std::move(texts), model::LeafGuard::kWholeTexts);
  if (pairs.met.empty()) return std::nullopt;
  if (auto guard = guard_if_fits(pairs, texts, {})) return guard;
  if (auto guard = guard_of_forms(pairs)) return guard;
  for (const model::ByteClasses& classes : byte_partitions(texts) | std::views::reverse) {
    const auto shapes = guard_if_fits(pairs, texts, {model::LeafGuard::kWholeTexts, classes});
    if (!shapes) continue;
    const auto parts = guard_of_parts(pairs, texts, kWidestBesideShapes);
    return parts ? model::LeafGuard::both(*shapes, *parts) : shapes;
  }
  return guard_of_parts(pairs, texts, kWidest);
}

std::vector<std::string> mutants(const SolverPairs& pairs, std::size_t count, Rng& rng) {
  std::unordered_set<std::string_view> explained;
  for (const PairList* list : {&pairs.train, &pairs.valid, &pairs.unseen}) {
    for (std::size_t i = 0; i < list->size(); ++i) explained.insert(list->text(i));
  }
  std::vector<std::string> made;
  if (pairs.train.size() == 0) return made;
  for (std::size_t tries = 0; made.size() < count && tries < 20 * count; ++tries) {
    std::string text = mutant(pairs.train, rng);
    if (!text.empty() && !explained.contains(text)) made.push_back(std::move(text));
  }
  return made;
}

}  // namespace nrs::learn
