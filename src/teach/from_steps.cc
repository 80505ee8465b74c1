// A text system from steps.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "nrs/error.h"
#include "teach/finish.h"
#include "teach/hypotheses.h"
#include "teach/shapes.h"

namespace nrs::teach {
namespace {

constexpr double kTolerance = 0.03;   // votes against a neighbour that noise may explain
constexpr std::size_t kTried = 3000;  // steps by which hypotheses are compared

// Counts every rewrite for its pattern between its neighbours, and everything in a final formula
// that looks like a leaf against it.
void collect_evidence(Draft& draft, std::span<const TextStep> steps) {
  const Corpus& corpus = draft.corpus();
  for (const TextStep& step : steps) {
    const Symbols classes = corpus.classes(*step.before);
    for (const Rewrite& rewrite : step.rewrites) {
      const std::size_t size = rewrite.end - rewrite.begin;
      draft.add_value(step.before->substr(rewrite.begin, size), rewrite.value);
      const std::size_t pattern = draft.add_pattern(classes.substr(rewrite.begin, size));
      ++draft.evidence(pattern)[Draft::beside(classes, rewrite.begin, rewrite.end)].for_it;
    }
  }
  for (const RowExample& example : corpus.examples()) {
    if (!example.complete) continue;
    const Symbols classes = corpus.classes(example.rows.back());
    draft.matcher().visit_bodies(classes, [&](const text::Match& match) {
      ++draft.evidence(match.pattern)[Draft::beside(classes, match.begin, match.end)].against;
    });
  }
}

// Rare neighbours may come from wrong lines. Where rewriting there changes the answer of other
// examples, they do.
void check_rare(Draft& draft) {
  constexpr std::uint64_t kRare = 5, kEnough = 30;
  std::vector<Evidence> votes(draft.matcher().size());
  const Corpus& corpus = draft.corpus();
  for (const RowExample& example : corpus.examples()) {
    if (!example.complete || example.rows.size() < 2) continue;
    const Row& row = example.rows.front();
    const Symbols classes = corpus.classes(row);
    draft.matcher().visit_bodies(classes, [&](const text::Match& match) {
      const Neighbours pair = Draft::beside(classes, match.begin, match.end);
      const auto found = draft.evidence(match.pattern).find(pair);
      if (found == draft.evidence(match.pattern).end() || found->second.for_it > kRare) return;
      Votes& vote = votes[match.pattern][pair];
      if (vote.all() >= kEnough) return;
      const std::size_t size = match.end - match.begin;
      const std::optional<Row> value = draft.value(row.substr(match.begin, size));
      if (!value) return;
      Row next = row;
      const Draft::Normal normal = draft.normalise(next.replace(match.begin, size, *value));
      if (normal.known) ++(normal.row == example.rows.back() ? vote.for_it : vote.against);
    });
  }
  for (std::size_t pattern = 0; pattern < votes.size(); ++pattern) {
    for (const auto& [pair, vote] : votes[pattern]) {
      if (vote.against >= 2 && vote.against * 5 > vote.for_it)
        draft.evidence(pattern)[pair].against += vote.against;
    }
  }
}

struct Attempt {
  std::uint64_t cost = 0;
  std::vector<Symbols> shapes;
};

// How much there is to say: what is not explained, then leaves, then patterns.
Attempt attempt(std::span<const examples::Example> sample, const Hypothesis& hypothesis) {
  Corpus corpus(sample, hypothesis);
  std::vector<TextStep> steps = steps_of(corpus);
  Attempt result;
  result.shapes = find_shapes(corpus, steps);
  Draft draft(corpus);
  collect_evidence(draft, steps);
  std::uint64_t bad = 0;
  for (const TextStep& step : steps) bad += !step.explained();
  for (const RowExample& example : corpus.examples()) bad += example.cuts_token;
  for (const auto& [leaf, counts] : draft.values()) {
    for (const auto& [value, count] : counts) bad += value == commonest(counts) ? 0 : count;
  }
  for (std::size_t p = 0; p < draft.matcher().size(); ++p) {
    for (const auto& [pair, votes] : draft.evidence(p))
      bad += std::min(votes.for_it, votes.against);
  }
  result.cost = 20 * bad + draft.values().size() + 10 * draft.matcher().size();
  return result;
}

std::span<const examples::Example> sample_of(std::span<const examples::Example> examples) {
  std::size_t count = 0, steps = 0;
  while (count < examples.size() && steps < kTried) steps += examples[count++].formulas.size();
  return examples.first(count);
}

}  // namespace

TextSystem learn_from_steps(std::span<const examples::Example> examples,
                            const TextOptions& options) {
  std::optional<Attempt> best;
  Hypothesis chosen;
  for (const Hypothesis& hypothesis : hypotheses(examples)) {
    if (options.progress) options.progress("looking for leaves");
    Attempt tried = attempt(sample_of(examples), hypothesis);
    if (best && tried.cost >= best->cost) continue;
    best = std::move(tried);
    chosen = hypothesis;
  }
  if (!best || best->shapes.empty()) {
    throw Error(ErrorKind::kInput, "no part of the examples is rewritten in a way that repeats",
                "a chain shows each rewrite: (1+2)*3 -> 3*3 -> 9");
  }
  Corpus corpus(examples, chosen);
  std::vector<TextStep> steps = steps_of(corpus);
  if (sample_of(examples).size() == examples.size()) {
    best->shapes = find_shapes(corpus, steps);
  } else {
    explain(corpus, best->shapes, steps);
  }
  if (options.progress) options.progress("looking for what is beside leaves");
  Draft draft(corpus);
  for (const Symbols& shape : best->shapes) draft.add_pattern(shape);
  collect_evidence(draft, steps);
  draft.settle_all(1, kTolerance);
  check_rare(draft);
  draft.settle_all(1, kTolerance);
  return finish(draft, steps);
}

}  // namespace nrs::teach
