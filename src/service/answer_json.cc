#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "service/answerer.h"

namespace nrs::service {
namespace {

using Json = nlohmann::ordered_json;

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
  return json_error(error).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string to_json(const Answer& answer, const Style& style) {
  Json object = {{"formula", answer.text}};
  if (answer.error) {
    object["error"] = json_error(*answer.error);
  } else {
    const Result& result = answer.result;
    if (answer.domain != nullptr) object["domain"] = answer.domain->name();
    object["result"] = shown_result(answer, style);
    object["stop"] = name_of(result.stop);
    object["steps"] = result.steps;
    object["rounds"] = result.rounds;
    if (style.trace) object["trace"] = json_trace(answer, style.threshold);
    if (!result.rejected.empty()) object["rejected"] = json_candidates(result.rejected);
  }
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace nrs::service
