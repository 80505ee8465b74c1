#include "examples/held_out.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "base/rng.h"

namespace nrs::examples {
namespace {

constexpr std::size_t kFewestQuestions = 20;
constexpr std::size_t kOneIn = 10;

struct Question {
  std::size_t nesting;
  std::size_t length;
  std::uint64_t draw;
  std::string_view text;

  auto key() const { return std::tie(nesting, length, draw, text); }
};

bool is_question(const Example& example) {
  return example.formulas.size() > 1 || !example.places.empty();
}

std::vector<Question> distinct_questions(std::span<const Example> examples, std::uint64_t seed) {
  std::unordered_set<std::string_view> seen;
  std::vector<Question> questions;
  for (const Example& example : examples) {
    const std::string_view text = example.formulas[0];
    if (!is_question(example) || !seen.insert(text).second) continue;
    questions.push_back({nesting_of(text), text.size(), mix(seed, hash_text(text)), text});
  }
  return questions;
}

// Those that other derivations come through stay in training.
void keep_what_others_rewrite(std::span<const Example> examples,
                              std::unordered_set<std::string_view>& held_out) {
  std::vector<std::string_view> rewritten;
  for (const Example& example : examples) {
    if (held_out.contains(example.formulas[0])) continue;
    for (std::size_t i = 1; i + 1 < example.formulas.size(); ++i) {
      rewritten.push_back(example.formulas[i]);
    }
  }
  // A question that comes back into training brings its own derivation with it.
  std::unordered_map<std::string_view, std::vector<const Example*>> of_question;
  for (const Example& example : examples) {
    if (held_out.contains(example.formulas[0]))
      of_question[example.formulas[0]].push_back(&example);
  }
  while (!rewritten.empty()) {
    const std::string_view text = rewritten.back();
    rewritten.pop_back();
    if (held_out.erase(text) == 0) continue;
    for (const Example* example : of_question[text]) {
      for (std::size_t i = 1; i + 1 < example->formulas.size(); ++i) {
        rewritten.push_back(example->formulas[i]);
      }
    }
  }
}

}  // namespace

std::size_t nesting_of(std::string_view formula) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  for (const char c : formula) {
    if (c == '(' || c == '[' || c == '{') deepest = std::max(deepest, ++depth);
    if ((c == ')' || c == ']' || c == '}') && depth > 0) --depth;
  }
  return deepest;
}

Split split_held_out(std::span<const Example> examples, std::uint64_t seed) {
  std::vector<Question> questions = distinct_questions(examples, seed);
  std::unordered_set<std::string_view> held_out;
  if (questions.size() >= kFewestQuestions) {
    const std::size_t count = questions.size() / kOneIn;
    std::nth_element(questions.begin(), questions.begin() + static_cast<std::ptrdiff_t>(count),
                     questions.end(),
                     [](const Question& a, const Question& b) { return a.key() > b.key(); });
    for (std::size_t i = 0; i < count; ++i) held_out.insert(questions[i].text);
    keep_what_others_rewrite(examples, held_out);
  }
  Split split;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const bool out = is_question(examples[i]) && held_out.contains(examples[i].formulas[0]);
    (out ? split.held_out : split.train).push_back(static_cast<std::uint32_t>(i));
  }
  return split;
}

}  // namespace nrs::examples
