// Answers as lines of text and of JSON.
#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "service/answerer.h"

namespace nrs::service {
namespace {

using Json = nlohmann::ordered_json;

// Most texts need no escapes, and a compiled model is done before a tree of JSON is built.
void add_text(std::string_view text, std::string& json) {
  if (plain_length(text) < text.size()) {
    json += json_text(text);
    return;
  }
  json += '"';
  json += text;
  json += '"';
}

void add_number(std::size_t number, std::string& json) {
  char digits[24];
  json.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

Json json_error(const Error& error) {
  Json object = {{"message", error.what()}};
  if (error.offset()) object["column"] = *error.offset() + 1;
  if (!error.hint().empty()) object["hint"] = error.hint();
  return object;
}

Json json_candidates(const std::vector<LeafCandidate>& candidates) {
  Json list = Json::array();
  for (const LeafCandidate& candidate : candidates) {
    list.push_back({{"text", candidate.text},
                    {"log_prob", candidate.log_prob},
                    {"agreement", candidate.agreement},
                    {"samples", candidate.samples}});
  }
  return list;
}

Json json_step(const Attempt& attempt, std::string_view formula, std::optional<double> threshold) {
  Json step = {{"begin", attempt.step.leaf.begin},
               {"end", attempt.step.leaf.end},
               {"leaf", attempt.step.leaf.of(formula)},
               {"value", attempt.omega ? Json(nullptr) : Json(attempt.step.value)}};
  if (!attempt.known) step["known"] = false;
  if (attempt.omega) step["omega"] = true;
  if (threshold) {
    step["selector_log_prob"] = attempt.selector_log_prob;
    step["solver_log_prob"] = attempt.solver_log_prob;
    step["threshold"] = *threshold;
  }
  step["applied"] = attempt.applied;
  // Of a network or an oracle the whole model is told.
  const Origin& origin = attempt.origin;
  if (origin.source == ValueSource::kTable || origin.source == ValueSource::kRule) {
    step["source"] = name_of(origin.source);
  }
  if (!origin.rule.empty()) step["rule"] = origin.rule;
  if (!attempt.candidates.empty()) step["candidates"] = json_candidates(attempt.candidates);
  return step;
}

Json json_trace(const Answer& answer, std::optional<double> threshold) {
  const std::vector<std::string> formulas = replay(answer.formula, answer.result.record);
  Json rounds = Json::array();
  for (std::size_t i = 0; i < answer.result.record.size(); ++i) {
    const std::string& formula = formulas[std::min(i, formulas.size() - 1)];
    Json steps = Json::array();
    for (const Attempt& attempt : answer.result.record[i]) {
      steps.push_back(json_step(attempt, formula, threshold));
    }
    rounds.push_back({{"formula", formula}, {"steps", std::move(steps)}});
  }
  return rounds;
}

}  // namespace

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string shown_result(const Answer& answer, const Style& style) {
  const std::string& formula = answer.result.formula;
  return style.paper_notation && answer.domain != nullptr ? answer.domain->paper_notation(formula)
                                                          : formula;
}

std::string to_json(const Error& error) {
  return json_text(json_error(error));
}

void add_line(const Answer& answer, const Style& style, std::string& text) {
  if (answer.error) {
    text.append("error: ").append(answer.error->what());
  } else {
    if (!answer.ok()) text.append("stopped: ").append(name_of(answer.result.stop)).append(": ");
    text += shown_result(answer, style);
  }
  text += '\n';
}

void add_json(const Answer& answer, const Style& style, std::string& text) {
  text += "{\"formula\":";
  add_text(answer.text, text);
  if (answer.error) {
    text.append(",\"error\":").append(to_json(*answer.error)).append("}");
    return;
  }
  const Result& result = answer.result;
  if (answer.domain != nullptr) {
    text.append(",\"domain\":\"").append(answer.domain->name()).append("\"");
  }
  text += ",\"result\":";
  add_text(shown_result(answer, style), text);
  text.append(",\"stop\":\"").append(name_of(result.stop)).append("\",\"steps\":");
  add_number(result.steps, text);
  text += ",\"rounds\":";
  add_number(result.rounds, text);
  if (style.trace) text += ",\"trace\":" + json_text(json_trace(answer, style.threshold));
  if (!result.rejected.empty())
    text += ",\"rejected\":" + json_text(json_candidates(result.rejected));
  text += '}';
}

std::string to_json(const Answer& answer, const Style& style) {
  std::string line;
  add_json(answer, style, line);
  return line + "\n";
}

}  // namespace nrs::service
