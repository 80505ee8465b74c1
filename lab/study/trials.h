#pragma once
// The training runs of a study: a recipe with some of its fields changed, and what came out of it.
// Those that have not been run yet are run, one after the other, with a log of what was done.
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/fields.h"

namespace nrs::recipe {
struct Recipe;
}

namespace nrs::lab {

// What is trained.
enum class StudiedModule { kSelector, kSolver, kRouter };
constexpr auto enum_names(StudiedModule) {
  return std::to_array<EnumName<StudiedModule>>({
      {StudiedModule::kSelector, "selector"},
      {StudiedModule::kSolver, "solver"},
      {StudiedModule::kRouter, "router"},
  });
}

// Which share of the validation examples counts: those like the training's, or those beyond it.
enum class Measure { kBeyond, kKnown };
constexpr auto enum_names(Measure) {
  return std::to_array<EnumName<Measure>>({
      {Measure::kBeyond, "beyond"},
      {Measure::kKnown, "known"},
  });
}

// One field of a recipe and its value, as `nrs train --set` takes them: "train.solver.steps=500".
struct Setting {
  std::string key;
  std::string value;

  std::string text() const { return key + "=" + value; }
  bool operator==(const Setting&) const = default;
};
// Throws Error (usage) if there is no key or no "=" in one.
std::vector<Setting> parse_settings(const std::vector<std::string>& texts);

// The text of a file that a person has named. Throws Error (usage) with this hint if it cannot be
// read.
std::string read_named_file(const std::filesystem::path& path, const std::string& hint);

// The recipe that a study changes. The text is what counts, wherever the file lies.
struct StudiedRecipe {
  std::filesystem::path path;
  std::string text;
};
// Throws Error (usage) if it cannot be read.
StudiedRecipe read_studied_recipe(const std::filesystem::path& path);

struct Trial {
  std::string name;  // for people: "trial 7", "k = 2, seed 1"
  StudiedRecipe recipe;
  StudiedModule module = StudiedModule::kSelector;
  std::vector<Setting> settings;  // of two for one field the later counts

  // The same for trials that train the same, and for no others: what was done is found by it again.
  std::string identity() const;
};
// The recipe that it trains. Throws Error (usage): a field is unknown, of another type, out of
// range, does not fit the others, or the recipe has no such module.
recipe::Recipe recipe_of(const Trial& trial);

struct CurvePoint {
  int step = 0;
  double known = 0;
  double beyond = 0;

  double operator[](Measure measure) const { return measure == Measure::kKnown ? known : beyond; }
  bool operator==(const CurvePoint&) const = default;
};
void to_json(nlohmann::ordered_json& json, const CurvePoint& point);
void from_json(const nlohmann::ordered_json& json, CurvePoint& point);

enum class TrialEnd {
  kFinished,
  kRefused,      // a field is unknown, of another type, out of range, or does not fit the others
  kFailed,       // anything else that ends a run before its last step
  kInterrupted,  // told to stop; it can go on
};
constexpr auto enum_names(TrialEnd) {
  return std::to_array<EnumName<TrialEnd>>({
      {TrialEnd::kFinished, "done"},
      {TrialEnd::kRefused, "refused"},
      {TrialEnd::kFailed, "failed"},
      {TrialEnd::kInterrupted, "interrupted"},
  });
}

struct Outcome {
  TrialEnd end = TrialEnd::kFinished;
  std::string reason{};  // why it was refused or failed
  double seconds = 0;
  std::vector<CurvePoint> curve{};  // every validation
  CurvePoint best{};                // of the weights that the run chose

  bool finished() const { return end == TrialEnd::kFinished; }
  // The first step at which the measure was as good as in `best`: how fast it learnt.
  int steps_to_best(Measure measure) const;
  bool operator==(const Outcome&) const = default;
};

// One per trial; nothing where it has not been run.
using Outcomes = std::span<const std::optional<Outcome>>;

// Takes the curve and the end of a module from the metrics of a run (`nrs train` writes them).
// Throws Error (input) if the run did not come to its end.
void read_metrics(const std::filesystem::path& path, StudiedModule module, Outcome& outcome);

// What has come of trials: a file that only grows, one line for each. If the program is killed, at
// most the line that is being written is lost.
class StudyLog {
 public:
  // Creates the file if it is not there. Throws Error: usage if another run is writing it; input
  // with file and line if it is no such log; I/O if it cannot be written. A last line that was cut
  // is dropped by the first add(): until then the file may turn out to be the wrong one.
  explicit StudyLog(const std::filesystem::path& path);

  // The outcome of the trial, if it has ended; failed ones have, too.
  const Outcome* find(const Trial& trial) const;
  // Adds an outcome. The seconds that interrupted runs of the trial took are added to the last one.
  void add(const Trial& trial, Outcome outcome);

 private:
  void take(const std::string& line);
  void write(std::string_view line) const;

  std::filesystem::path path_;
  Descriptor file_;
  std::map<std::string, Outcome> ended_;
  std::map<std::string, double> seconds_;  // of interrupted runs
};

// Runs trials, and sees how the study goes on. A trial that goes wrong is an outcome, not an
// exception: the study goes on. Trials are numbered in the order of the study.
class TrialRunner {
 public:
  virtual ~TrialRunner() = default;
  virtual Outcome run(std::size_t number, const Trial& trial) = 0;
  // It has ended and is in the log: now, so that what it left behind is no longer needed, or it was
  // there `before`.
  virtual void ended(std::size_t /*number*/, const Outcome& /*outcome*/, bool /*before*/) {}
};

struct TrialPlan {
  std::vector<Trial> trials;
  bool retry = false;  // run again what failed before
};

enum class StudyEnd { kComplete, kInterrupted, kAllFailed };

// The outcome of each trial, or nothing where there was no time for it: then it was interrupted, or
// the program was (base/process.h).
std::vector<std::optional<Outcome>> run_trials(const TrialPlan& plan, StudyLog& log,
                                               TrialRunner& runner);
StudyEnd end_of(Outcomes outcomes);

}  // namespace nrs::lab
