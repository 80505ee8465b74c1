#include "teach/hypotheses.h"

#include <algorithm>
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

}  // namespace

std::vector<Hypothesis> hypotheses(std::span<const examples::Example> examples) {
  const std::string signs = signs_of(examples);
  const bool blanks = spaced(examples);
  std::vector<Hypothesis> all;
  const auto add = [&](bool numbers, bool words, const std::string& sign) {
    const text::LexerConfig lexer{
        .numbers = numbers, .words = words, .signs = sign, .spaced = blanks};
    for (const bool values : {true, false}) {
      for (const bool number_class : {true, false}) {
        all.push_back({.lexer = lexer, .number_class = number_class, .value_class = values});
      }
    }
  };
  add(true, true, signs);
  if (!signs.empty()) add(true, true, {});
  add(true, false, signs);
  add(false, false, {});
  return all;
}

}  // namespace nrs::teach
