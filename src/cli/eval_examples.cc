#include "cli/eval_examples.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.h"
#include "base/process.h"
#include "base/status_line.h"
#include "base/text.h"
#include "base/threads.h"
#include "cli/console.h"
#include "eval/origin.h"
#include "examples/examples.h"
#include "service/answerer.h"
#include "taught/replay.h"

namespace nrs::cli {
namespace {

using Json = nlohmann::ordered_json;
using taught::Blame;
using taught::Replay;

std::map<Blame, std::size_t> count_blame(const std::vector<Replay>& replays) {
  std::map<Blame, std::size_t> counts;
  for (const Replay& replay : replays) {
    if (replay.blame != Blame::kNobody) ++counts[replay.blame];
  }
  return counts;
}

Json json_of(const Replay& replay) {
  return {{"line", replay.example->line},
          {"question", replay.example->formulas.front()},
          {"verdict", replay.verdict == taught::Verdict::kWrong ? "wrong" : "refused"},
          {"fault", enum_name(replay.blame)},
          {"formula", replay.formula},
          {"what", replay.what}};
}

Json to_json(const std::vector<Replay>& replays) {
  const std::vector<taught::LengthScore> scores = taught::by_length(replays);
  Json faults = Json::object();
  for (const auto& [blame, count] : count_blame(replays)) {
    faults[std::string(enum_name(blame))] = count;
  }
  return {{"total", taught::total_of(scores)}, {"lengths", scores}, {"faults", std::move(faults)}};
}

std::string to_text(const std::vector<Replay>& replays) {
  constexpr std::size_t kShown = 10;
  std::vector<taught::LengthScore> scores = taught::by_length(replays);
  scores.push_back(taught::total_of(scores));
  std::string text = taught::to_text(scores);
  std::vector<std::string> faults;
  for (const auto& [blame, count] : count_blame(replays)) {
    faults.push_back(fmt::format("{} {}", count, enum_name(blame)));
  }
  if (!faults.empty()) text += fmt::format("faults: {}\n", fmt::join(faults, ", "));
  std::size_t shown = 0;
  for (const Replay& replay : replays) {
    if (replay.blame == Blame::kNobody || shown++ >= kShown) continue;
    text += fmt::format("  line {}: {}: {}\n", replay.example->line, excerpt(replay.formula, 60),
                        replay.what);
  }
  return text;
}

}  // namespace

int eval_examples(const ExampleEval& options, const architectures::RunningModel& model) {
  std::optional<AtomicFile> errors;
  if (!options.errors.empty()) errors.emplace(options.errors);
  const examples::ExampleFile file =
      examples::read_examples(options.examples, {.finals_only = true});
  StatusLine status(stderr, errors_are_terminal());
  notice_interrupts();
  const std::vector<Replay> replays = taught::replay_examples(
      model.rewriter(), file.examples,
      {.threads = thread_count(options.threads), .progress = [&](std::size_t done) {
         if (status.due()) status.show(fmt::format("{} examples", done));
         return interrupted() == 0;
       }});
  status.clear();
  for (const Replay& replay : replays) {
    if (errors && replay.blame != Blame::kNobody)
      errors->write(service::json_text(json_of(replay)) + "\n");
  }
  if (errors) errors->commit();
  Json json = {{"model", options.model}, {"examples", options.examples}};
  json.update(to_json(replays));
  eval::add_origin(json, "nrs " NRS_VERSION, &model.model());
  print(options.json ? service::json_text(json, 2) + "\n" : to_text(replays));
  return interrupted() != 0 ? 128 + interrupted() : kDone;
}

}  // namespace nrs::cli
