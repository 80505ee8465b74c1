// Studies: draws that can be made again, a log that is never lost, trials that fail alone, and a
// result file (study_cli_test.py: the report reads it).
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "nrs/error.h"
#include "property.h"
#include "study/ablation.h"
#include "study/trials.h"
#include "study/tune.h"
#include "temporary.h"

namespace nrs::lab {
namespace {

using Settings = std::vector<Setting>;

Outcome done(double beyond, int step = 20) {
  return {.end = TrialEnd::kFinished,
          .seconds = 2,
          .curve = {{10, 0.5, beyond / 2}, {step, 1, beyond}, {step + 10, 1, beyond}},
          .best = {step + 10, 1, beyond}};
}

Outcome failed(TrialEnd end, const std::string& reason = "") {
  return {.end = end, .reason = reason, .seconds = 3};
}

// Gives what it was told for the name of a trial, and remembers what it was asked.
class FakeRunner : public TrialRunner {
 public:
  Outcome run(std::size_t /*number*/, const Trial& trial) override {
    ran.push_back(trial.name);
    const auto found = outcomes.find(trial.name);
    return found == outcomes.end() ? done(0.5) : found->second;
  }

  std::map<std::string, Outcome> outcomes;
  std::vector<std::string> ran;
};

Search example_search(int trials) {
  return {
      .recipe = {"recipes/a.toml", "name = \"a\"\ndata.domains = [\"logic\"]\n"},
      .module = StudiedModule::kSelector,
      .space = {{.key = "train.selector.rate", .min = 1e-4, .max = 1e-2, .scale = DrawScale::kLog},
                {.key = "train.selector.warmup", .min = 0, .max = 9, .whole = true},
                {.key = "seed", .choices = {"1", "2"}}},
      .common = {{"train.selector.steps", "30"}},
      .trials = trials};
}

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_NE(error.kind(), ErrorKind::kIo);
    return error.what();
  }
  return "";
}

TEST(Space, ADrawDependsOnSeedNumberAndFieldOnly) {
  const Search search = example_search(1);
  const Settings seventh = draw(search.space, 1, 7);
  EXPECT_EQ(draw(search.space, 1, 7), seventh);
  EXPECT_NE(draw(search.space, 1, 8), seventh);
  EXPECT_NE(draw(search.space, 2, 7), seventh);
  Space less(search.space.begin() + 1, search.space.end());
  EXPECT_EQ(draw(less, 1, 7), Settings(seventh.begin() + 1, seventh.end()));
}

TEST(Space, TheseDrawsAreForever) {
  // Fixed, so that a search that is taken up with a newer program goes on with the same trials.
  const Settings settings = draw(example_search(1).space, 1, 1);
  ASSERT_EQ(settings.size(), 3u);
  EXPECT_EQ(settings[0].text() + " " + settings[1].text() + " " + settings[2].text(),
            "train.selector.rate=0.0007937 train.selector.warmup=1 seed=1");
}

TEST(Space, DrawsStayWithinTheirRange) {
  check_law("a draw is between min and max, and whole if it must be", [] {
    const int low = *rc::gen::inRange(-50, 50);
    const int high = low + *rc::gen::inRange(0, 20);
    const bool log = low > 0 && *rc::gen::arbitrary<bool>();
    const Space space{{.key = "a",
                       .min = static_cast<double>(low),
                       .max = static_cast<double>(high),
                       .whole = *rc::gen::arbitrary<bool>(),
                       .scale = log ? DrawScale::kLog : DrawScale::kLinear}};
    const std::string value = draw(space, *rc::gen::arbitrary<std::uint64_t>(), 3)[0].value;
    const double number = std::stod(value);
    RC_ASSERT(number >= low && number <= high);
    if (space[0].whole) RC_ASSERT(value == std::to_string(static_cast<int>(number)));
  });
}

TEST(Space, AllWholeNumbersAreDrawnAboutAsOften) {
  const Space space{{.key = "a", .min = 1, .max = 4, .whole = true}};
  std::map<std::string, int> counts;
  for (std::uint64_t i = 0; i < 4000; ++i) ++counts[draw(space, 1, i)[0].value];
  ASSERT_EQ(counts.size(), 4u);
  for (const auto& [value, count] : counts) EXPECT_NEAR(count, 1000, 120) << value;
}

TEST(Space, ALogScaleDrawsEachDecadeAsOften) {
  const Space space{{.key = "a", .min = 1e-4, .max = 1e-2, .scale = DrawScale::kLog}};
  int low = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) low += std::stod(draw(space, 1, i)[0].value) < 1e-3;
  EXPECT_NEAR(low, 1000, 120);
}

class StudyFiles : public TemporaryFolder {
 protected:
  std::string space_fault(const std::string& text) const {
    return complaint([&] { read_space(write("space.toml", text)); })
        .substr(folder.string().size() + 1);
  }
  std::string study_fault(const std::string& text) const {
    return complaint([&] { read_study(write("study.toml", text)); })
        .substr(folder.string().size() + 1);
  }
  std::filesystem::path log() const { return folder / "trials.jsonl"; }
};

TEST_F(StudyFiles, ASpaceIsRead) {
  const Space space = read_space(write("space.toml", R"(
[[field]]
key = "train.solver.rate"
min = 1e-4
max = 1
scale = "log"
[[field]]
key = "train.solver.sampling"
choices = ["loss", "uniform"]
[[field]]
key = "selector.encoder.dilations"
choices = [[1, 2], [1, 1]]
[[field]]
key = "train.solver.average"
choices = [0.9, 0]
)"));
  ASSERT_EQ(space.size(), 4u);
  EXPECT_EQ(space[0].max, 1);
  EXPECT_EQ(space[0].scale, DrawScale::kLog);
  EXPECT_EQ(space[1].choices.size(), 2u);
  EXPECT_NE(space[1].choices[0].find("loss"), std::string::npos);
  EXPECT_EQ(space[2].choices[1], "[ 1, 1 ]");
  EXPECT_EQ(space[3].choices, (std::vector<std::string>{"0.9", "0"}));
}

TEST_F(StudyFiles, FaultsOfASpaceNameTheLine) {
  EXPECT_EQ(space_fault("[[field]]\nkey = \"a\"\nmin = 2\nmax = 1\n"),
            "space.toml:1: field a: min is above max");
  EXPECT_EQ(space_fault("\n[[field]]\nkey = \"a\"\nmin = 0\nmax = 1\nscale = \"log\"\n"),
            "space.toml:2: field a: a log scale needs a min above 0");
  EXPECT_EQ(space_fault("[[field]]\nkey = \"a\"\nmin = 0.5\nmax = 1\nwhole = true\n"),
            "space.toml:1: field a: min and max of whole numbers must be whole");
  EXPECT_EQ(space_fault("[[field]]\nkey = \"a\"\nmin = 1\n"),
            "space.toml:1: field a: give choices, or min and max");
  EXPECT_EQ(space_fault("[[field]]\nkey = \"a\"\nchoices = [1]\nmin = 1\n"),
            "space.toml:1: field a: choices cannot be combined with min, max, whole or scale");
  EXPECT_EQ(space_fault("[[field]]\nkey = \"a\"\nmim = 1\n"),
            "space.toml:3: unknown key field.mim");
  EXPECT_EQ(space_fault("[[field]]\nmin = 1\nmax = 2\n"),
            "space.toml:1: field without a name: there is no key");
  EXPECT_EQ(
      space_fault("[[field]]\nkey = \"a\"\nchoices = [1]\n[[field]]\nkey = \"a\"\nchoices = [2]\n"),
      "space.toml:4: field a occurs twice");
  EXPECT_EQ(space_fault("field = 3\n"), "space.toml:1: field must be tables, as in [[field]]");
  EXPECT_EQ(space_fault(""), "space.toml: there is no [[field]]");
}

constexpr const char* kStudy = R"(title = "width"
domain = "logic"
recipe = "../recipes/logic.toml"
meaning = "Share"
note = "Reduced."
seeds = [4, 5]
set = ["train.selector.steps=30"]
[[variant]]
name = "k = 1"
set = ["selector.encoder.window=1"]
[[variant]]
name = "k = 2"
set = ["selector.encoder.window=2"]
)";

TEST_F(StudyFiles, FaultsOfAStudyNameThePlace) {
  const std::string good = kStudy;
  EXPECT_EQ(study_fault(good + "ste = []\n"), "study.toml:14: unknown key variant.ste");
  EXPECT_EQ(study_fault(good + "[[variant]]\nset = []\n"),
            "study.toml:14: the variant has no name");
  EXPECT_EQ(study_fault(good + "[[variant]]\nname = \"k = 1\"\n"),
            "study.toml:14: variant k = 1 occurs twice");
  EXPECT_EQ(study_fault(good + "[[variant]]\nname = \"x\"\nset = [\"steps\"]\n"),
            "study.toml:16: 'steps' is not of the form key=value");
  EXPECT_EQ(study_fault("measure = \"most\"\n" + good),
            "study.toml:1: measure must be one of \"beyond\", \"known\"");
  EXPECT_EQ(study_fault("title = \"x\"\n[[variant]]\nname = \"x\"\n"),
            "study.toml: there is no domain");
}

TEST_F(StudyFiles, WhatIsDoneIsNotDoneAgain) {
  const std::vector<Trial> trials = trials_of(example_search(4));
  FakeRunner runner;
  runner.outcomes["trial 2"] = failed(TrialEnd::kFailed, "the loss is not finite");
  {
    StudyLog first(log());
    run_trials({.trials = {trials.begin(), trials.begin() + 3}}, first, runner);
  }
  EXPECT_EQ(runner.ran, (std::vector<std::string>{"trial 0", "trial 1", "trial 2"}));
  runner.ran.clear();
  {
    StudyLog again(log());
    const auto outcomes = run_trials({.trials = trials}, again, runner);
    EXPECT_EQ(*outcomes[1], done(0.5));
    EXPECT_EQ(outcomes[2]->reason, "the loss is not finite");
    EXPECT_EQ(end_of(outcomes), StudyEnd::kComplete);
  }
  EXPECT_EQ(runner.ran, std::vector<std::string>{"trial 3"});
  runner.ran.clear();
  StudyLog retried(log());
  run_trials({.trials = trials, .retry = true}, retried, runner);
  EXPECT_EQ(runner.ran, std::vector<std::string>{"trial 2"});
}

TEST_F(StudyFiles, AChangedRecipeIsAnotherTrial) {
  Search search = example_search(1);
  StudyLog file(log());
  file.add(trials_of(search)[0], done(0.5));
  EXPECT_NE(file.find(trials_of(search)[0]), nullptr);
  search.recipe.path = "elsewhere/a.toml";
  EXPECT_NE(file.find(trials_of(search)[0]), nullptr);
  search.recipe.text += "seed = 2\n";
  EXPECT_EQ(file.find(trials_of(search)[0]), nullptr);
}

TEST_F(StudyFiles, AnInterruptedTrialGoesOnAndItsTimeCounts) {
  const std::vector<Trial> trials = trials_of(example_search(3));
  FakeRunner runner;
  runner.outcomes["trial 1"] = failed(TrialEnd::kInterrupted);
  {
    StudyLog first(log());
    const auto outcomes = run_trials({.trials = trials}, first, runner);
    EXPECT_EQ(end_of(outcomes), StudyEnd::kInterrupted);
    EXPECT_EQ(runner.ran.size(), 2u);
  }
  runner.outcomes.clear();
  StudyLog second(log());
  const auto outcomes = run_trials({.trials = trials}, second, runner);
  EXPECT_EQ(runner.ran, (std::vector<std::string>{"trial 0", "trial 1", "trial 1", "trial 2"}));
  EXPECT_EQ(outcomes[1]->seconds, 5);
  EXPECT_EQ(outcomes[2]->seconds, 2);
}

TEST_F(StudyFiles, ALogIsCutByTheFirstWriteAndNotBefore) {
  const auto path = write("trials.jsonl", "{\"ha");
  { const StudyLog file(path); }
  EXPECT_EQ(read_file(path, 100), "{\"ha");
  const std::vector<Trial> trials = trials_of(example_search(2));
  StudyLog file(path);
  file.add(trials[0], done(0.5));
  file.add(trials[1], done(0.5));
  const std::string text = read_file(path, 1 << 20);
  EXPECT_TRUE(text.starts_with("{\"identity\":"));
  EXPECT_TRUE(text.ends_with("}\n"));
  EXPECT_EQ(std::ranges::count(text, '\n'), 2);
}

TEST_F(StudyFiles, AReadOnlyLogIsRefusedAlsoByRoot) {
  const auto path = write("file", "");
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  std::filesystem::create_symlink("file", folder / "link");
  for (const auto& name : {path, folder / "link"}) EXPECT_THROW(StudyLog{name}, Error);
}

TEST_F(StudyFiles, ACutLineIsDroppedAndABadOneRefused) {
  const std::vector<Trial> trials = trials_of(example_search(2));
  {
    StudyLog file(log());
    for (const Trial& trial : trials) file.add(trial, done(0.5));
    EXPECT_EQ(complaint([&] { StudyLog another(log()); }),
              log().string() + ": another run is writing this log");
  }
  const std::string whole = read_file(log(), 1 << 20);
  write("trials.jsonl", whole.substr(0, whole.size() - 7));
  {
    StudyLog file(log());
    EXPECT_NE(file.find(trials[0]), nullptr);
    EXPECT_EQ(file.find(trials[1]), nullptr);
    file.add(trials[1], done(0.25));
  }
  EXPECT_EQ(StudyLog(log()).find(trials[1])->best.beyond, 0.25);
  write("trials.jsonl", whole + "{\"identity\": 3}\n" + whole);
  EXPECT_EQ(complaint([&] { StudyLog bad(log()); }),
            log().string() + ":3: this is not a line of a study's log");
}

TEST(Tune, ARecipeThatCannotBeTrainedEndsASearchAtOnce) {
  const auto fault = [](const std::function<void(Search&)>& change) {
    Search search = example_search(3);
    change(search);
    return complaint([&] { trials_of(search); });
  };
  EXPECT_EQ(fault([](Search&) {}), "");
  EXPECT_EQ(fault([](Search& search) { search.recipe.text = "nme = 1\n"; }),
            "recipes/a.toml:1: unknown key nme");
  EXPECT_EQ(fault([](Search& search) { search.space[0].key = "train.selector.rat"; }),
            "train.selector.rat of the space is not a field of recipes/a.toml");
  EXPECT_EQ(fault([](Search& search) { search.space[0].key = "solver.encoder.dim"; }),
            "solver.encoder.dim of the space does not concern the selector");
  EXPECT_EQ(fault([](Search& search) { search.module = StudiedModule::kRouter; }),
            "recipes/a.toml: has no router to train");
}

TEST_F(StudyFiles, ARefusedTrialIsOneOfMany) {
  const std::vector<Trial> trials = trials_of(example_search(3));
  FakeRunner runner;
  runner.outcomes = {{"trial 1", failed(TrialEnd::kRefused, "rate is too large")}};
  StudyLog file(log());
  const auto outcomes = run_trials({.trials = trials}, file, runner);
  EXPECT_EQ(end_of(outcomes), StudyEnd::kComplete);
  EXPECT_EQ(outcomes[1]->reason, "rate is too large");
}

TEST(Tune, RanksByObjectiveThenBySpeedThenFailures) {
  const Search search = example_search(6);
  const std::vector<std::optional<Outcome>> outcomes{done(0.9),    failed(TrialEnd::kFailed, "x"),
                                                     done(1, 40),  done(1, 30),
                                                     std::nullopt, done(0.95)};
  EXPECT_EQ(ranking(search, outcomes), (std::vector<std::size_t>{3, 2, 5, 0, 1}));
  const std::string table = to_table(search, outcomes);
  EXPECT_EQ(table.substr(0, table.find('\n')),
            "trial    beyond  steps  seconds       rate  warmup  seed");
  EXPECT_NE(table.find("The best, trial 3"), std::string::npos);
  EXPECT_NE(table.find("failed"), std::string::npos);
  const nlohmann::ordered_json json = to_json(search, outcomes);
  EXPECT_EQ(json.at("trials").size(), 5u);
  EXPECT_EQ(json.at("trials")[0].at("steps"), 30);
  EXPECT_EQ(json.at("trials")[4].at("failed"), "x");
}

TEST(Tune, SettingsBecomeTablesOfARecipe) {
  EXPECT_EQ(as_recipe({{"train.selector.rate", "0.001"},
                       {"seed", "2"},
                       {"data.protocol", "\"full\""},
                       {"train.selector.warmup", "7"}}),
            "seed = 2\n[data]\nprotocol = \"full\"\n[train.selector]\nrate = 0.001\nwarmup = 7\n");
}

TEST_F(StudyFiles, MetricsOfTheModuleAreRead) {
  const std::string lines =
      R"({"event":"step","module":"selector","step":10,"loss":1.5,"rate":0.1,"steps_per_second":3}
{"event":"validation","module":"selector","step":10,"known":0.5,"beyond":0.25}
{"event":"validation","module":"solver","step":10,"known":0.1,"beyond":0.1}
{"event":"validation","module":"selector","step":20,"known":1.0,"beyond":0.75}
)";
  const std::string end =
      R"({"event":"end","module":"selector","results":{"steps":20,"best_step":20,"known":1.0,"beyond":0.75}}
)";
  Outcome outcome;
  read_metrics(write("m.jsonl", lines + end), StudiedModule::kSelector, outcome);
  EXPECT_EQ(outcome.curve, (std::vector<CurvePoint>{{10, 0.5, 0.25}, {20, 1, 0.75}}));
  EXPECT_EQ(outcome.best, (CurvePoint{20, 1, 0.75}));
  EXPECT_EQ(outcome.steps_to_best(Measure::kKnown), 20);
  Outcome cut;
  const auto path = write("cut.jsonl", lines);
  EXPECT_EQ(complaint([&] { read_metrics(path, StudiedModule::kSelector, cut); }),
            path.string() + ": the selector did not finish");
}

TEST_F(StudyFiles, WhatAStudyMeasuredIsAResult) {
  const Study study = read_study(write("study.toml", kStudy));
  const std::vector<Trial> trials =
      trials_of(study, {"recipes/logic.toml", "data.domains = [\"logic\"]\n"});
  ASSERT_EQ(trials.size(), 4u);
  EXPECT_EQ(trials[3].name, "k = 2, seed 5");
  EXPECT_EQ(
      trials[3].settings,
      (Settings{{"train.selector.steps", "30"}, {"selector.encoder.window", "2"}, {"seed", "5"}}));
  const std::vector<Outcome> outcomes{done(0.1), done(0.2), done(0.3), done(0.4)};
  const nlohmann::json ablation = nlohmann::json::parse(to_json(study, outcomes).dump());
  EXPECT_EQ(ablation.at("title"), "width");
  EXPECT_EQ(ablation.at("measure"), "Share");
  const nlohmann::json& variants = ablation.at("variants");
  ASSERT_EQ(variants.size(), 2u);
  EXPECT_EQ(variants[1].at("name"), "k = 2");
  ASSERT_EQ(variants[1].at("runs").size(), 2u);
  EXPECT_EQ(variants[1].at("runs")[1].at("seed"), 5u);
  EXPECT_EQ(variants[1].at("runs")[1].at("points").back(),
            (nlohmann::json{{"step", 30}, {"value", 0.4}}));
}

TEST(ShippedStudies, CanAllBeRead) {
  int studies = 0;
  for (const auto& entry : std::filesystem::directory_iterator(NRS_STUDIES)) {
    const std::filesystem::path& path = entry.path();
    if (path.extension() != ".toml") continue;
    if (path.filename().string().starts_with("tune-")) {
      EXPECT_FALSE(read_space(path).empty());
      continue;
    }
    const Study study = read_study(path);
    EXPECT_GE(study.seeds.size(), 3u) << path;
    EXPECT_NO_THROW(trials_of(study, read_studied_recipe(path.parent_path() / study.recipe)))
        << path;
    ++studies;
  }
  EXPECT_GE(studies, 4);
}

}  // namespace
}  // namespace nrs::lab
