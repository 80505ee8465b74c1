// Plans, states and runs of a reproduction; commands are those of a small script.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "model/model_file.h"
#include "model/training_files.h"
#include "nrs/error.h"
#include "random_model.h"
#include "reproduce/estimate.h"
#include "reproduce/plan.h"
#include "reproduce/runner.h"
#include "study/ablation.h"
#include "temporary.h"

namespace nrs::lab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

RecipeFacts recipe(const std::string& name, const std::string& engine,
                   std::vector<std::string> domains = {"logic"}) {
  RecipeFacts facts{
      .file = "share/recipes/" + name + ".toml", .engine = engine, .domains = std::move(domains)};
  if (engine == "ndr") {
    facts.steps = {{"router", 1000}};
  } else {
    facts.steps = {{"selector", 1000}, {"solver", 5000}};
  }
  return facts;
}

PlanSources some_sources() {
  const RecipeFacts algebra = recipe("algebra", "fastnrs", {"algebra"});
  PlanSources sources{
      .recipes_folder = "share/recipes",
      .release = {.models = {{.name = "multi", .facts = recipe("multi", "fastnrs")},
                             {.name = "multi-compiled",
                              .compiled_from = "multi",
                              .facts = recipe("multi", "fastnrs")},
                             {.name = "logic", .half = true, .facts = recipe("logic", "fastnrs")},
                             {.name = "algebra",
                              .selector_from = "multi",
                              .shares = {"selector"},
                              .half = true,
                              .facts = algebra},
                             {.name = "nrs-logic",
                              .solver_from = "logic",
                              .shares = {"solver"},
                              .facts = recipe("nrs-logic", "nrs")},
                             {.name = "nrs-algebra",
                              .selector_from = "nrs-logic",
                              .solver_from = "algebra",
                              .shares = {"selector", "solver"},
                              .half = true,
                              .facts = recipe("nrs-logic", "nrs", {"algebra"})},
                             {.name = "ndr-logic", .facts = recipe("ndr-logic", "ndr")}},
                  .quick = {{.name = "logic", .facts = recipe("logic", "fastnrs")},
                            {.name = "listops",
                             .selector_steps = 1000,
                             .solver_steps = 4000,
                             .facts = recipe("listops", "fastnrs", {"listops"})}}},
      .shipped = {{"logic", "ship/logic.nrs", "fastnrs", {"logic"}},
                  {"multi", "ship/multi.nrs", "fastnrs", {"logic", "listops"}},
                  {"ndr-logic", "ship/ndr-logic.nrs", "ndr", {"logic"}}},
      .studies_folder = "share/studies",
      .studies = {{"window", "share/studies/window.toml", 15}},
      .published = "share/results/published.json"};
  return sources;
}

const Task& find(const std::vector<Task>& plan, const std::string& name) {
  const auto found =
      std::find_if(plan.begin(), plan.end(), [&](const Task& task) { return task.name == name; });
  if (found == plan.end()) throw std::out_of_range("no task " + name);
  return *found;
}

bool has(const std::vector<Task>& plan, const std::string& name) {
  return std::any_of(plan.begin(), plan.end(), [&](const Task& task) { return task.name == name; });
}

std::size_t count(const std::vector<Task>& plan, TaskKind kind) {
  return std::count_if(plan.begin(), plan.end(),
                       [&](const Task& task) { return task.kind == kind; });
}

TEST(Plan, EveryTaskIsThereOnceAndBehindWhatItNeeds) {
  for (const bool quick : {false, true}) {
    const auto plan = make_plan({.quick = quick}, some_sources());
    std::set<std::string> before;
    for (const Task& task : plan) {
      for (const std::string& need : task.needs) EXPECT_TRUE(before.contains(need)) << task.name;
      EXPECT_TRUE(before.insert(task.name).second) << task.name;
    }
    EXPECT_EQ(plan.back().name, "report/page");
  }
}

TEST(Plan, ModelsAreMadeAsTheReleaseSays) {
  const auto plan = make_plan({.out = "out"}, some_sources());
  EXPECT_EQ(find(plan, "train/multi").shown, "nrs train recipes/multi.toml --out models/multi.nrs");
  EXPECT_EQ(find(plan, "train/multi").command,
            (std::vector<std::string>{"train", "share/recipes/multi.toml", "--out",
                                      "out/models/multi.nrs"}));
  EXPECT_EQ(find(plan, "train/multi-compiled").shown,
            "nrs compile models/multi.nrs --share --out models/multi-compiled.nrs");
  EXPECT_EQ(find(plan, "train/multi-compiled").needs, std::vector<std::string>{"train/multi"});
  // It answers what is measured already.
  EXPECT_TRUE(std::ranges::none_of(
      plan, [](const Task& task) { return task.name.starts_with("eval/multi-compiled"); }));
  // Weights of 16 bits are made of the trained ones.
  EXPECT_EQ(find(plan, "train/logic.parts").shown,
            "nrs train recipes/logic.toml --out parts/logic.nrs");
  EXPECT_EQ(find(plan, "train/logic").shown,
            "nrs join --selector parts/logic.nrs --solver parts/logic.nrs --half --out "
            "models/logic.nrs");
  // Its own Solver beside the Selector of multi.
  EXPECT_EQ(find(plan, "train/algebra.parts").shown,
            "nrs train recipes/algebra.toml --only solver --out parts/algebra.nrs");
  EXPECT_EQ(find(plan, "train/algebra").shown,
            "nrs join --selector models/multi.nrs --solver parts/algebra.nrs --share-selector "
            "--half --out models/algebra.nrs");
  EXPECT_EQ(find(plan, "train/algebra").needs,
            (std::vector<std::string>{"train/multi", "train/algebra.parts"}));
  // Its own Selector beside the Solver of logic.
  EXPECT_EQ(find(plan, "train/nrs-logic.parts").shown,
            "nrs train recipes/nrs-logic.toml --solver-from models/logic.nrs --out "
            "parts/nrs-logic.nrs");
  EXPECT_EQ(find(plan, "train/nrs-logic.parts").needs, std::vector<std::string>{"train/logic"});
  EXPECT_EQ(find(plan, "train/nrs-logic").shown,
            "nrs join --selector parts/nrs-logic.nrs --solver models/logic.nrs --share-solver "
            "--out models/nrs-logic.nrs");
  EXPECT_EQ(find(plan, "train/nrs-algebra").shown,
            "nrs join --selector models/nrs-logic.nrs --solver models/algebra.nrs "
            "--share-selector --share-solver --half --out models/nrs-algebra.nrs");
  EXPECT_FALSE(has(plan, "train/nrs-algebra.parts"));  // nothing of it is its own
  EXPECT_FALSE(has(plan, "training/nrs-algebra"));
  EXPECT_TRUE(has(plan, "training/algebra"));
  EXPECT_TRUE(has(plan, "ablation/window"));
}

TEST(Plan, MeasuresEachModelOnItsDomains) {
  const auto plan = make_plan({.models = ModelChoice::kShipped, .seed = 7}, some_sources());
  EXPECT_EQ(count(plan, TaskKind::kTrain), 0u);
  EXPECT_EQ(count(plan, TaskKind::kEval), 7u);
  EXPECT_EQ(find(plan, "eval/multi.logic.1-12").shown,
            "nrs eval --model multi --domain logic --nesting 1-12 --count 1000 --seed 7 --json");
  EXPECT_EQ(find(plan, "eval/multi.listops.8").shown,
            "nrs eval --model multi --domain listops --nesting 8 --count 200 --seed 7 --json");
  EXPECT_TRUE(has(plan, "eval/logic.logic.40"));
  EXPECT_EQ(find(plan, "timing/logic").shown, "nrs eval --model logic --count 100 --seed 7 --json");
  EXPECT_TRUE(has(plan, "confidence/logic"));
  EXPECT_FALSE(has(plan, "confidence/ndr-logic"));  // it has no Selector
  EXPECT_TRUE(has(plan, "eval/ndr-logic.logic.1-12"));
  EXPECT_FALSE(
      has(plan, "eval/ndr-logic.logic.40"));  // its cost grows with the square of the length
  EXPECT_FALSE(has(plan, "training/logic"));  // nobody knows its metrics
  EXPECT_TRUE(has(plan, "trace/derivation"));
}

class ShippedPlan : public TemporaryFolder {};

TEST_F(ShippedPlan, NamesTheCommandThatMakesAModelAgain) {
  PlanSources sources = some_sources();
  sources.shipped = {{"logic", "ship/logic.nrs", "fastnrs", {"logic"}},
                     {"nrs-algebra", "ship/nrs-algebra.nrs", "nrs", {"algebra"}},
                     {"another", "ship/another.nrs", "fastnrs", {"logic"}}};
  for (const PlannedModel& model : sources.shipped) {
    std::ofstream(model::metrics_path(folder / (model.name + ".nrs"))) << "{}\n";
  }
  const auto plan = make_plan({.models = ModelChoice::kShipped, .metrics = {folder}}, sources);
  EXPECT_EQ(find(plan, "training/logic").shown,
            "nrs train recipes/logic.toml --out parts/logic.nrs");
  EXPECT_EQ(find(plan, "training/nrs-algebra").shown,
            "nrs join --selector models/nrs-logic.nrs --solver models/algebra.nrs "
            "--share-selector --share-solver --half --out models/nrs-algebra.nrs");
  EXPECT_EQ(find(plan, "training/another").shown, "nrs train recipes/another.toml");
}

TEST(Plan, QuickTrainsTwoModelsBrieflyAndTakesTheOthersAsTheyAre) {
  const auto plan = make_plan({.out = "out", .quick = true, .count = 20}, some_sources());
  EXPECT_EQ(count(plan, TaskKind::kTrain), 2u);
  EXPECT_EQ(count(plan, TaskKind::kAblation), 0u);
  EXPECT_NE(find(plan, "train/listops").shown.find("--set train.solver.steps="), std::string::npos);
  EXPECT_EQ(find(plan, "model/logic").models.front(), "out/models/logic.nrs");
  EXPECT_EQ(find(plan, "model/multi").models.front(), "ship/multi.nrs");
  EXPECT_TRUE(has(plan, "training/logic"));
  EXPECT_LT(progress_of(plan, std::vector(plan.size(), TaskState::kOutstanding)).seconds_left,
            15 * 60);
}

TEST(Plan, OnlyWhatIsAskedForAndWhatItNeeds) {
  const auto plan = make_plan({.only = {TaskKind::kEval}, .names = {"algebra"}}, some_sources());
  std::vector<std::string> names;
  for (const Task& task : plan) names.push_back(task.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"train/multi", "train/algebra.parts", "train/algebra",
                                      "eval/algebra.algebra.1-6", "eval/algebra.algebra.8"}));
  try {
    make_plan({.names = {"algebar"}}, some_sources());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.line(), "there is no model 'algebar' (did you mean algebra?)");
  }
}

TEST(Overview, TellsWhatIsDoneAndWhatItTakes) {
  const std::vector<Task> plan{{.name = "train/logic", .seconds = 7790}, {.name = "eval/x"}};
  const std::vector<TaskState> states{TaskState::kStale, TaskState::kComplete};
  EXPECT_EQ(show(progress_of(plan, states)), "1 of 2 done; about 2 h 10 min to go");
  EXPECT_EQ(show_plan(plan, states),
            "task         state           takes\n"
            "train/logic  stale         2:09:50\n"
            "eval/x       done\n");
  EXPECT_EQ(show({.done = 2, .tasks = 2}), "2 of 2 done");
}

TEST(Pace, FollowsTheMachine) {
  Pace pace;
  EXPECT_EQ(pace.to_go(100), 100);
  pace.done(1000, 2000);
  EXPECT_NEAR(pace.to_go(100), 200, 3);
}

const ReleasedModel& find(const Release& release, const std::string& name) {
  return *std::ranges::find(release.models, name, &ReleasedModel::name);
}

TEST(ReleaseFile, ThatOfTheProjectIsUnderstood) {
  const Release release = read_release(NRS_RELEASE, NRS_RECIPES);
  ASSERT_GE(release.models.size(), 20u);
  EXPECT_EQ(find(release, "logic").facts.steps,
            (std::map<std::string, int>{{"selector", 400}, {"solver", 1500}}));
  EXPECT_EQ(find(release, "nrs-multi").facts.engine, "nrs");
  EXPECT_EQ(find(release, "nrs-multi").facts.domains.size(), 4u);
  EXPECT_EQ(find(release, "ndr-logic").facts.engine, "ndr");
  EXPECT_EQ(find(release, "multi-compiled").compiled_from, "multi");
  EXPECT_EQ(find(release, "nrs-algebra").facts.engine, "nrs");
  EXPECT_EQ(find(release, "nrs-algebra").facts.domains, std::vector<std::string>{"algebra"});
  ASSERT_EQ(release.quick.size(), 2u);
  EXPECT_EQ(release.quick[1].solver_steps, 4000);
  for (const char* module : {"selector", "solver"}) {
    EXPECT_GT(release.quick[1].facts.steps.at(module), 0) << module;
  }
}

class ReleaseFolder : public TemporaryFolder {
 protected:
  // The message; empty if nothing was thrown.
  std::string complaint(const std::string& text) const {
    try {
      read_release(write("release.toml", text), NRS_RECIPES);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(ReleaseFolder, FaultsNameTheirLine) {
  const std::string logic = "[[model]]\nname = 'logic'\n";
  EXPECT_EQ(complaint(logic), "");
  const auto ends = [&](const std::string& text, const std::string& end) {
    EXPECT_TRUE(complaint(text).ends_with(end)) << complaint(text);
  };
  ends(logic + logic, "release.toml:3: model logic: it comes twice");
  ends(logic + "solver_from = 'multi'\n", "release.toml:1: model logic: multi is not before it");
  ends(logic + "shares = ['solver']\n",
       "release.toml:1: model logic: it takes no solver that it could share");
  EXPECT_NE(complaint(logic + "halve = true\n"), "");
  EXPECT_NE(complaint("[[model]]\nname = 'nothing'\n"), "");
}

class Reproduce : public TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    fs::create_directories(folder / "models");
  }

  fs::path save(const std::string& name, std::uint64_t seed,
                const std::string& results = "{}") const {
    const fs::path path = folder / "models" / (name + ".nrs");
    model::Model model;
    model.name = name;
    model.results = results;
    nn::SelectorConfig config;
    config.encoder.dim = 8;
    model.modules["selector"] = model::to_module(random_selector(config, "01", seed));
    model::save_model(path, model);
    return path;
  }

  // A program in the place of nrs.
  fs::path script(const std::string& body) const {
    const fs::path path = write("fake", "#!/bin/sh\ncd " + folder.string() + "\n" + body);
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }

  Task evaluation(const fs::path& model) const {
    return {.name = "eval/x",
            .kind = TaskKind::kEval,
            .model = "x",
            .file = folder / "results" / "eval" / "x.json",
            .command = {"eval", "--model", "x"},
            .shown = "nrs eval --model x",
            .models = {model}};
  }

  Task training() const {
    write("recipe.toml", "name = 'x' # as it was\n");
    return {.name = "train/x",
            .kind = TaskKind::kTrain,
            .model = "x",
            .file = folder / "models" / "x.nrs",
            .command = {"train", "recipe.toml"},
            .shown = "nrs train recipe.toml",
            .source = folder / "recipe.toml"};
  }

  std::string read(const std::string& name) const { return read_file(folder / name, 1 << 20); }
};

TEST_F(Reproduce, AResultIsDoneIfItNamesItsModelAndItsCommand) {
  const fs::path model = save("x", 1);
  const Task task = evaluation(model);
  Inspector inspector;
  EXPECT_EQ(inspector.state(task), TaskState::kOutstanding);
  fs::create_directories(task.file.parent_path());
  const auto put = [&](const std::string& command, const std::string& checksum) {
    std::ofstream(task.file) << Json{{"command", command}, {"model_checksum", checksum}};
    return inspector.state(task);
  };
  const std::string right = model::model_checksum(model::load_model(model));
  EXPECT_EQ(put("nrs eval --model x", right), TaskState::kComplete);
  EXPECT_EQ(put("nrs eval --model x --threads 2", right), TaskState::kComplete);
  EXPECT_EQ(put("nrs eval --model x --count 3", right), TaskState::kStale);
  EXPECT_EQ(put("nrs eval --model x", "crc32:00000000"), TaskState::kStale);
  put("nrs eval --model x", right);
  fs::remove(model);
  EXPECT_EQ(inspector.state(task), TaskState::kStale);
  std::ofstream(task.file) << "{\"command\"";
  EXPECT_EQ(inspector.state(task), TaskState::kOutstanding);
}

TEST_F(Reproduce, AModelIsDoneIfItsRecordIsOfThisRecipe) {
  const Task task = training();
  Inspector inspector;
  EXPECT_EQ(inspector.state(task), TaskState::kOutstanding);
  save("x", 1);
  EXPECT_THROW(inspector.state(task), Error);  // someone else's model is not replaced
  std::ofstream(model_record_path(task.file)) << inspector.model_record(task);
  EXPECT_EQ(inspector.state(task), TaskState::kComplete);
  write("recipe.toml", "name = 'x' # a comment changes nothing\n");
  EXPECT_EQ(inspector.state(task), TaskState::kComplete);
  std::ofstream(model::checkpoint_path(task.file)) << "";
  EXPECT_EQ(inspector.state(task), TaskState::kOutstanding);
  write("recipe.toml", "name = 'x'\nseed = 2\n");
  EXPECT_EQ(inspector.state(task), TaskState::kStale);
}

TEST_F(Reproduce, AnAblationIsDoneIfItIsOfThisStudyAndThisRecipe) {
  write("recipe.toml", "name = 'x'\n");
  Task task{.name = "ablations/study", .kind = TaskKind::kAblation};
  task.file = folder / "study.json";
  task.source = write("study.toml", "recipe = 'recipe.toml'\n");
  EXPECT_EQ(Inspector().state(task), TaskState::kOutstanding);
  std::ofstream(task.file) << Json{{"study_checksum", study_checksum(task.source)}};
  EXPECT_EQ(Inspector().state(task), TaskState::kComplete);
  write("recipe.toml", "name = 'y'\n");
  EXPECT_EQ(Inspector().state(task), TaskState::kStale);
}

TEST_F(Reproduce, WhatNeedsSomethingOutstandingIsNotDone) {
  const fs::path model = save("x", 1);
  Task task = evaluation(model);
  task.needs = {"train/x"};
  fs::create_directories(task.file.parent_path());
  std::ofstream(task.file) << Json{
      {"command", task.shown}, {"model_checksum", model::model_checksum(model::load_model(model))}};
  Task train = training();
  Inspector inspector;
  std::ofstream(model_record_path(train.file)) << Json{{"command", "another"}};
  EXPECT_EQ(inspector.states({train, task}), (std::vector{TaskState::kStale, TaskState::kStale}));
  std::ofstream(model_record_path(train.file)) << inspector.model_record(train);
  EXPECT_EQ(inspector.states({train, task}),
            (std::vector{TaskState::kComplete, TaskState::kComplete}));
}

TEST_F(Reproduce, OutputsBecomeFilesAndFailuresAreTold) {
  const fs::path model = save("x", 1);
  Task good = evaluation(model);
  good.file = folder / "results" / "good.json";
  Task bad = good;
  bad.name = "eval/bad";
  bad.file = folder / "results" / "bad.json";
  bad.command = {"eval", "bad"};
  Task waits = good;
  waits.name = "eval/waits";
  waits.file = folder / "results" / "waits.json";
  waits.needs = {"eval/bad"};
  Task noise = good;
  noise.name = "eval/noise";
  noise.file = folder / "results" / "noise.json";
  noise.command = {"eval", "noise"};
  const fs::path program = script(R"sh(
[ "$2" = bad ] && { echo '{"half":'; echo "nrs: no such thing (try another)" >&2; exit 3; }
[ "$2" = noise ] && { echo noise; exit 0; }
echo "{\"command\": \"nrs eval --model x\", \"models\": \"$NRS_MODELS\"}"
exit 4
)sh");
  std::map<std::string, TaskEnd> ends;
  RunWatch watch;
  watch.on_end = [&](const Task& task, const TaskEnd& end) { ends[task.name] = end; };
  const RunSummary summary = run_tasks({bad, waits, noise, good}, {.program = program}, watch);
  EXPECT_EQ(summary.done, 1);
  EXPECT_EQ(summary.failed, 3);
  EXPECT_FALSE(summary.interrupted);
  EXPECT_EQ(ends["eval/bad"].reason, "no such thing (try another)");
  EXPECT_EQ(ends["eval/waits"].reason, "eval/bad is not done");
  EXPECT_EQ(ends["eval/noise"].reason, "nrs eval: this is not one JSON object");
  EXPECT_EQ(Json::parse(read("results/good.json"))["models"], (folder / "models").string());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "results"), {}), 1);
}

TEST_F(Reproduce, ATrainingThatWasInterruptedGoesOn) {
  const fs::path made = save("made", 1);
  const Task task = training();
  // The first call is told to end and leaves a checkpoint; the second must be told to resume.
  const fs::path program = script(R"sh(
echo "$@" >> calls
case "$*" in
  *--resume*) cp models/made.nrs models/x.nrs; rm models/x.nrs.checkpoint; exit 0 ;;
esac
trap 'touch models/x.nrs.checkpoint; exit 130' INT
touch running
while :; do sleep 0.01; done
)sh");
  const RunSettings settings{.program = program};
  RunWatch watch;
  watch.stop = [&] { return fs::exists(folder / "running") ? SIGINT : 0; };
  EXPECT_TRUE(run_tasks({task, evaluation(task.file)}, settings, watch).interrupted);
  EXPECT_EQ(Inspector().state(task), TaskState::kOutstanding);
  const RunSummary second = run_tasks({task}, settings, {});
  EXPECT_EQ(second.done, 1);
  EXPECT_EQ(Inspector().state(task), TaskState::kComplete);
  EXPECT_EQ(read("calls"), "train recipe.toml --quiet\ntrain recipe.toml --resume --quiet\n");
  EXPECT_EQ(run_tasks({task}, settings, {}).done, 0);  // nothing is done twice
}

TEST_F(Reproduce, AStaleModelIsMadeAgain) {
  save("made", 2);
  save("x", 1);
  const Task task = training();
  std::ofstream(model_record_path(task.file)) << Json{{"command", "another"}};
  const RunSettings settings{
      .program = script("[ -e models/x.nrs ] && exit 1\ncp models/made.nrs models/x.nrs\n")};
  EXPECT_EQ(run_tasks({task}, settings, {}).done, 1);
  EXPECT_EQ(read("models/x.nrs"), read("models/made.nrs"));
}

TEST_F(Reproduce, HalfATrainingByAnotherRecipeIsNotGoneOnWith) {
  save("made", 2);
  const Task task = training();
  std::ofstream(model_record_path(task.file)) << Json{{"command", "another"}};
  for (const fs::path& old : {model::checkpoint_path(task.file),
                              model::earlier_checkpoint(model::checkpoint_path(task.file))}) {
    std::ofstream(old) << "";
  }
  const RunSettings settings{.program = script("case \"$*\" in *--resume*) exit 2 ;; esac\n"
                                               "cp models/made.nrs models/x.nrs\n")};
  EXPECT_EQ(run_tasks({task}, settings, {}).done, 1);
  EXPECT_EQ(Inspector().state(task), TaskState::kComplete);
}

TEST_F(Reproduce, CurvesOfAnotherTrainingAreRefused) {
  Task task = evaluation(save("x", 1, R"({"solver":{"steps":1000}})"));
  task.kind = TaskKind::kTraining;
  task.command.clear();
  task.source =
      write("metrics.jsonl", R"({"event":"end","module":"solver","results":{"steps":999}})"
                             "\n");
  EXPECT_THROW(result_content(task, "", "nrs 1"), Error);
}

TEST_F(Reproduce, CurvesOfTrainingsAreThinned) {
  const fs::path model = save("x", 1, R"({"solver":{"steps":1000}})");
  std::string metrics;
  for (int step = 1; step <= 1000; ++step) {
    metrics += Json{{"event", "validation"},
                    {"module", "solver"},
                    {"step", step},
                    {"known", 0.5},
                    {"beyond", nullptr}}
                   .dump() +
               "\n";
  }
  metrics += R"({"event":"end","module":"solver","results":{"steps":1000}})"
             "\n{\"event\":\"st";
  Task task = evaluation(model);
  task.kind = TaskKind::kTraining;
  task.command.clear();
  task.source = write("metrics.jsonl", metrics);
  const Json made = Json::parse(result_content(task, "", "nrs 1"));
  EXPECT_EQ(made["command"], "nrs eval --model x");
  EXPECT_EQ(made["model_checksum"], model::model_checksum(model::load_model(model)));
  const Json& points = made["modules"][0]["points"];
  EXPECT_LE(points.size(), 80u);
  EXPECT_GT(points.size(), 70u);
  EXPECT_EQ(points.back()["step"], 1000);
}

TEST_F(Reproduce, OneFolderIsForOneRunAtATime) {
  const Descriptor lock = lock_folder(folder);
  EXPECT_THROW(lock_folder(folder), Error);
}

}  // namespace
}  // namespace nrs::lab
