#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "service/answerer.h"

namespace nrs::service {
namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Most texts need no escapes, and a compiled model is done before a tree of JSON is built.
std::string json_text(std::string_view text) {
  const auto plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (!std::ranges::all_of(text, plain)) return dumped(text);
  std::string quotes = "\"";
  quotes.append(text).push_back('"');
  return quotes;
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

std::string shown_result(const Answer& answer, const Style& style) {
  const std::string& formula = answer.result.formula;
  return style.paper_notation && answer.domain != nullptr ? answer.domain->paper_notation(formula)
                                                          : formula;
}

std::string to_json(const Error& error) {
  return dumped(json_error(error));
}

std::string to_json(const Answer& answer, const Style& style) {
  std::string line = "{\"formula\":" + json_text(answer.text);
  if (answer.error) return line + ",\"error\":" + to_json(*answer.error) + "}\n";
  const Result& result = answer.result;
  if (answer.domain != nullptr) line += ",\"domain\":" + json_text(answer.domain->name());
  line += fmt::format(",\"result\":{},\"stop\":{},\"steps\":{},\"rounds\":{}",
                      json_text(shown_result(answer, style)), json_text(name_of(result.stop)),
                      result.steps, result.rounds);
  if (style.trace) line += ",\"trace\":" + dumped(json_trace(answer, style.threshold));
  if (!result.rejected.empty()) line += ",\"rejected\":" + dumped(json_candidates(result.rejected));
  return line + "}\n";
}

}  // namespace nrs::service
