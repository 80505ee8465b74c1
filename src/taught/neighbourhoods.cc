#include "taught/neighbourhoods.h"

#include <algorithm>

#include "nrs/error.h"
#include "taught/replay.h"

namespace nrs::taught {
namespace {

using examples::Example;

// Where each token begins or ends.
bool whole_tokens(const text::Lexer& lexer, std::string_view formula, Span part) {
  bool begins = false, ends = false;
  for (const Span token : lexer.cut(formula)) {
    begins |= token.begin == part.begin;
    ends |= token.end == part.end;
  }
  return begins && ends;
}

// Characters that final formulas write before a number.
std::string signs_of(std::span<const Example> examples) {
  const text::Lexer lexer{text::LexerConfig{}};
  std::set<char> signs;
  for (const Example& example : examples) {
    const std::string& last = example.formulas.back();
    if (!example.complete || last.size() < 2 ||
        std::string_view("+-~").find(last[0]) == std::string_view::npos)
      continue;
    const auto tokens = lexer.tokens(last);
    if (tokens.size() == 2 && text::is_number(tokens[1])) signs.insert(last[0]);
  }
  return {signs.begin(), signs.end()};
}

std::optional<Result> answer(const Rewriter& rewriter, const Example& example,
                             std::string& formula) {
  try {
    formula = rewriter.canonical(example.formulas.front());
  } catch (const Error&) {
    return {};
  }
  Result result = rewriter.rewrite(formula, {.keep_rounds = true});
  if (!result.ok()) return {};
  if (example.complete && !same_formula(result.formula, example.formulas.back())) return {};
  return result;
}

}  // namespace

std::string replace_part(std::string_view formula, Span part, std::string_view by) {
  std::string text(formula.substr(0, part.begin));
  text += by;
  return text += formula.substr(part.end);
}

Neighbourhoods::Neighbourhoods(const Rewriter& rewriter, std::span<const Example> examples,
                               std::size_t most)
    : lexer_(text::LexerConfig{.signs = signs_of(examples)}) {
  std::vector<const Example*> sorted;
  for (const Example& example : examples) sorted.push_back(&example);
  std::ranges::stable_sort(sorted, {}, [](const Example* e) { return e->formulas.front().size(); });
  if (sorted.size() > most) sorted.resize(most);
  if (!all_whole_tokens(sorted, rewriter, 100)) {
    lexer_ = text::Lexer({.numbers = false, .words = false});
  }
  std::map<std::string, std::string> known;
  for (const Example* example : sorted) take(rewriter, *example, known);
  finish(known);
}

// Whether words and numbers are tokens: a leaf is never a part of one.
bool Neighbourhoods::all_whole_tokens(std::span<const Example* const> sorted,
                                      const Rewriter& rewriter, std::size_t most) const {
  std::string formula;
  for (std::size_t i = 0; i < sorted.size() && most > 0; ++i) {
    const std::optional<Result> result = answer(rewriter, *sorted[i], formula);
    if (!result || result->record.empty()) continue;
    --most;
    for (const Attempt& attempt : result->record.front()) {
      if (attempt.applied && !whole_tokens(lexer_, formula, attempt.step.leaf)) return false;
    }
  }
  return true;
}

void Neighbourhoods::take(const Rewriter& rewriter, const Example& example,
                          std::map<std::string, std::string>& known) {
  std::string formula;
  const std::optional<Result> result = answer(rewriter, example, formula);
  if (!result) return;
  finals_.insert(result->formula);
  const std::vector<std::string> formulas = replay(formula, result->record);
  for (std::size_t i = 0; i < result->record.size() && i < formulas.size(); ++i) {
    take_round(formulas[i], result->record[i]);
    if (formulas[i] != result->formula) known.emplace(formulas[i], result->formula);
  }
}

void Neighbourhoods::take_round(std::string_view formula, const Round& round) {
  const std::vector<Span> tokens = lexer_.cut(formula);
  for (const Attempt& attempt : round) {
    if (!attempt.applied) continue;
    const Span leaf = attempt.step.leaf;
    const auto first = std::ranges::lower_bound(tokens, leaf.begin, {}, &Span::begin);
    const auto behind = std::ranges::lower_bound(tokens, leaf.end, {}, &Span::begin);
    const std::string_view left = first == tokens.begin() ? kBeyond : std::prev(first)->of(formula);
    const std::string_view right = behind == tokens.end() ? kBeyond : behind->of(formula);
    ++met_[{std::string(leaf.of(formula)), attempt.step.value, std::string(left),
            std::string(right)}];
  }
}

void Neighbourhoods::finish(const std::map<std::string, std::string>& known) {
  for (const auto& [key, times] : met_) {
    const auto& [leaf, value, left, right] = key;
    const std::vector<std::string_view> tokens = lexer_.tokens(value);
    if (!tokens.empty()) {
      by_first_token_[std::string(tokens.front())].push_back(
          static_cast<std::uint32_t>(leaves_.size()));
    }
    leaves_.push_back({leaf, value, left, right, times});
  }
  met_.clear();
  for (const auto& [formula, end] : known) formulas_.push_back({formula, end});
  std::ranges::stable_sort(formulas_, {}, [](const KnownFormula& f) { return f.formula.size(); });
}

void Neighbourhoods::visit_places(std::string_view formula, const Visit& visit) const {
  const std::vector<Span> tokens = lexer_.cut(formula);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto found = by_first_token_.find(std::string(tokens[i].of(formula)));
    if (found == by_first_token_.end()) continue;
    const std::string_view left = i == 0 ? kBeyond : tokens[i - 1].of(formula);
    for (const std::uint32_t number : found->second) {
      const UsedLeaf& leaf = leaves_[number];
      if (!formula.substr(tokens[i].begin).starts_with(leaf.value)) continue;
      const std::size_t end = tokens[i].begin + leaf.value.size();
      std::size_t last = i;
      while (last + 1 < tokens.size() && tokens[last].end < end) ++last;
      if (tokens[last].end != end) continue;  // the value ends inside a token
      visit({{tokens[i].begin, end},
             left,
             last + 1 == tokens.size() ? kBeyond : tokens[last + 1].of(formula)},
            leaf);
    }
  }
}

std::optional<std::string> Neighbourhoods::splice(std::string_view formula, Rng& rng) const {
  std::uint64_t count = 0;
  std::optional<std::pair<Span, const UsedLeaf*>> chosen;
  visit_places(formula, [&](const ValuePlace& place, const UsedLeaf& leaf) {
    if (place.left != leaf.left || place.right != leaf.right) return;
    if (rng.below(++count) == 0) chosen = {place.span, &leaf};
  });
  if (!chosen) return {};
  return replace_part(formula, chosen->first, chosen->second->leaf);
}

KnownFormula grown_formula(const Neighbourhoods& around, std::uint64_t seed, std::size_t number) {
  constexpr int kMostSplices = 12;
  Rng rng(seed, number);
  KnownFormula grown = around.formulas()[rng.below(around.formulas().size())];
  for (int splices = rng.between(1, kMostSplices); splices > 0; --splices) {
    std::optional<std::string> longer = around.splice(grown.formula, rng);
    if (!longer) break;
    grown.formula = std::move(*longer);
  }
  return grown;
}

std::vector<KnownFormula> spliced_formulas(const Rewriter& rewriter,
                                           std::span<const examples::Example> examples,
                                           std::size_t count, std::uint64_t seed) {
  const Neighbourhoods around(rewriter, examples);
  std::vector<KnownFormula> formulas;
  if (around.formulas().empty()) return formulas;
  for (std::size_t i = 0; i < count; ++i) formulas.push_back(grown_formula(around, seed, i));
  return formulas;
}

}  // namespace nrs::taught
