#include "eval/eval_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.h"

namespace nrs::eval {
namespace {

using Json = nlohmann::ordered_json;

constexpr ErrorClass kClasses[] = {ErrorClass::kMissing, ErrorClass::kMalformed,
                                   ErrorClass::kSolver, ErrorClass::kOther};

void add_counts(Json& object, const Tally& tally) {
  object["formulas"] = tally.formulas;
  object["correct"] = tally.correct;
  object["answered"] = tally.answered;
  for (const ErrorClass error : kClasses) object[std::string(name_of(error))] = tally.of(error);
}

// No number of JSON is infinite.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json to_json(const FirstFault& fault) {
  Json object = {{"module", module_of(fault.fault)},
                 {"what", name_of(fault.fault)},
                 {"round", fault.round},
                 {"formula", fault.formula},
                 {"begin", fault.span.begin},
                 {"end", fault.span.end},
                 {"leaf", fault.leaf()}};
  if (fault.fault == Fault::kNotInFormula) object["written"] = fault.written;
  const auto value_or_omega = [](const std::string& value) {
    return value.empty() ? Json("omega") : Json(value);
  };
  if (fault.fault != Fault::kMissedLeaf && fault.fault != Fault::kNotInFormula) {
    object["value"] = fault.omega ? Json("omega") : Json(fault.value);
    object["log_prob"] = number(fault.log_prob);
  }
  object["expected"] =
      fault.fault == Fault::kNotALeaf ? Json(nullptr) : value_or_omega(fault.expected);
  return object;
}

std::vector<std::string> counts_of(const Tally& tally) {
  std::vector<std::string> cells{
      std::to_string(tally.formulas), std::to_string(tally.correct),
      show_percent(tally.correct, tally.formulas), std::to_string(tally.answered),
      tally.answered == 0 ? "-" : show_percent(tally.correct, tally.answered) + " %"};
  for (const ErrorClass error : kClasses) cells.push_back(std::to_string(tally.of(error)));
  return cells;
}

}  // namespace

std::string show_percent(std::size_t part, std::size_t whole) {
  if (whole == 0) return "-";
  if (part == whole) return "100";
  const double percent = 100 * static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format("{:.2f}", std::min(std::floor(100 * percent + 1e-9) / 100, 99.99));
}

Json to_json(const EvalSetting& setting, const Scores& scores) {
  const Tally total = scores.total();
  Json object = {{"model", setting.model.empty() ? Json(nullptr) : Json(setting.model)},
                 {"engine", setting.engine}};
  add_counts(object, total);
  object["accuracy"] = total.formulas == 0 ? Json(nullptr) : Json(total.accuracy());
  object["selective_accuracy"] =
      total.answered == 0 ? Json(nullptr) : Json(total.selective_accuracy());
  object["seconds"] = scores.seconds;
  object["cpu_seconds"] = scores.cpu_seconds;
  Json& levels = object["levels"] = Json::array();
  for (const auto& [level, tally] : scores.levels) {
    Json& entry = levels.emplace_back();
    entry["domain"] = level.domain.empty() ? Json(nullptr) : Json(level.domain);
    entry["nesting"] = level.nesting;
    entry["args"] = level.args ? Json(*level.args) : Json(nullptr);
    add_counts(entry, tally);
  }
  object["stops"] = Json::object();
  for (const auto& [stop, count] : scores.stops) object["stops"][std::string(stop)] = count;
  object["peak_rss_mb"] = setting.peak_rss_mb;
  object["model_checksum"] =
      setting.model_checksum.empty() ? Json(nullptr) : Json(setting.model_checksum);
  object["data"] = setting.data.empty() ? Json(nullptr) : Json(setting.data);
  object["seed"] = setting.seed ? Json(*setting.seed) : Json(nullptr);
  object["threads"] = setting.threads;
  object["interrupted"] = scores.interrupted;
  return object;
}

std::string LevelTable::text() const {
  std::set<std::string> domains;
  std::set<std::optional<int>> args;
  for (const auto& [level, cells] : levels) {
    domains.insert(level.domain);
    args.insert(level.args);
  }
  const bool show_domain = domains.size() > 1;
  const bool show_args = args.size() > 1;
  const auto row = [&](const std::string& domain, const std::string& nesting,
                       const std::string& arguments, std::vector<std::string> cells) {
    if (show_args) cells.insert(cells.begin(), arguments);
    cells.insert(cells.begin(), nesting);
    if (show_domain) cells.insert(cells.begin(), domain);
    return cells;
  };
  std::vector<std::vector<std::string>> rows{row("domain", "nesting", "args", names)};
  for (const auto& [level, cells] : levels) {
    rows.push_back(row(level.domain.empty() ? "?" : level.domain, std::to_string(level.nesting),
                       level.args ? std::to_string(*level.args) : "-", cells));
  }
  rows.push_back(show_domain ? row("total", "", "", total) : row("", "total", "", total));
  return align(rows);
}

std::string to_table(const EvalSetting& setting, const Scores& scores) {
  const Tally total = scores.total();
  LevelTable table{{"formulas", "right", "%", "answered", "right of answered", "missing",
                    "malformed", "solver", "other"},
                   {},
                   counts_of(total)};
  for (const auto& [level, tally] : scores.levels) {
    table.levels.emplace_back(level, counts_of(tally));
  }
  std::string text = table.text();
  const double rate = scores.seconds > 0 ? static_cast<double>(total.formulas) / scores.seconds : 0;
  text +=
      fmt::format("{:.3g} s ({:.3g} s of processor), {:.0f} formulas/s, peak memory {:.0f} MB\n",
                  scores.seconds, scores.cpu_seconds, rate, setting.peak_rss_mb);
  if (scores.interrupted) text += "interrupted: these are only the formulas evaluated so far\n";
  return text;
}

Json to_json(const Failure& failure) {
  const Question& question = failure.question;
  Json object = {{"formula", question.formula},
                 {"value", question.value},
                 {"result", failure.result.formula},
                 {"stop", name_of(failure.result.stop)},
                 {"class", name_of(failure.error)}};
  const Level level = level_of(question);
  object["domain"] = level.domain.empty() ? Json(nullptr) : Json(level.domain);
  object["nesting"] = level.nesting;
  object["args"] = level.args ? Json(*level.args) : Json(nullptr);
  if (question.line > 0) object["line"] = question.line;
  object["fault"] = failure.fault ? to_json(*failure.fault) : Json(nullptr);
  const auto known = [](const std::optional<bool>& right) {
    return right ? Json(*right) : Json(nullptr);
  };
  object["right_with"] = {{"oracle_selector", known(failure.right_with_oracle_selector)},
                          {"oracle_solver", known(failure.right_with_oracle_solver)}};
  return object;
}

}  // namespace nrs::eval
