#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/cmd_simplify.h"

namespace nrs {
namespace {

using Json = nlohmann::ordered_json;

std::string answer_of(const Item& item, const SimplifyOptions& options) {
  const std::string& formula = item.result.formula;
  return options.paper_notation && item.domain != nullptr ? item.domain->paper_notation(formula)
                                                          : formula;
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
  if (!attempt.candidates.empty()) step["candidates"] = json_candidates(attempt.candidates);
  return step;
}

Json json_trace(const Item& item, std::optional<double> threshold) {
  const std::vector<std::string> formulas = replay(item.formula, item.result.record);
  Json rounds = Json::array();
  for (std::size_t i = 0; i < item.result.record.size(); ++i) {
    const std::string& formula = formulas[std::min(i, formulas.size() - 1)];
    Json steps = Json::array();
    for (const Attempt& attempt : item.result.record[i]) {
      steps.push_back(json_step(attempt, formula, threshold));
    }
    rounds.push_back({{"formula", formula}, {"steps", std::move(steps)}});
  }
  return rounds;
}

}  // namespace

std::string show_text(const Item& item, const SimplifyOptions& options, const TraceStyle& style) {
  if (item.error) return item.place.empty() ? "" : fmt::format("error: {}\n", item.error->what());
  if (options.trace) return draw_trace(item.formula, item.result, style);
  const std::string answer = answer_of(item, options);
  return item.result.ok() ? answer + "\n"
                          : fmt::format("stopped: {}: {}\n", name_of(item.result.stop), answer);
}

std::string show_json(const Item& item, const SimplifyOptions& options,
                      std::optional<double> threshold) {
  Json object = {{"formula", item.text}};
  if (item.error) {
    object["error"] = json_error(*item.error);
  } else {
    if (item.domain != nullptr) object["domain"] = item.domain->name();
    object["result"] = answer_of(item, options);
    object["stop"] = name_of(item.result.stop);
    object["steps"] = item.result.steps;
    object["rounds"] = item.result.rounds;
    if (options.trace) object["trace"] = json_trace(item, threshold);
    if (!item.result.rejected.empty()) {
      object["rejected"] = json_candidates(item.result.rejected);
    }
  }
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace nrs
