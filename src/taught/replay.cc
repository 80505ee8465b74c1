#include "taught/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/text.h"
#include "base/threads.h"
#include "nrs/error.h"
#include "text/lexer.h"

namespace nrs::taught {
namespace {

using examples::Example;

bool overlap(Span a, Span b) {
  return a.begin <= b.end && b.begin <= a.end;
}

std::string cited(std::string_view text) {
  return fmt::format("'{}'", excerpt(text));
}

// The least range of `before` that contains all differences from `after`.
Span difference(std::string_view before, std::string_view after) {
  const auto [end, other] = std::ranges::mismatch(before, after);
  const auto prefix = static_cast<std::size_t>(end - before.begin());
  const std::size_t most = std::min(before.size(), after.size()) - prefix;
  std::size_t suffix = 0;
  while (suffix < most && before[before.size() - 1 - suffix] == after[after.size() - 1 - suffix]) {
    ++suffix;
  }
  return {prefix, before.size() - suffix};
}

// What stands in `after` where `leaf` was in `before`, if nothing else has changed.
std::optional<std::string_view> replaced(std::string_view before, Span leaf,
                                         std::string_view after) {
  const std::string_view head = before.substr(0, leaf.begin), tail = before.substr(leaf.end);
  if (after.size() < head.size() + tail.size() || !after.starts_with(head) ||
      !after.ends_with(tail)) {
    return {};
  }
  return after.substr(head.size(), after.size() - head.size() - tail.size());
}

Blame blame_of(Stop stop) {
  switch (stop) {
    case Stop::kUnknownLeaf:
    case Stop::kLowConfidence:
      return Blame::kValue;
    case Stop::kCycle:
    case Stop::kStepLimit:
    case Stop::kMemoryLimit:
      return Blame::kLimit;
    default:
      return Blame::kLeaf;
  }
}

class Asker {
 public:
  Asker(const Rewriter& rewriter, const Example& example) : rewriter_(rewriter), example_(example) {
    replay_.example = &example;
  }

  Replay ask() {
    try {
      if (!example_.places.empty()) {
        ask_places();
      } else {
        ask_end();
      }
    } catch (const Error& error) {
      set(Verdict::kRefused, Blame::kUnread, example_.formulas.front(), error.what());
    }
    return std::move(replay_);
  }

 private:
  void set(Verdict verdict, Blame blame, std::string formula, std::string what) {
    replay_.verdict = verdict;
    replay_.blame = blame;
    replay_.formula = std::move(formula);
    replay_.what = std::move(what);
  }

  void refuse(const Result& result) {
    set(Verdict::kRefused, blame_of(result.stop), result.formula,
        fmt::format("stopped: {}", name_of(result.stop)));
  }

  Result run(std::string_view formula, bool keep_rounds = false) const {
    const std::string text = rewriter_.canonical(std::string(formula));
    return rewriter_.rewrite(text, {.keep_rounds = keep_rounds});
  }

  void ask_end() {
    const Result result = run(example_.formulas.front());
    if (!result.ok()) return refuse(result);
    std::string expected = example_.formulas.back();
    if (!example_.complete) {
      const Result end = run(expected);
      if (!end.ok()) return refuse(end);
      expected = end.formula;
    }
    if (!same_formula(result.formula, expected)) find_blame(expected);
  }

  // The last formula of the example from which the model goes elsewhere: what comes behind it is
  // done right.
  void find_blame(const std::string& expected) {
    constexpr std::size_t kMostFormulas = 200;
    const std::vector<std::string>& formulas = example_.formulas;
    std::size_t at = 0;
    for (std::size_t i = std::min(formulas.size(), kMostFormulas); i-- > 1;) {
      const Result result = run(formulas[i]);
      if (result.ok() && same_formula(result.formula, expected)) continue;
      at = i;
      break;
    }
    const bool shown = example_.kind == examples::Kind::kSteps && at + 1 < formulas.size();
    if (!shown) {
      return set(Verdict::kWrong, formulas.size() == 1 ? Blame::kLeaf : Blame::kUntold,
                 formulas[at], fmt::format("came to {}", cited(run(formulas[at]).formula)));
    }
    compare_step(rewriter_.canonical(formulas[at]), rewriter_.canonical(formulas[at + 1]));
  }

  void compare_step(const std::string& before, const std::string& after) {
    const Result result = run(before, /*keep_rounds=*/true);
    const Span changed = difference(before, after);
    const Attempt* other = nullptr;
    const Round round = result.record.empty() ? Round{} : result.record.front();
    for (const Attempt& attempt : round) {
      const std::string_view leaf = attempt.step.leaf.of(before);
      if (!overlap(attempt.step.leaf, changed)) {
        other = &attempt;
        continue;
      }
      const auto value = replaced(before, attempt.step.leaf, after);
      if (!value) return took(before, leaf);
      if (*value == attempt.step.value) continue;
      return set(Verdict::kWrong, Blame::kValue, before,
                 fmt::format("{} became {}, in the example {}", cited(leaf),
                             cited(attempt.step.value), cited(*value)));
    }
    if (other != nullptr) return took(before, other->step.leaf.of(before));
    set(Verdict::kWrong, Blame::kLeaf, before,
        fmt::format("no leaf at {}", cited(changed.of(before))));
  }

  void took(const std::string& before, std::string_view leaf) {
    set(Verdict::kWrong, Blame::kLeaf, before,
        fmt::format("{} was rewritten, and the example rewrites something else", cited(leaf)));
  }

  // What is done first must be what the example states, all of it if it states everything.
  void ask_places() {
    const std::string& formula = example_.formulas.front();
    rewriter_.check(formula);
    const Result result = rewriter_.rewrite(formula, {.keep_rounds = true});
    const Round round = result.record.empty() ? Round{} : result.record.front();
    std::size_t done = 0;
    for (const Attempt& attempt : round) {
      if (!attempt.applied) continue;
      if (!agrees(formula, attempt)) return;
      ++done;
    }
    const bool all = example_.all_places && rewriter_.modular() != nullptr;
    if (done == 0 || (all && done < example_.places.front().size())) refuse(result);
  }

  bool agrees(const std::string& formula, const Attempt& attempt) {
    const Span leaf = attempt.step.leaf;
    for (const examples::Place& place : example_.places.front()) {
      if (!(Span{place.begin, place.end} == leaf)) continue;
      if (same_formula(place.value, attempt.step.value)) return true;
      set(Verdict::kWrong, Blame::kValue, formula,
          fmt::format("{} became {}, in the example {}", cited(leaf.of(formula)),
                      cited(attempt.step.value), cited(place.value)));
      return false;
    }
    if (!example_.all_places) return true;
    took(formula, leaf.of(formula));
    return false;
  }

  const Rewriter& rewriter_;
  const Example& example_;
  Replay replay_;
};

}  // namespace

std::vector<Replay> replay_examples(const Rewriter& rewriter, std::span<const Example> examples,
                                    const ReplayOptions& options) {
  constexpr std::size_t kBatch = 1024;
  std::vector<Replay> replays;
  while (replays.size() < examples.size()) {
    if (options.progress && !options.progress(replays.size())) break;
    const std::size_t begin = replays.size();
    replays.resize(std::min(examples.size(), begin + kBatch));
    parallel_for(replays.size() - begin, options.threads, [&](std::size_t i) {
      replays[begin + i] = Asker(rewriter, examples[begin + i]).ask();
    });
  }
  return replays;
}

bool same_formula(std::string_view a, std::string_view b) {
  static const text::Lexer lexer{text::LexerConfig{}};
  return a == b || lexer.tokens(a) == lexer.tokens(b);
}

void LengthScore::add(const LengthScore& other) {
  shortest = asked == 0 ? other.shortest : std::min(shortest, other.shortest);
  longest = std::max(longest, other.longest);
  asked += other.asked;
  right += other.right;
  wrong += other.wrong;
}

std::vector<LengthScore> by_length(std::span<const Replay> replays) {
  constexpr std::size_t kGroups = 5;
  const auto length = [](const Replay* replay) { return replay->example->formulas.front().size(); };
  std::vector<const Replay*> sorted;
  for (const Replay& replay : replays) sorted.push_back(&replay);
  std::ranges::stable_sort(sorted, {}, length);
  std::vector<LengthScore> scores;
  for (std::size_t group = 0; group < kGroups; ++group) {
    const std::size_t begin = group * sorted.size() / kGroups;
    const std::size_t end = (group + 1) * sorted.size() / kGroups;
    if (begin == end) continue;
    LengthScore& score = scores.emplace_back();
    for (std::size_t i = begin; i < end; ++i) {
      const Verdict verdict = sorted[i]->verdict;
      score.add({length(sorted[i]), length(sorted[i]), 1, verdict == Verdict::kRight ? 1U : 0U,
                 verdict == Verdict::kWrong ? 1U : 0U});
    }
  }
  return scores;
}

LengthScore total_of(std::span<const LengthScore> scores) {
  LengthScore total;
  for (const LengthScore& score : scores) total.add(score);
  return total;
}

void to_json(nlohmann::ordered_json& json, const LengthScore& score) {
  json = {{"shortest", score.shortest}, {"longest", score.longest}, {"questions", score.asked},
          {"right", score.right},       {"wrong", score.wrong},     {"refused", score.refused()}};
}

std::string to_text(std::span<const LengthScore> scores) {
  std::vector<std::vector<std::string>> rows{
      {"characters", "questions", "right", "wrong", "refused"}};
  for (const LengthScore& score : scores) {
    rows.push_back({fmt::format("{}-{}", score.shortest, score.longest),
                    fmt::to_string(score.asked), fmt::to_string(score.right),
                    fmt::to_string(score.wrong), fmt::to_string(score.refused())});
  }
  return align(rows);
}

}  // namespace nrs::taught
