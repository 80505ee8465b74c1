#include "taught/verify_taught.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/rng.h"
#include "base/text.h"
#include "base/threads.h"
#include "taught/neighbourhoods.h"

namespace nrs::taught {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t kShown = 10;

struct Asked {
  std::string formula;
  std::string expected;
  Result result;
  bool other_order = false;  // the last leaf first comes to another answer
};

void ask(const Rewriter& rewriter, Asked& asked) {
  asked.result = rewriter.rewrite(asked.formula);
  const Result last = rewriter.rewrite(asked.formula, {.leaves = Leaves::kLast});
  asked.other_order = asked.result.ok() && last.ok() && last.formula != asked.result.formula;
}

void count(const Asked& asked, TaughtCheck& check) {
  const bool right = asked.result.ok() && same_formula(asked.result.formula, asked.expected);
  const bool wrong = asked.result.ok() && !right;
  check.contexts.add(
      {asked.formula.size(), asked.formula.size(), 1, right ? 1U : 0U, wrong ? 1U : 0U});
  check.orders += asked.other_order ? 1 : 0;
  if (check.first.size() >= kShown || (right && !asked.other_order)) return;
  check.first.push_back(fmt::format(
      "{} should be {}, {}", asked.formula, asked.expected,
      asked.other_order ? "but depends on which leaf is rewritten first"
      : asked.result.ok()
          ? "but is " + asked.result.formula
          : fmt::format("stopped ({}) at {}", name_of(asked.result.stop), asked.result.formula)));
}

void count(const std::vector<Replay>& replays, TaughtCheck& check) {
  check.examples = total_of(by_length(replays));
  for (const Replay& replay : replays) {
    if (replay.verdict == Verdict::kRight || check.first.size() >= kShown) continue;
    check.first.push_back(
        fmt::format("line {}: {}: {}", replay.example->line, replay.formula, replay.what));
  }
}

Json json_of(const LengthScore& score) {
  return {{"formulas", score.asked},
          {"right", score.right},
          {"wrong", score.wrong},
          {"refused", score.refused()},
          {"longest", score.longest}};
}

std::string text_of(const LengthScore& score) {
  return fmt::format("{} right, {} wrong, {} refused, of up to {} characters", score.right,
                     score.wrong, score.refused(), score.longest);
}

}  // namespace

std::string_view TaughtCheck::verdict() const {
  if (!nothing_wrong()) return "wrong";
  return examples.refused() + contexts.refused() == 0 ? "exact" : "sound";
}

TaughtCheck verify_taught(const Rewriter& rewriter, const KeptExamples& kept,
                          const TaughtRequest& request) {
  constexpr std::size_t kBatch = 512;
  TaughtCheck check;
  count(replay_examples(rewriter, kept.examples, {request.threads, request.progress}), check);
  const Neighbourhoods around(rewriter, kept.examples);
  std::set<std::string> leaves;
  for (const UsedLeaf& leaf : around.leaves()) leaves.insert(leaf.leaf);
  check.leaves = leaves.size();
  check.neighbours = around.leaves().size();
  if (around.formulas().empty()) return check;
  for (std::size_t done = 0; done < request.contexts; done += kBatch) {
    if (request.progress && !request.progress(check.examples.asked + done)) break;
    std::vector<Asked> batch(std::min(kBatch, request.contexts - done));
    parallel_for(batch.size(), request.threads, [&](std::size_t i) {
      KnownFormula grown = grown_formula(around, request.seed, done + i);
      batch[i].formula = std::move(grown.formula);
      batch[i].expected = std::move(grown.answer);
      ask(rewriter, batch[i]);
    });
    for (const Asked& asked : batch) count(asked, check);
  }
  return check;
}

Json to_json(const TaughtCheck& check) {
  Json json = {{"verdict", check.verdict()},
               {"examples", json_of(check.examples)},
               {"leaves", check.leaves},
               {"neighbours", check.neighbours},
               {"contexts", json_of(check.contexts)},
               {"order_matters", check.orders}};
  if (!check.first.empty()) json["first"] = check.first;
  return json;
}

std::string to_text(const TaughtCheck& check) {
  std::string text =
      fmt::format("examples    {}: {}\n", check.examples.asked, text_of(check.examples));
  text += fmt::format("leaves      {} different ones, between {} different neighbours\n",
                      check.leaves, check.neighbours);
  text += fmt::format("contexts    {} formulas spliced from the examples: {}\n",
                      check.contexts.asked, text_of(check.contexts));
  text +=
      fmt::format("order       {} of them depend on which leaf is rewritten first\n", check.orders);
  for (const std::string& line : check.first) text += "  " + excerpt(line, 200) + "\n";
  return text + fmt::format("verdict     {}\n", check.verdict());
}

}  // namespace nrs::taught
