#include "study/run_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/lines.h"
#include "base/process.h"
#include "nrs/error.h"

namespace nrs::lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestLine = std::size_t{16} << 20;

Json to_json(const CurvePoint& point) {
  return {{"step", point.step}, {"known", point.known}, {"beyond", point.beyond}};
}

Json to_json(const Trial& trial, const Outcome& outcome) {
  Json settings = Json::array();
  for (const Setting& setting : trial.settings) settings.push_back(setting.text());
  Json line = {{"identity", trial.identity()},
               {"name", trial.name},
               {"recipe", trial.recipe.path.generic_string()},
               {"module", enum_name(trial.module)},
               {"settings", std::move(settings)},
               {"end", enum_name(outcome.end)},
               {"seconds", outcome.seconds}};
  if (!outcome.reason.empty()) line["reason"] = outcome.reason;
  if (outcome.end != TrialEnd::kFinished) return line;
  line["best"] = to_json(outcome.best);
  line["curve"] = Json::array();
  for (const CurvePoint& point : outcome.curve) line["curve"].push_back(to_json(point));
  return line;
}

Outcome outcome_of(const Json& line) {
  const auto end = enum_value<TrialEnd>(line.at("end").get<std::string>());
  if (!end) throw Error(ErrorKind::kInput, "");
  Outcome outcome{.end = *end, .reason = line.value("reason", ""), .seconds = line.at("seconds")};
  if (outcome.end != TrialEnd::kFinished) return outcome;
  outcome.best = point_of(line.at("best"));
  for (const Json& point : line.at("curve")) outcome.curve.push_back(point_of(point));
  if (outcome.curve.empty()) throw Error(ErrorKind::kInput, "");
  return outcome;
}

}  // namespace

StudyLog::StudyLog(const std::filesystem::path& path)
    : file_(path, "log", GrowingFile::Start::kEither) {
  LineReader lines(path, kLongestLine);
  std::string line;
  std::size_t bad = 0;  // number of a line that cannot be read
  const auto refuse = [&] {
    throw Error(ErrorKind::kInput,
                fmt::format("{}:{}: this is not a line of a study's log", path.string(), bad),
                "delete the line to run that trial again");
  };
  while (lines.next(line)) {
    if (bad > 0) refuse();
    try {
      take(line);
    } catch (const Json::exception&) {
      bad = lines.number();
    } catch (const Error&) {
      bad = lines.number();
    }
  }
  // The last one may never have been written to its end.
  if (bad > 0 && ends_whole(path)) refuse();
}

void StudyLog::take(const std::string& line) {
  const Json json = Json::parse(line);
  const std::string identity = json.at("identity");
  const Outcome outcome = outcome_of(json);
  if (outcome.end == TrialEnd::kInterrupted) {
    seconds_[identity] += outcome.seconds;
  } else {
    ended_[identity] = outcome;
    seconds_.erase(identity);
  }
}

const Outcome* StudyLog::find(const Trial& trial) const {
  const auto found = ended_.find(trial.identity());
  return found == ended_.end() ? nullptr : &found->second;
}

void StudyLog::add(const Trial& trial, Outcome outcome) {
  const std::string identity = trial.identity();
  if (outcome.end != TrialEnd::kInterrupted) outcome.seconds += seconds_[identity];
  const std::string line =
      to_json(trial, outcome).dump(-1, ' ', false, Json::error_handler_t::replace);
  file_.write(line + "\n");
  take(line);
}

std::vector<std::optional<Outcome>> run_trials(const TrialPlan& plan, StudyLog& log,
                                               TrialRunner& runner) {
  std::vector<std::optional<Outcome>> outcomes(plan.trials.size());
  std::set<std::string> tried;  // now: two trials that draw the same are one
  bool stopped = false;
  for (std::size_t i = 0; i < plan.trials.size(); ++i) {
    const Trial& trial = plan.trials[i];
    const Outcome* known = log.find(trial);
    const bool again = plan.retry && !tried.contains(trial.identity());
    const bool before = known != nullptr && (known->end == TrialEnd::kFinished || !again);
    if (!before) {
      // What is done already is still wanted, so that an overview is whole.
      stopped = stopped || interrupted() != 0;
      if (stopped) continue;
      tried.insert(trial.identity());
      const Outcome outcome = runner.run(i, trial);
      log.add(trial, outcome);
      stopped = outcome.end == TrialEnd::kInterrupted;
      if (stopped) continue;
    }
    outcomes[i] = *log.find(trial);
    runner.ended(i, *outcomes[i], before);
  }
  return outcomes;
}

StudyEnd end_of(std::span<const std::optional<Outcome>> outcomes) {
  const auto missing = [](const auto& outcome) { return !outcome; };
  const auto done = [](const auto& outcome) {
    return outcome && outcome->end == TrialEnd::kFinished;
  };
  if (std::ranges::any_of(outcomes, missing)) return StudyEnd::kInterrupted;
  return std::ranges::any_of(outcomes, done) ? StudyEnd::kComplete : StudyEnd::kAllFailed;
}

}  // namespace nrs::lab
