// nrs reproduce: data sets, trainings, measurements and the report, in one command that can be
// interrupted and goes on.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "architectures/architecture.h"
#include "base/files.h"
#include "base/process.h"
#include "base/status_line.h"
#include "cli/models.h"
#include "cli/other_program.h"
#include "nrs/error.h"
#include "reproduce/estimate.h"
#include "reproduce/runner.h"
#include "verbs/verbs.h"

namespace nrs::lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = "reproduction";
// A quick run has other numbers: it must not take the place of a long one.
constexpr const char* kQuickFolder = "reproduction-quick";
constexpr int kQuickCount = 20;

struct ReproduceOptions : PlanOptions {
  std::string folder;
  std::vector<std::string> kinds;
  std::optional<int> formulas;
  bool list = false;
  HandedOut handed_out;
  int threads = 0;
};

// Those of built-in domains: of a rewriting system of someone's own there are no formulas to ask.
// Not those that answer what another one answers, which is measured.
// Throws Error if one of them cannot be read.
std::vector<PlannedModel> shipped_models() {
  std::vector<PlannedModel> models;
  for (const std::string& name : service::model_names()) {
    const fs::path file = service::find_model(name);
    const model::Model model = model::load_model(file);
    const architectures::Architecture& architecture = architectures::architecture_of(model);
    if (model.domains.empty() || architecture.answers_like_another()) continue;
    models.push_back({name, file, std::string(architecture.name()), model.domains});
  }
  return models;
}

PlanSources find_sources(const PlanOptions& options) {
  for (const fs::path& folder : options.metrics) {
    if (!fs::is_directory(folder)) {
      throw Error(ErrorKind::kUsage, "--metrics " + folder.string() + ": there is no such folder");
    }
  }
  PlanSources sources{.recipes_folder = service::shared_folder("recipes"),
                      .studies_folder = service::shared_folder("studies"),
                      .published = service::shared_folder("results") / "published.json"};
  const fs::path list = service::shared_folder("models") / "release.toml";
  if (!fs::exists(list) || !fs::is_directory(sources.recipes_folder)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{} or {} is missing", list.string(), sources.recipes_folder.string()),
                "install the program as a whole");
  }
  sources.release = read_release(list, sources.recipes_folder);
  if (options.models == ModelChoice::kTrain) {
    sources.studies = read_studies(sources.studies_folder);
  }
  if (options.models == ModelChoice::kShipped || options.quick) {
    sources.shipped = shipped_models();
    if (sources.shipped.empty()) {
      throw Error(ErrorKind::kUsage, "no models came with this program",
                  "name their folder in NRS_MODELS, or leave out --models shipped and --quick");
    }
  }
  return sources;
}

// Trainings whose needs are there: what makes those comes first.
void list_trainings(const std::vector<Task>& plan, const std::vector<TaskState>& states) {
  std::set<std::string> open;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const Task& task = plan[i];
    if (states[i] == TaskState::kComplete) continue;
    open.insert(task.name);
    const auto waits = [&](const std::string& need) { return open.contains(need); };
    if (shows_progress(task) && std::ranges::none_of(task.needs, waits)) {
      print(command_for(task.name));
    }
  }
}

// Runs a plan, and tells how far it is.
class Reproduction {
 public:
  Reproduction(const ReproduceOptions& options, const std::vector<Task>& plan,
               const std::vector<TaskState>& states)
      : options_(options), plan_(plan), states_(states), progress_(progress_of(plan, states)) {}

  int run() {
    // Whoever does one task is not alone.
    const bool whole = options_.handed_out.task.empty();
    const Descriptor lock = lock_folder(options_.out, !whole);
    check_trainer();
    status_.note(show(progress_));
    notice_interrupts();
    const RunSettings settings{.program = service::program_folder() / "nrs",
                               .version = "nrs " NRS_VERSION,
                               .threads = options_.threads,
                               .chatty = cli::errors_are_terminal()};
    const RunSummary summary = run_tasks(plan_, settings, watch());
    status_.clear();
    if (summary.interrupted) {
      status_.note("interrupted; the same command continues from here");
      return 128 + interrupted();
    }
    const fs::path page = report_folder(options_.out) / "index.html";
    if (whole && fs::exists(page)) print(page.string() + "\n");
    if (summary.failed == 0) return cli::kDone;
    cli::complain(fmt::format("{} of {} tasks failed; the same command tries them again",
                              summary.failed, plan_.size()));
    return static_cast<int>(ErrorKind::kIo);
  }

 private:
  // Now, not after an hour.
  void check_trainer() const {
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      if (!shows_progress(plan_[i]) || states_[i] == TaskState::kComplete) continue;
      try {
        cli::find_program(cli::trainer());
        return;
      } catch (const Error& error) {
        const std::string otherwise = error.hint().empty() ? "" : error.hint() + ", or ";
        throw error.in(plan_[i].name)
            .with_hint(otherwise +
                       "measure the models that came with the program: --models shipped");
      }
    }
  }

  RunWatch watch() {
    return {.stop = [] { return interrupted(); },
            .on_begin = [this](const Task& task) { begin(task); },
            .on_wait = [this](const Task& task, double seconds) { wait(task, seconds); },
            .on_end = [this](const Task& task, const TaskEnd& end) { finish(task, end); }};
  }

  std::string place(const Task& task) const {
    return fmt::format("[{}/{}] {}", progress_.done + 1, progress_.tasks, task.name);
  }

  void begin(const Task& task) {
    own_progress_ = cli::errors_are_terminal() && shows_progress(task);
    if (own_progress_) status_.note(place(task));
  }

  void wait(const Task& task, double seconds) {
    if (own_progress_ || !status_.due()) return;
    status_.show(fmt::format("{}  {} of about {}; {} to go", place(task), show_duration(seconds),
                             show_duration(pace_.to_go(task.seconds)),
                             show_rough(pace_.to_go(progress_.seconds_left) - seconds)));
  }

  void finish(const Task& task, const TaskEnd& end) {
    if (end.done) {
      status_.note(fmt::format("{}  {}", place(task), show_duration(end.seconds)));
      pace_.done(task.seconds, end.seconds);
    } else {
      status_.note(fmt::format("{}: failed: {}", task.name, end.reason));
    }
    progress_.done += end.done ? 1 : 0;
    progress_.seconds_left -= task.seconds;
  }

  const ReproduceOptions& options_;
  const std::vector<Task>& plan_;
  const std::vector<TaskState>& states_;
  Progress progress_;
  Pace pace_;
  StatusLine status_{stderr, cli::errors_are_terminal()};
  bool own_progress_ = false;
};

ReproduceOptions completed(ReproduceOptions options) {
  options.out = !options.folder.empty() ? options.folder : options.quick ? kQuickFolder : kFolder;
  if (options.formulas) {
    options.count = *options.formulas;
  } else if (options.quick) {
    options.count = kQuickCount;
  }
  for (const std::string& word : options.kinds) options.only.insert(*enum_value<TaskKind>(word));
  return options;
}

int run(const ReproduceOptions& given) {
  const ReproduceOptions options = completed(given);
  std::vector<Task> plan = make_plan(options, find_sources(options));
  if (plan.empty()) {
    throw Error(ErrorKind::kUsage, "no task matches --only and --names", "--list shows all tasks");
  }
  const std::string& only = options.handed_out.task;
  if (!only.empty() && !options.list) {
    std::erase_if(plan, [&](const Task& task) { return task.name != only; });
  }
  if (plan.empty()) {
    throw Error(ErrorKind::kUsage, fmt::format("--task {}: there is no such task", only),
                "--list shows all tasks");
  }
  const std::vector<TaskState> states = Inspector().states(plan);
  if (options.list) {
    print(show_plan(plan, states) + show(progress_of(plan, states)) + "\n");
  } else if (options.handed_out.list) {
    list_trainings(plan, states);
  } else {
    return Reproduction(options, plan, states).run();
  }
  return cli::kDone;
}

void declare(CLI::App& verb, ReproduceOptions& options) {
  const std::map<std::string, ModelChoice> models{{"train", ModelChoice::kTrain},
                                                  {"shipped", ModelChoice::kShipped}};
  verb.add_flag("--quick", options.quick,
                "a short run for a first look: two short trainings, 20 formulas per level");
  verb.add_option(
      "--out", options.folder,
      fmt::format("folder for models, results and report [{}, {}]", kFolder, kQuickFolder));
  verb.add_option(
          "--models", options.models,
          "train: train all recipes; shipped: measure the models that come with nrs [train]")
      ->transform(CLI::Transformer(models))
      ->type_name("train|shipped")
      ->default_str("");
  verb.add_option("--only", options.kinds, "only these kinds of tasks, and what they need")
      ->check(CLI::IsMember(enum_words<TaskKind>()))
      ->type_name("KIND...");
  verb.add_option("--names", options.names, "only these models, and what they need")
      ->type_name("MODEL...");
  verb.add_option("--seed", options.seed, "random seed; the same seed gives the same formulas");
  verb.add_option("--count", options.formulas, "formulas per level [1000; quick: 20]")
      ->check(CLI::Range(1, 1'000'000));
  verb.add_option(
          "--metrics", options.metrics,
          "folders with NAME.nrs.metrics.jsonl of shipped models, for their training curves")
      ->type_name("FOLDER...");
  verb.add_flag("--list", options.list,
                "run nothing; show what is done, what is not, and how long the rest will take");
  add_task_options(verb, options.handed_out);
  cli::add_threads_option(verb, options.threads,
                          "threads per task; 0: as many as the task chooses");
}

}  // namespace

void add_reproduce(CLI::App& app, cli::Action& action) {
  const auto [verb, options] = cli::add_verb<ReproduceOptions>(app, action, "reproduce", run);
  declare(*verb, *options);
  verb->footer(
      "After Ctrl-C, the same command continues. docs/reproduce.md describes what is made.\n"
      "example: nrs reproduce --quick");
}

}  // namespace nrs::lab
