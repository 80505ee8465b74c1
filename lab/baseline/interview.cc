#include "baseline/interview.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "base/status_line.h"
#include "baseline/prose.h"
#include "eval/eval_report.h"

namespace nrs {
namespace {

// The last reply of one sample.
std::optional<std::string> ask_sample(const InterviewSettings& settings, Turn turn,
                                      const Reply& reply) {
  const std::string text = question_of(*turn.question->domain, turn.question->formula);
  std::vector<std::string> replies;
  for (turn.call = 0; turn.call < calls_of(settings.protocol); ++turn.call) {
    const auto request =
        chat_request(settings.model, messages_of(settings.protocol, text, replies));
    const std::optional<ChatAnswer> answer = reply(turn, request.dump());
    if (!answer) return {};
    replies.push_back(answer->content);
  }
  return replies.back();
}

}  // namespace

Judged interview(const InterviewSettings& settings, const Question& question, const Reply& reply) {
  Judged judged;
  std::vector<std::optional<std::string>> answers;
  for (int sample = 0; sample < settings.samples; ++sample) {
    const auto text = ask_sample(settings, {&question, sample, 0}, reply);
    if (!text) return {};  // the other samples are asked when the run is resumed
    answers.push_back(answer_in(*question.domain, spoken_part(*text), question.formula));
    if (answers.back() && right_answer(question, *answers.back())) ++judged.samples_right;
  }
  judged.answer = vote(answers);
  if (!judged.answer) {
    judged.grade = Grade::kUnparsed;
  } else {
    judged.grade = right_answer(question, *judged.answer) ? Grade::kRight : Grade::kWrong;
  }
  return judged;
}

namespace {

using Json = nlohmann::ordered_json;

Json share(std::size_t part, std::size_t whole) {
  if (whole == 0) return nullptr;
  return static_cast<double>(part) / static_cast<double>(whole);
}

void add_counts(Json& object, const LlmTally& tally, int samples) {
  object["formulas"] = tally.formulas();
  object["correct"] = tally.right;
  object["answered"] = tally.right + tally.wrong;
  object["wrong"] = tally.wrong;
  object["unparsed"] = tally.unparsed;
  object["failed"] = tally.failed;
  object["accuracy"] = share(tally.right, tally.formulas());
  object["sample_accuracy"] =
      share(tally.samples_right, tally.formulas() * static_cast<std::size_t>(samples));
}

std::vector<std::string> cells_of(const LlmTally& tally, int samples) {
  std::vector<std::string> cells{std::to_string(tally.formulas()), std::to_string(tally.right),
                                 show_percent(tally.right, tally.formulas())};
  if (samples > 1) {
    cells.push_back(
        show_percent(tally.samples_right, tally.formulas() * static_cast<std::size_t>(samples)));
  }
  for (const std::size_t count : {tally.wrong, tally.unparsed, tally.failed}) {
    cells.push_back(std::to_string(count));
  }
  return cells;
}

}  // namespace

void LlmTally::add(const LlmTally& other) {
  right += other.right;
  wrong += other.wrong;
  unparsed += other.unparsed;
  failed += other.failed;
  samples_right += other.samples_right;
}

void LlmTally::count(const Judged& judged) {
  right += judged.grade == Grade::kRight;
  wrong += judged.grade == Grade::kWrong;
  unparsed += judged.grade == Grade::kUnparsed;
  failed += judged.grade == Grade::kFailed;
  samples_right += static_cast<std::size_t>(judged.samples_right);
}

LlmTally LlmScores::total() const {
  LlmTally all;
  for (const auto& [level, tally] : levels) all.add(tally);
  return all;
}

Json to_json(const InterviewSettings& settings, const std::string& record,
             const LlmScores& scores) {
  Json object = {{"model", settings.model.name},
                 {"engine", "llm"},
                 {"protocol", name_of(settings.protocol)},
                 {"samples", settings.samples}};
  add_counts(object, scores.total(), settings.samples);
  object["seconds"] = scores.seconds;
  Json& levels = object["levels"] = Json::array();
  for (const auto& [level, tally] : scores.levels) {
    Json& entry = levels.emplace_back();
    entry["domain"] = level.domain;
    entry["nesting"] = level.nesting;
    entry["args"] = level.args ? Json(*level.args) : Json(nullptr);
    add_counts(entry, tally, settings.samples);
  }
  object["requests"] = scores.tries;
  object["prompt_tokens"] = scores.prompt_tokens;
  object["completion_tokens"] = scores.completion_tokens;
  object["fields"] = settings.model.fields;
  object["endpoint"] = settings.endpoint;
  object["questions"] = settings.questions;
  object["record"] = record;
  object["interrupted"] = scores.interrupted;
  return object;
}

std::string to_table(const InterviewSettings& settings, const LlmScores& scores) {
  LevelTable table{{"formulas", "right", "%"}, {}, cells_of(scores.total(), settings.samples)};
  if (settings.samples > 1) table.names.emplace_back("% of samples");
  table.names.insert(table.names.end(), {"wrong", "unparsed", "failed"});
  for (const auto& [level, tally] : scores.levels) {
    table.levels.emplace_back(level, cells_of(tally, settings.samples));
  }
  std::string text = table.text();
  text += fmt::format("{}, {}, {} sample{}: {} requests in {}, {} + {} tokens\n",
                      settings.model.name, name_of(settings.protocol), settings.samples,
                      settings.samples == 1 ? "" : "s", scores.tries, show_duration(scores.seconds),
                      scores.prompt_tokens, scores.completion_tokens);
  if (scores.interrupted) text += "interrupted: these are only the formulas asked so far\n";
  return text;
}

}  // namespace nrs
