#include "examples/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

#include "base/rng.h"
#include "base/text.h"

namespace nrs::examples {
namespace {

// A formula of an example, or a place of its first formula.
struct Mention {
  std::uint64_t hash;
  std::uint32_t example;
  std::uint32_t index;
};

std::string in_quotes(std::string_view text) {
  return text.empty() ? "the empty formula" : fmt::format("\"{}\"", excerpt(text, 60));
}

void sort_by_text(std::vector<Mention>& mentions) {
  std::sort(mentions.begin(), mentions.end(), [](const Mention& a, const Mention& b) {
    return std::tie(a.hash, a.example, a.index) < std::tie(b.hash, b.example, b.index);
  });
}

// Calls `look` with the mentions of each text, in the order of the file. (Two texts with one hash
// of 64 bits are told apart when they are compared.)
template <class Look>
void for_each_text(std::span<const Mention> mentions, const Look& look) {
  for (std::size_t begin = 0; begin < mentions.size();) {
    std::size_t end = begin + 1;
    while (end < mentions.size() && mentions[end].hash == mentions[begin].hash) ++end;
    look(mentions.subspan(begin, end - begin));
    begin = end;
  }
}

class Finder {
 public:
  explicit Finder(const ExampleFile& file) : examples_(file.examples) {
    for (const BadLine& bad : file.unread) add({Fault::kUnread, bad.line, 0, bad.reason});
  }

  void take_characters(const Alphabet& alphabet) {
    for (const RareCharacter& rare : alphabet.rare) {
      add({Fault::kRareCharacter, rare.line, 0,
           fmt::format("the character {} stands in no other line",
                       show_character(rare.character, 0))});
    }
  }

  void take_formulas(const Progress& progress) {
    for (std::uint32_t i = 0; i < examples_.size(); ++i) {
      if (progress && i % kProgressEvery == 0) progress("examples compared", i);
      const Example& example = examples_[i];
      if (is_question({0, i, 0}))
        found_.counts[static_cast<std::size_t>(Fault::kDuplicate)] += example.times - 1;
      for (std::uint32_t k = 0; k < example.formulas.size(); ++k) {
        formulas_.push_back({hash_text(example.formulas[k]), i, k});
      }
      find_no_rewrite(example);
      if (example.places.empty()) continue;
      for (std::uint32_t k = 0; k < example.places[0].size(); ++k) {
        places_.push_back({hash_text(place_text({0, i, k})), i, k});
      }
    }
  }

  Findings result() {
    sort_by_text(formulas_);
    for_each_text(formulas_, [&](std::span<const Mention> group) { look_at_formula(group); });
    formulas_ = {};
    sort_by_text(places_);
    for_each_text(places_, [&](std::span<const Mention> group) {
      const auto value = [&](const Mention& m) -> std::string_view {
        return examples_[m.example].places[0][m.index].value;
      };
      find_other_values(group, place_text(group[0]), value, [](const Mention&) { return false; });
    });
    finish();
    return std::move(found_);
  }

 private:
  const std::string& text(const Mention& m) const { return examples_[m.example].formulas[m.index]; }
  std::string_view place_text(const Mention& m) const {
    const Example& example = examples_[m.example];
    const Place& place = example.places[0][m.index];
    return std::string_view(example.formulas[0]).substr(place.begin, place.end - place.begin);
  }
  std::uint32_t line(const Mention& m) const { return examples_[m.example].line; }
  bool is_last(const Mention& m) const {
    return m.index + 1 == examples_[m.example].formulas.size();
  }
  bool is_final(const Mention& m) const { return is_last(m) && examples_[m.example].complete; }
  bool is_question(const Mention& m) const {
    const Example& example = examples_[m.example];
    return m.index == 0 && (example.formulas.size() > 1 || !example.places.empty());
  }

  void add(Finding finding) {
    const auto fault = static_cast<std::size_t>(finding.fault);
    ++found_.counts[fault];
    kept_[fault].push_back(std::move(finding));
    // What comes later in the file goes first if there is too much.
    if (kept_[fault].size() >= 2 * kMostKept) shrink(kept_[fault]);
  }

  static void shrink(std::vector<Finding>& findings) {
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return a.line < b.line; });
    if (findings.size() > kMostKept) findings.erase(findings.begin() + kMostKept, findings.end());
  }

  void find_no_rewrite(const Example& example) {
    for (std::size_t i = 1; i < example.formulas.size(); ++i) {
      if (example.formulas[i] != example.formulas[i - 1]) continue;
      add({Fault::kNoRewrite, example.line, 0,
           in_quotes(example.formulas[i]) + " is followed by itself"});
      return;
    }
    for (std::size_t i = 0; i < example.places.size(); ++i) {
      for (const Place& place : example.places[i]) {
        const std::string_view leaf =
            std::string_view(example.formulas[i]).substr(place.begin, place.end - place.begin);
        if (leaf != place.value) continue;
        add({Fault::kNoRewrite, example.line, 0, in_quotes(leaf) + " is its own value"});
        return;
      }
    }
  }

  void look_at_formula(std::span<const Mention> group) {
    const std::string& formula = text(group[0]);
    if (std::any_of(group.begin(), group.end(), [&](const Mention& m) { return is_question(m); })) {
      ++found_.questions;
    }
    if (std::any_of(group.begin(), group.end(), [&](const Mention& m) { return is_final(m); })) {
      if (++found_.values <= kFewValues) found_.few_values.push_back(formula);
    }
    if (group.size() == 1) return;
    find_duplicates(group);
    // All formulas of a complete example have its last one as their value.
    std::vector<Mention> complete;
    for (const Mention& m : group) {
      if (examples_[m.example].complete && text(m) == formula) complete.push_back(m);
    }
    const auto value = [&](const Mention& m) -> std::string_view {
      return examples_[m.example].formulas.back();
    };
    find_other_values(complete, formula, value, [&](const Mention& m) { return is_final(m); });
    find_final_but_rewritten(group, formula);
  }

  // Chains that go on and stated places do not know a value, but they rewrite.
  void find_final_but_rewritten(std::span<const Mention> group, const std::string& formula) {
    const auto final =
        std::find_if(group.begin(), group.end(), [&](const Mention& m) { return is_final(m); });
    if (final == group.end()) return;
    for (const Mention& m : group) {
      const Example& example = examples_[m.example];
      const bool rewritten = !is_last(m) || (m.index == 0 && !example.places.empty());
      if (!rewritten || example.complete || text(m) != formula) continue;
      if (std::exchange(told_[{Fault::kFinalAndRewritten, line(m)}], true)) continue;
      add({Fault::kFinalAndRewritten, line(m), line(*final),
           fmt::format("{} is rewritten, but final in line {}", in_quotes(formula), line(*final))});
    }
  }

  void find_duplicates(std::span<const Mention> group) {
    constexpr std::size_t kMostCompared = 16;
    std::vector<const Example*> distinct;
    for (const Mention& m : group) {
      if (!is_question(m)) continue;
      const Example& example = examples_[m.example];
      const auto same = std::find_if(distinct.begin(), distinct.end(), [&](const Example* other) {
        return other->formulas == example.formulas && other->places == example.places;
      });
      if (same != distinct.end()) {
        add({Fault::kDuplicate, example.line, (*same)->line,
             fmt::format("the same as line {}", (*same)->line)});
      } else if (distinct.size() < kMostCompared) {
        distinct.push_back(&example);
      }
    }
  }

  // The value that most lines give is taken for the right one, or the first of several such.
  template <class Value, class Final>
  void find_other_values(std::span<const Mention> group, std::string_view what, const Value& value,
                         const Final& is_final_here) {
    if (group.empty()) return;
    const bool agree = std::all_of(group.begin(), group.end(),
                                   [&](const Mention& m) { return value(m) == value(group[0]); });
    if (agree) return;
    std::map<std::string_view, std::size_t> votes;
    for (const Mention& m : group) ++votes[value(m)];
    const Mention* best = &group[0];
    for (const Mention& m : group) {
      if (votes[value(m)] > votes[value(*best)]) best = &m;
    }
    for (const Mention& m : group) {
      if (value(m) == value(*best)) continue;
      const bool final = is_final_here(m) || is_final_here(*best);
      const Fault fault = final ? Fault::kFinalAndRewritten : Fault::kTwoValues;
      if (std::exchange(told_[{fault, line(m)}], true)) continue;
      add({fault, line(m), line(*best),
           fmt::format("{} is {}, but {} in line {}", in_quotes(what),
                       is_final_here(m) ? "final" : in_quotes(value(m)),
                       is_final_here(*best) ? "final" : in_quotes(value(*best)), line(*best))});
    }
  }

  void finish() {
    for (std::vector<Finding>& findings : kept_) {
      shrink(findings);
      std::move(findings.begin(), findings.end(), std::back_inserter(found_.list));
    }
    if (found_.values > kFewValues) found_.few_values.clear();
    std::sort(found_.few_values.begin(), found_.few_values.end());
  }

  std::span<const Example> examples_;
  std::vector<Mention> formulas_;
  std::vector<Mention> places_;
  std::map<std::pair<Fault, std::uint32_t>, bool> told_;  // one line is named once
  std::array<std::vector<Finding>, kFaults> kept_;
  Findings found_;
};

}  // namespace

std::string_view name_of(Fault fault) {
  constexpr std::array<std::string_view, kFaults> kNames{
      "two values", "final and rewritten", "not read", "no rewrite", "rare character", "duplicate"};
  return kNames[static_cast<std::size_t>(fault)];
}

std::string_view words_for(Fault fault, std::size_t count) {
  using Words = std::pair<std::string_view, std::string_view>;  // for one and for several
  constexpr std::array<Words, kFaults> kWords{
      {{"formula with two values", "formulas with two values"},
       {"formula both final and rewritten", "formulas both final and rewritten"},
       {"line not read", "lines not read"},
       {"step that changes nothing", "steps that change nothing"},
       {"rare character", "rare characters"},
       {"duplicate", "duplicates"}}};
  const Words& words = kWords[static_cast<std::size_t>(fault)];
  return count == 1 ? words.first : words.second;
}

bool is_wrong(Fault fault) {
  return fault <= Fault::kNoRewrite;
}

std::size_t Findings::wrong() const {
  return count(Fault::kTwoValues) + count(Fault::kFinalAndRewritten) + count(Fault::kUnread) +
         count(Fault::kNoRewrite);
}

Findings find_faults(const ExampleFile& file, const Alphabet& alphabet, const Progress& progress) {
  Finder finder(file);
  finder.take_characters(alphabet);
  finder.take_formulas(progress);
  return finder.result();
}

}  // namespace nrs::examples
