#include "study/trials.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files.h"
#include "base/lines.h"
#include "base/output_target.h"
#include "base/process.h"
#include "base/rng.h"
#include "nrs/error.h"
#include "recipe/recipe.h"

namespace nrs::lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostNamedBytes = std::size_t{1} << 20;
constexpr std::size_t kLongestMetricsLine = std::size_t{1} << 20;
constexpr std::size_t kLongestLogLine = std::size_t{16} << 20;

Json line_of(const Trial& trial, const Outcome& outcome) {
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
  if (!outcome.finished()) return line;
  line["best"] = outcome.best;
  line["curve"] = outcome.curve;
  return line;
}

Outcome outcome_of(const Json& line) {
  const auto end = enum_value<TrialEnd>(line.at("end").get<std::string>());
  if (!end) throw Error(ErrorKind::kInput, "");
  Outcome outcome{.end = *end, .reason = line.value("reason", ""), .seconds = line.at("seconds")};
  if (!outcome.finished()) return outcome;
  line.at("best").get_to(outcome.best);
  line.at("curve").get_to(outcome.curve);
  if (outcome.curve.empty()) throw Error(ErrorKind::kInput, "");
  return outcome;
}

// One program at a time writes a log, at its end.
Descriptor open_log(const std::filesystem::path& path) {
  check_not_read_only(path);
  make_folders(path.parent_path());
  Descriptor file(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
  if (file.number() < 0) throw io_error(path, "write", errno);
  if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: another run is writing this log", path.string()));
  }
  return file;
}

// So many bytes of a log are whole lines.
off_t whole_lines(const Descriptor& file) {
  off_t end = ::lseek(file.number(), 0, SEEK_END);
  char last = '\0';
  while (end > 0 && ::pread(file.number(), &last, 1, end - 1) == 1 && last != '\n') --end;
  return end;
}

}  // namespace

void to_json(Json& json, const CurvePoint& point) {
  json = {{"step", point.step}, {"known", point.known}, {"beyond", point.beyond}};
}

void from_json(const Json& json, CurvePoint& point) {
  point = {json.at("step"), json.at("known"), json.at("beyond")};
}

std::vector<Setting> parse_settings(const std::vector<std::string>& texts) {
  std::vector<Setting> settings;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Error(ErrorKind::kUsage, fmt::format("'{}' is not of the form key=value", text),
                  "for example train.solver.steps=500");
    }
    settings.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return settings;
}

std::string read_named_file(const std::filesystem::path& path, const std::string& hint) {
  try {
    return read_file(path, kMostNamedBytes);
  } catch (const Error& error) {
    throw Error(ErrorKind::kUsage, error.what(), hint);
  }
}

StudiedRecipe read_studied_recipe(const std::filesystem::path& path) {
  return {path, read_named_file(path, "give the path of a recipe, as in recipes/")};
}

std::string Trial::identity() const {
  std::string all = fmt::format("{}\n{}\n", enum_name(module), recipe.text);
  for (const Setting& setting : settings) all += setting.text() + "\n";
  return fmt::format("{:016x}", hash_text(all));
}

recipe::Recipe recipe_of(const Trial& trial) {
  std::vector<std::string> overrides;
  for (const Setting& setting : trial.settings) overrides.push_back(setting.text());
  const std::string path = trial.recipe.path.string();
  recipe::Recipe recipe = recipe::parse_recipe(trial.recipe.text, path, overrides);
  std::vector<std::string_view> trained;
  for (const recipe::TrainSection& module : recipe.trained()) {
    if (module.name == enum_name(trial.module)) return recipe;
    trained.push_back(module.name);
  }
  throw Error(ErrorKind::kUsage,
              fmt::format("{}: has no {} to train", path, enum_name(trial.module)),
              fmt::format("it trains {}", fmt::join(trained, " and ")));
}

int Outcome::steps_to_best(Measure measure) const {
  for (const CurvePoint& point : curve) {
    if (point[measure] >= best[measure]) return point.step;
  }
  return best.step;
}

void read_metrics(const std::filesystem::path& path, StudiedModule module, Outcome& outcome) {
  LineReader lines(path, kLongestMetricsLine);
  bool ended = false;
  std::string text;
  while (lines.next(text)) {
    try {
      const Json line = Json::parse(text);
      if (line.at("module") != enum_name(module)) continue;
      if (line.at("event") == "validation") outcome.curve.push_back(line.get<CurvePoint>());
      if (line.at("event") != "end") continue;
      const Json& results = line.at("results");
      outcome.best = {results.at("best_step"), results.at("known"), results.at("beyond")};
      ended = true;
    } catch (const Json::exception&) {
      throw Error(ErrorKind::kInput, fmt::format("{}:{}: this is not a line of metrics",
                                                 path.string(), lines.number()));
    }
  }
  if (ended && !outcome.curve.empty()) return;
  throw Error(ErrorKind::kInput,
              fmt::format("{}: the {} did not finish", path.string(), enum_name(module)));
}

StudyLog::StudyLog(const std::filesystem::path& path) : path_(path), file_(open_log(path)) {
  LineReader lines(path, kLongestLogLine);
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
  if (bad > 0 && whole_lines(file_) == ::lseek(file_.number(), 0, SEEK_END)) refuse();
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
      line_of(trial, outcome).dump(-1, ' ', false, Json::error_handler_t::replace);
  write(line + "\n");
  take(line);
}

// When it returns, the system has the line.
void StudyLog::write(std::string_view line) const {
  bool good = ::ftruncate(file_.number(), whole_lines(file_)) == 0;
  while (good && !line.empty()) {
    const ssize_t written = ::write(file_.number(), line.data(), line.size());
    good = written >= 0 || errno == EINTR;
    if (written > 0) line.remove_prefix(static_cast<std::size_t>(written));
  }
  if (!good) throw io_error(path_, "write", errno);
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
    const bool before = known != nullptr && (known->finished() || !again);
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

StudyEnd end_of(Outcomes outcomes) {
  const auto missing = [](const auto& outcome) { return !outcome; };
  const auto done = [](const auto& outcome) { return outcome->finished(); };
  if (std::ranges::any_of(outcomes, missing)) return StudyEnd::kInterrupted;
  return std::ranges::any_of(outcomes, done) ? StudyEnd::kComplete : StudyEnd::kAllFailed;
}

}  // namespace nrs::lab
