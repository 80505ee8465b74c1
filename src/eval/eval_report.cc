// The scores of an evaluation, as JSON and as a table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "eval/evaluate.h"

namespace nrs::eval {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::string>;

Json or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// No number of JSON is infinite.
Json share(double part, double whole) {
  return whole == 0 ? Json(nullptr) : Json(part / whole);
}

void add_counts(Json& object, const Tally& tally) {
  object["formulas"] = tally.formulas;
  object["correct"] = tally.correct;
  object["answered"] = tally.answered;
  for (const auto& [error, name] : enum_names(ErrorClass{})) {
    object[std::string(name)] = tally.of(error);
  }
}

void add_level(Json& object, const Level& level) {
  object["domain"] = or_null(level.domain);
  object["nesting"] = level.nesting;
  object["args"] = or_null(level.args);
}

Json to_json(const FirstFault& fault) {
  Json object = {{"module", module_of(fault.fault)},
                 {"what", enum_name(fault.fault)},
                 {"round", fault.round},
                 {"formula", fault.formula},
                 {"begin", fault.span.begin},
                 {"end", fault.span.end},
                 {"leaf", fault.leaf()}};
  if (fault.fault == Fault::kNotInFormula) object["written"] = fault.written;
  if (fault.fault != Fault::kMissedLeaf && fault.fault != Fault::kNotInFormula) {
    object["value"] = fault.omega ? "omega" : fault.value;
    object["log_prob"] = std::isfinite(fault.log_prob) ? Json(fault.log_prob) : Json(nullptr);
  }
  object["expected"] = fault.fault == Fault::kNotALeaf ? Json(nullptr)
                       : fault.expected.empty()        ? Json("omega")
                                                       : Json(fault.expected);
  return object;
}

Cells counts_of(const Tally& tally) {
  Cells cells{std::to_string(tally.formulas), std::to_string(tally.correct),
              show_percent(tally.correct, tally.formulas), std::to_string(tally.answered),
              tally.answered == 0 ? "-" : show_percent(tally.correct, tally.answered) + " %"};
  for (const std::size_t count : tally.errors) cells.push_back(std::to_string(count));
  return cells;
}

// Domain and arguments are shown where they differ.
std::string table_of(const Scores& scores) {
  const auto differs = [&](auto field) {
    return std::ranges::any_of(scores.levels, [&](const auto& level) {
      return level.first.*field != scores.levels.begin()->first.*field;
    });
  };
  const bool show_domain = differs(&Level::domain);
  const bool show_args = differs(&Level::args);
  std::vector<Cells> rows;
  const auto add_row = [&](const std::string& domain, const std::string& nesting,
                           const std::string& args, const Cells& counts) {
    Cells& row = rows.emplace_back();
    if (show_domain) row.push_back(domain);
    row.push_back(nesting);
    if (show_args) row.push_back(args);
    row.insert(row.end(), counts.begin(), counts.end());
  };
  add_row("domain", "nesting", "args",
          {"formulas", "right", "%", "answered", "right of answered", "missing", "malformed",
           "solver", "other"});
  for (const auto& [level, tally] : scores.levels) {
    add_row(level.domain.empty() ? "?" : level.domain, std::to_string(level.nesting),
            level.args ? std::to_string(*level.args) : "-", counts_of(tally));
  }
  add_row("total", show_domain ? "" : "total", "", counts_of(scores.total()));
  return align(rows);
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
  const auto correct = static_cast<double>(total.correct);
  Json object = {{"model", or_null(setting.model)}, {"engine", setting.engine}};
  add_counts(object, total);
  object["accuracy"] = share(correct, static_cast<double>(total.formulas));
  object["selective_accuracy"] = share(correct, static_cast<double>(total.answered));
  object["seconds"] = scores.seconds;
  object["cpu_seconds"] = scores.cpu_seconds;
  Json& levels = object["levels"] = Json::array();
  for (const auto& [level, tally] : scores.levels) {
    Json& entry = levels.emplace_back();
    add_level(entry, level);
    add_counts(entry, tally);
  }
  object["stops"] = Json::object();
  for (const auto& [stop, count] : scores.stops) object["stops"][std::string(stop)] = count;
  object["peak_rss_mb"] = setting.peak_rss_mb;
  object["model_checksum"] = nullptr;
  object["data"] = or_null(setting.data);
  object["seed"] = or_null(setting.seed);
  object["threads"] = setting.threads;
  object["interrupted"] = scores.interrupted;
  return object;
}

std::string to_table(const EvalSetting& setting, const Scores& scores) {
  const auto formulas = static_cast<double>(scores.total().formulas);
  const double rate = scores.seconds > 0 ? formulas / scores.seconds : 0;
  std::string text = table_of(scores);
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
                 {"class", enum_name(failure.error)}};
  add_level(object, level_of(question));
  if (question.line > 0) object["line"] = question.line;
  object["fault"] = failure.fault ? to_json(*failure.fault) : Json(nullptr);
  object["right_with"] = {{"oracle_selector", or_null(failure.right_with_oracle_selector)},
                          {"oracle_solver", or_null(failure.right_with_oracle_solver)}};
  return object;
}

}  // namespace nrs::eval
