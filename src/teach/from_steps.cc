// A text system from steps.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "nrs/error.h"
#include "teach/alike.h"
#include "teach/finish.h"
#include "teach/hypotheses.h"
#include "teach/shapes.h"

namespace nrs::teach {
namespace {

// As much of what was rewritten there may speak against it: noise.
constexpr Standard kStandard{.least = 1, .tolerance = 0.12};
constexpr std::size_t kTried = 3000;  // steps by which hypotheses are compared

// Counts every rewrite for its pattern between its neighbours, and everything in a final formula
// that looks like a leaf against it.
void collect_evidence(Draft& draft, std::span<const TextStep> steps) {
  const Corpus& corpus = draft.corpus();
  for (const TextStep& step : steps) {
    const Symbols classes = corpus.classes(*step.before);
    const std::uint32_t times = corpus.examples()[step.example].times;
    for (const Rewrite& rewrite : step.rewrites) {
      const std::size_t size = rewrite.end - rewrite.begin;
      const Row leaf = step.before->substr(rewrite.begin, size);
      size == step.before->size() ? draft.add_alone(leaf, rewrite.value, times)
                                  : draft.add_value(leaf, rewrite.value, times);
      const std::size_t pattern = draft.add_pattern(classes.substr(rewrite.begin, size));
      draft.evidence(pattern)[Draft::beside(classes, rewrite.begin, rewrite.end)].for_it += times;
    }
  }
  draft.settle_alone();
  for (const RowExample& example : corpus.examples()) {
    if (!example.complete) continue;
    const Symbols classes = corpus.classes(example.rows.back());
    draft.matcher().visit_bodies(classes, [&](const text::Match& match) {
      const Neighbours pair = Draft::beside(classes, match.begin, match.end);
      draft.evidence(match.pattern)[pair].against += example.times;
    });
  }
}

// Whether a formula of an example still ends as the example does if a match in it is rewritten.
// Nothing where that is not known. (Where rewriting gets stuck, nothing is known of neighbours that
// are new: others may be missing, too.)
std::optional<bool> ends_the_same(const Draft& draft, const RowExample& example, const Row& row,
                                  const text::Match& match, bool seen) {
  const std::size_t size = match.end - match.begin;
  const std::optional<Row> value = draft.value_in(row, match.begin, size);
  if (!value) return {};
  Row next = row;
  const Draft::Normal normal = draft.normalise(next.replace(match.begin, size, *value));
  const bool stuck = normal.row.size() > example.rows.back().size();
  if (!normal.known || (stuck && !seen)) return {};
  return normal.row == example.rows.back();
}

// Rare neighbours may come from wrong lines, and those between which nothing was rewritten may be
// forbidden. Where rewriting there changes the answer of other examples, they are. Every formula of
// a chain is asked, because some tokens stand only in the middle of a derivation.
void try_neighbours(Draft& draft) {
  constexpr std::uint64_t kRare = 5, kEnough = 100;
  std::vector<Evidence> votes(draft.matcher().size());
  const Corpus& corpus = draft.corpus();
  std::set<std::pair<std::size_t, Neighbours>> voted;  // an example that is wrong speaks only once
  const auto ask = [&](const RowExample& example, const Row& row) {
    const Symbols classes = corpus.classes(row);
    draft.matcher().visit_bodies(classes, [&](const text::Match& match) {
      const Neighbours pair = Draft::beside(classes, match.begin, match.end);
      const auto found = draft.evidence(match.pattern).find(pair);
      const bool seen = found != draft.evidence(match.pattern).end();
      if (seen && found->second.for_it > kRare) return;
      Votes& vote = votes[match.pattern][pair];
      if (vote.all() >= kEnough || voted.contains({match.pattern, pair})) return;
      const std::optional<bool> same = ends_the_same(draft, example, row, match, seen);
      if (!same) return;
      ++(*same ? vote.for_it : vote.against);
      voted.emplace(match.pattern, pair);
    });
  };
  for (const RowExample& example : corpus.examples()) {
    if (!example.complete) continue;
    voted.clear();
    for (std::size_t i = 0; i + 1 < example.rows.size(); ++i) ask(example, example.rows[i]);
  }
  for (std::size_t pattern = 0; pattern < votes.size(); ++pattern) {
    for (const auto& [pair, vote] : votes[pattern]) {
      if (vote.against >= 2 && vote.against * 5 > vote.for_it)
        draft.evidence(pattern)[pair].against += vote.against;
    }
  }
}

// How many examples rewriting takes somewhere else than they end.
std::uint64_t wrong_ends(const Draft& draft) {
  constexpr std::size_t kReplayed = 400;
  std::uint64_t wrong = 0;
  std::size_t replayed = 0;
  for (const RowExample& example : draft.corpus().examples()) {
    if (!example.complete || example.rows.size() < 2) continue;
    if (++replayed > kReplayed) break;
    const Draft::Normal normal = draft.normalise(example.rows.front());
    wrong += normal.known && normal.row != example.rows.back();
  }
  return wrong;
}

struct Attempt {
  std::uint64_t cost = 0;   // how much there is to say
  std::uint64_t wrong = 0;  // see wrong_ends()
  std::vector<Symbols> shapes{};
  // The same for other corpora: shapes, and what is none.
  std::vector<std::vector<std::string>> shape_names{};
  std::vector<std::vector<std::string>> banned_names{};
};

// What is not explained costs most, then leaves, then patterns.
Attempt attempt(Corpus& corpus, const std::set<Symbols>& banned) {
  std::vector<TextStep> steps = steps_of(corpus);
  Attempt result;
  result.shapes = find_shapes(corpus, steps, banned);
  Draft draft(corpus);
  collect_evidence(draft, steps);
  draft.settle_all(kStandard);
  result.wrong = wrong_ends(draft);
  std::uint64_t bad = 8 * result.wrong;  // a whole example, not a step of it
  for (const TextStep& step : steps) bad += !step.explained();
  for (const RowExample& example : corpus.examples()) bad += example.cuts_token;
  for (const auto& [leaf, counts] : draft.values()) {
    for (const auto& [value, count] : counts) bad += value == commonest(counts) ? 0 : count;
  }
  for (std::size_t p = 0; p < draft.matcher().size(); ++p) {
    for (const auto& [pair, votes] : draft.evidence(p)) {
      bad += std::min(votes.for_it, votes.against);
    }
  }
  result.cost =
      20 * bad + 12 * (draft.values().size() + draft.alone().size()) + 40 * draft.matcher().size();
  return result;
}

// A shape may explain many steps and still be none: that a number vanishes explains how [MIN 4 7
// becomes [MIN 4, but not which one vanishes. Rewriting then ends elsewhere, and what is better
// without the shape is done without it.
Attempt refine(std::span<const examples::Example> sample, const Hypothesis& hypothesis) {
  constexpr std::uint64_t kFewWrong = 8;  // of kReplayed, or of fewer
  constexpr int kMostBanned = 3;
  Corpus corpus(sample, hypothesis);
  std::set<Symbols> banned;
  Attempt best = attempt(corpus, banned);
  for (int round = 0; round < kMostBanned && best.wrong > kFewWrong; ++round) {
    const std::set<Symbols> before = banned;
    for (const Symbols& shape : std::vector<Symbols>(best.shapes)) {
      std::set<Symbols> without = before;
      without.insert(shape);
      Attempt tried = attempt(corpus, without);
      // Wrong examples end elsewhere, too, whatever the shapes are.
      if (tried.cost >= best.cost || 2 * tried.wrong > best.wrong) continue;
      best = std::move(tried);
      banned = std::move(without);
    }
    if (banned == before) break;
  }
  for (const Symbols& shape : best.shapes) best.shape_names.push_back(corpus.names(shape));
  for (const Symbols& shape : banned) best.banned_names.push_back(corpus.names(shape));
  return best;
}

std::span<const examples::Example> sample_of(std::span<const examples::Example> examples) {
  std::size_t count = 0, steps = 0;
  while (count < examples.size() && steps < kTried) steps += examples[count++].formulas.size();
  return examples.first(count);
}

}  // namespace

TextSystem learn_from_steps(std::span<const examples::Example> examples,
                            const TextOptions& options) {
  const std::span<const examples::Example> sample = sample_of(examples);
  std::optional<std::uint64_t> least;
  Hypothesis chosen;
  for (const Hypothesis& hypothesis : hypotheses(examples)) {
    if (options.progress) options.progress("looking for leaves");
    Corpus corpus(sample, hypothesis);
    const std::uint64_t cost = attempt(corpus, {}).cost;
    if (least && cost >= *least) continue;
    least = cost;
    chosen = hypothesis;
  }
  const Attempt best = refine(sample, chosen);
  if (best.shapes.empty()) {
    throw Error(ErrorKind::kInput, "no part of the examples is rewritten in a way that repeats",
                "a chain shows each rewrite: (1+2)*3 -> 3*3 -> 9");
  }
  Corpus corpus(examples, chosen);
  std::vector<TextStep> steps = steps_of(corpus);
  std::vector<Symbols> shapes;
  if (sample.size() == examples.size()) {
    std::set<Symbols> banned;
    for (const auto& names : best.banned_names) banned.insert(corpus.symbols(names));
    shapes = find_shapes(corpus, steps, banned);
  } else {
    for (const auto& names : best.shape_names) shapes.push_back(corpus.symbols(names));
    explain(corpus, shapes, steps);
  }
  if (options.progress) options.progress("looking for what is beside leaves");
  Draft draft(corpus);
  for (const Symbols& shape : shapes) draft.add_pattern(shape);
  collect_evidence(draft, steps);
  draft.settle_all(kStandard);
  draft.find_laws();
  // The second time with what is alike: rewriting then gets stuck less often, and tells more.
  for (int time = 0; time < 2; ++time) {
    try_neighbours(draft);
    draft.settle_all(kStandard);
    accept_alike(draft);
  }
  return finish(draft, steps);
}

}  // namespace nrs::teach
