#include "teach/hypotheses.h"

#include <algorithm>
#include <set>
#include <string>

namespace nrs::teach {
namespace {

// Characters that final formulas write before a number.
std::string signs_of(std::span<const examples::Example> examples) {
  constexpr std::string_view kSigns = "+-~";
  std::string signs;
  for (const examples::Example& example : examples) {
    const std::string& last = example.formulas.back();
    if (!example.complete || last.size() < 2 || !text::is_number(last.substr(0, 2))) continue;
    const bool sign = kSigns.find(last[0]) != std::string_view::npos;
    if (sign && signs.find(last[0]) == std::string::npos) signs += last[0];
  }
  std::ranges::sort(signs);
  return signs;
}

// Whether most formulas of several characters have a blank in them.
bool spaced(std::span<const examples::Example> examples) {
  std::size_t with = 0, all = 0;
  for (const examples::Example& example : examples) {
    const std::string& first = example.formulas.front();
    if (first.size() < 3) continue;
    ++all;
    with += first.find(' ') != std::string::npos;
  }
  return 2 * with > all;
}

// Rows of tokens that are final formulas, if they can be told from all else: whatever stands before
// it, the first token begins a row. None if final formulas are single tokens, or have any length.
std::vector<std::vector<std::string>> compounds_of(std::span<const examples::Example> examples,
                                                   const text::LexerConfig& config) {
  constexpr std::size_t kMost = 200, kLongest = 16;
  const text::Lexer lexer(config);
  std::set<std::vector<std::string>> rows;
  for (const examples::Example& example : examples) {
    if (!example.complete) continue;
    std::vector<std::string> row;
    for (const std::string_view token : lexer.tokens(example.formulas.back()))
      row.emplace_back(text::is_number(token) ? text::kNumber : token);
    if (row.size() > kLongest) return {};
    if (row.size() > 1) rows.insert(std::move(row));
    if (rows.size() > kMost) return {};
  }
  std::set<std::string> first, inner;
  for (const std::vector<std::string>& row : rows) {
    first.insert(row.front());
    inner.insert(row.begin() + 1, row.end());
  }
  const auto also_inner = [&](const std::string& token) { return inner.contains(token); };
  if (std::ranges::any_of(first, also_inner)) return {};
  return {rows.begin(), rows.end()};
}

// Readings that cannot write the formulas as people do would answer with other blanks: c a r.
void drop_misspelling(std::span<const examples::Example> examples, std::vector<Hypothesis>& all) {
  constexpr std::size_t kRead = 200;
  const auto tried = examples.first(std::min(kRead, examples.size()));
  const auto spelt = [&](const Hypothesis& hypothesis) {
    const text::Lexer lexer(hypothesis.lexer);
    return std::ranges::count_if(tried, [&](const examples::Example& example) {
      return lexer.canonical(example.formulas.front()) == example.formulas.front();
    });
  };
  std::vector<std::ptrdiff_t> counts;
  for (const Hypothesis& hypothesis : all) counts.push_back(spelt(hypothesis));
  const std::ptrdiff_t most = *std::ranges::max_element(counts);
  std::vector<Hypothesis> kept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (2 * counts[i] >= most) kept.push_back(std::move(all[i]));
  }
  all = std::move(kept);
}

}  // namespace

std::vector<Hypothesis> hypotheses(std::span<const examples::Example> examples) {
  const std::string signs = signs_of(examples);
  const bool blanks = spaced(examples);
  std::vector<Hypothesis> all;
  const auto add = [&](bool numbers, bool words, const std::string& sign) {
    text::LexerConfig lexer{.numbers = numbers, .words = words, .signs = sign, .spaced = blanks};
    auto compounds = compounds_of(examples, lexer);
    if (!compounds.empty()) {
      text::LexerConfig joined = lexer;
      joined.compounds = std::move(compounds);
      all.push_back({.lexer = std::move(joined)});
    }
    for (const bool values : {true, false}) {
      for (const bool number_class : {true, false}) {
        all.push_back({.lexer = lexer, .number_class = number_class, .value_class = values});
      }
    }
  };
  add(true, true, signs);
  if (!signs.empty()) add(true, true, {});
  add(true, false, signs);
  add(false, true, {});
  add(false, false, {});
  drop_misspelling(examples, all);
  return all;
}

}  // namespace nrs::teach
