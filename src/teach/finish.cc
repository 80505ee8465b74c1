#include "teach/finish.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "rewrite/habits.h"
#include "teach/laws.h"

namespace nrs::teach {
namespace {

// Final texts are a few shapes, unless their length follows that of the question.
text::Finals finals_of(const Corpus& corpus) {
  constexpr std::size_t kMostShapes = 200, kLongestShape = 8, kMostLengths = 4;
  std::set<Symbols> shapes;
  std::set<std::size_t> lengths;
  std::set<Neighbours> neighbours;
  for (const RowExample& example : corpus.examples()) {
    if (!example.complete) continue;
    const Symbols classes = corpus.classes(example.rows.back());
    lengths.insert(classes.size());
    if (shapes.size() <= kMostShapes) shapes.insert(classes);
    Symbol before = text::Vocabulary::kStartSymbol;
    for (const Symbol symbol : classes) {
      neighbours.emplace(before, symbol);
      before = symbol;
    }
    neighbours.emplace(before, text::Vocabulary::kEndSymbol);
  }
  text::Finals finals;
  const bool closed = shapes.size() <= kMostShapes && lengths.size() <= kMostLengths &&
                      !lengths.empty() && *lengths.begin() > 0 &&
                      *lengths.rbegin() <= kLongestShape;
  if (closed) {
    for (const Symbols& shape : shapes) finals.shapes.push_back(corpus.names(shape));
    return finals;
  }
  for (const auto& [first, second] : neighbours) {
    finals.neighbours.emplace_back(corpus.vocabulary().name(first),
                                   corpus.vocabulary().name(second));
  }
  return finals;
}

void fill_table(const Draft& draft, TextSystem& system) {
  const Corpus& corpus = draft.corpus();
  for (const auto& [leaf, counts] : draft.values()) {
    const std::optional<std::size_t> pattern = draft.matcher().find(corpus.classes(leaf));
    if (!pattern) continue;
    ++system.support[*pattern].leaves;
    system.erases |= commonest(counts).empty();
  }
  // Where examples are wrong, one of them alone says too little.
  constexpr double kHardlyAny = 0.005;
  const double doubt = doubt_of(draft.values());
  std::uint64_t met = 0;
  for (const auto& [leaf, counts] : draft.values()) {
    const std::optional<std::size_t> found = draft.matcher().find(corpus.classes(leaf));
    if (!found) continue;
    const text::Pattern& pattern = system.patterns.patterns[*found];
    std::uint64_t times = 0;
    for (const auto& [value, count] : counts) times += count;
    met += times;
    if (pattern.copies || pattern.folds || pattern.computes) continue;
    system.once += times == 1;
    const bool sure = doubt < kHardlyAny || 2 * counts.at(commonest(counts)) >= times + 2;
    system.table[corpus.spell(leaf)] = {corpus.spell(commonest(counts)), times, sure};
  }
  for (const auto& [leaf, values] : draft.alone()) {
    system.patterns.alone[corpus.spell(draft.in_order(leaf))] = corpus.spell(commonest(values));
    system.erases |= commonest(values).empty();
  }
  system.unseen = met == 0 ? 0 : static_cast<double>(system.once) / static_cast<double>(met);
}

// Rewrites needed for a row of n tokens, with room to spare.
text::StepGrowth growth_of(std::span<const TextStep> steps, const Corpus& corpus) {
  std::vector<double> rewrites(corpus.examples().size());
  for (const TextStep& step : steps)
    rewrites[step.example] += static_cast<double>(step.rewrites.size());
  double linear = 1, quadratic = 0;
  for (std::size_t i = 0; i < rewrites.size(); ++i) {
    const auto n =
        static_cast<double>(std::max<std::size_t>(1, corpus.examples()[i].rows[0].size()));
    linear = std::max(linear, rewrites[i] / n);
    if (n >= 4) quadratic = std::max(quadratic, rewrites[i] / n / n);
  }
  constexpr double kRoom = 4;
  return {kRoom * linear, kRoom * quadratic};
}

std::string describe(const Corpus& corpus, const TextStep& step) {
  return fmt::format("no pattern explains how '{}' became '{}'",
                     excerpt(corpus.spell(*step.before)), excerpt(corpus.spell(*step.after)));
}

void add_support(const Draft& draft, std::span<const TextStep> steps, TextSystem& system) {
  constexpr std::size_t kShownLines = 5;
  const Corpus& corpus = draft.corpus();
  std::vector<examples::BadLine> doubtful;
  for (const TextStep& step : steps) {
    ++system.steps;
    const std::uint32_t line = corpus.examples()[step.example].line;
    if (!step.explained()) {
      doubtful.push_back({line, describe(corpus, step)});
      continue;
    }
    ++system.explained;
    for (const Rewrite& rewrite : step.rewrites) {
      const Row leaf = step.before->substr(rewrite.begin, rewrite.end - rewrite.begin);
      const auto pattern = draft.matcher().find(corpus.classes(leaf));
      if (!pattern) continue;
      PatternSupport& support = system.support[*pattern];
      ++support.rewrites;
      if (support.lines.size() < kShownLines &&
          (support.lines.empty() || support.lines.back() != line)) {
        support.lines.push_back(line);
      }
      const auto alone = draft.alone().find(*step.before);
      const bool whole = leaf.size() == step.before->size() && alone != draft.alone().end();
      const Draft::ValueCounts* counts = whole ? &alone->second : draft.counts(leaf);
      if (counts == nullptr) continue;
      const Row& usual = commonest(*counts);
      if (rewrite.value == usual) continue;
      system.suspicious.push_back(
          {line, fmt::format("'{}' became '{}', elsewhere '{}'", corpus.spell(leaf),
                             corpus.spell(rewrite.value), corpus.spell(usual))});
    }
  }
  system.suspicious.insert(system.suspicious.end(), doubtful.begin(), doubtful.end());
  std::set<std::uint32_t> named;  // a chain may have several such steps
  std::erase_if(system.suspicious,
                [&](const examples::BadLine& bad) { return !named.insert(bad.line).second; });
}

}  // namespace

TextSystem finish(const Draft& draft, std::span<const TextStep> steps) {
  const Corpus& corpus = draft.corpus();
  TextSystem system;
  text::PatternSet& set = system.patterns;
  set.lexer = corpus.lexer().config();
  set.number_class = corpus.number_class();
  set.values = corpus.values();
  set.longest_token = corpus.longest_token();
  for (std::size_t i = 0; i < draft.matcher().size(); ++i) {
    const text::Body& body = draft.matcher().body(i);
    set.patterns.push_back({.body = corpus.names(body.symbols),
                            .left = corpus.names(body.left),
                            .right = corpus.names(body.right),
                            .copies = draft.copies(i),
                            .any_order = draft.any_order(i),
                            .no_matter = draft.no_matter(i),
                            .folds = draft.folds(i),
                            .computes = draft.computes(i)});
  }
  set.numbers = draft.numbers();
  system.support.resize(set.patterns.size());
  set.finals = finals_of(corpus);
  set.growth = growth_of(steps, corpus);
  fill_table(draft, system);
  const auto balanced = [](const std::string& leaf, const std::string& value) {
    return rewrite::bracket_balance(leaf) == rewrite::bracket_balance(value);
  };
  set.balanced =
      std::ranges::all_of(system.table,
                          [&](const auto& e) { return balanced(e.first, e.second.value); }) &&
      std::ranges::all_of(set.alone, [&](const auto& e) { return balanced(e.first, e.second); });
  add_support(draft, steps, system);
  return system;
}

}  // namespace nrs::teach
