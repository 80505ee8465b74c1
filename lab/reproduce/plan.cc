#include "reproduce/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "architectures/architecture.h"
#include "base/process.h"
#include "base/text.h"
#include "data/paper_counts.h"
#include "nrs/domain.h"
#include "nrs/error.h"
#include "reproduce/estimate.h"

namespace nrs::lab {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

constexpr std::uint64_t kDatasetSeed = 1;
// Of the paper's test sets, on which time is measured.
constexpr int kTimedFormulas = 100;
// The deepest level has so many times fewer formulas.
constexpr int kFewer = 5;
constexpr int kLeaves = 100'000;
constexpr int kQuickLeaves = 5'000;
// For the worked derivation; `nrs simplify` takes this model, compiled.
constexpr const char* kTracedModel = "multi";
constexpr const char* kTracedFormula = "(((7+35)*(12-(4*(6-9))))-((81-17)*((3+44)*(5-71))))";
constexpr double kBrief = 0.2;
constexpr double kDatasetSeconds = 4;
constexpr double kReportSeconds = 1;

// A level far below those of the paper, where formulas of the domain can still be written down.
int deep_level(const Domain& domain) {
  constexpr int kVeryDeep = 40, kDeep = 8;
  constexpr std::size_t kLongest = 100'000;
  return domain.longest_formula({kVeryDeep, 2}) <= kLongest ? kVeryDeep : kDeep;
}

// Whether models of an architecture find leaves. The others have no Selector to be confident, and
// take the square of the length of a formula that is far too deep for them.
bool finds_leaves(const std::string& architecture) {
  const auto all = architectures::all_architectures();
  const auto found = std::ranges::find(all, architecture, &architectures::Architecture::name);
  return found == all.end() || (*found)->verifiable();
}

class Planner {
 public:
  Planner(const PlanOptions& options, const PlanSources& sources)
      : options_(options),
        sources_(sources),
        results_(options.out / "results"),
        seed_(std::to_string(options.seed)) {}

  std::vector<Task> plan() {
    for (const Domain* domain : all_domains()) add_dataset(std::string(domain->name()));
    const std::vector<PlannedModel> models = plan_models(options_, sources_, tasks_);
    check_names(models);
    for (const PlannedModel& model : models) add_results(model);
    if (options_.models == ModelChoice::kTrain && !options_.quick) {
      for (const StudyFacts& study : sources_.studies) add_study(study);
    }
    add_report();
    return chosen();
  }

 private:
  // The tasks that are wanted, and all that they need. Those come first, so the way back sees a
  // task before what it needs.
  std::vector<Task> chosen() const {
    std::set<std::string> needed;
    std::vector<Task> chosen;
    for (auto task = tasks_.rbegin(); task != tasks_.rend(); ++task) {
      if (!wanted(*task) && !needed.contains(task->name)) continue;
      needed.insert(task->needs.begin(), task->needs.end());
      chosen.push_back(*task);
    }
    std::ranges::reverse(chosen);
    return chosen;
  }

  bool wanted(const Task& task) const {
    if (!options_.only.empty() && !options_.only.contains(task.kind)) return false;
    if (options_.names.empty() || task.kind == TaskKind::kReport) return true;
    return std::ranges::find(options_.names, task.model) != options_.names.end();
  }

  void check_names(const std::vector<PlannedModel>& models) const {
    Words known;
    for (const PlannedModel& model : models) known.push_back(model.name);
    for (const std::string& name : options_.names) {
      if (std::ranges::find(known, name) != known.end()) continue;
      const std::string close = nearest(name, known);
      throw Error(ErrorKind::kUsage, fmt::format("there is no model '{}'", excerpt(name)),
                  close.empty() ? fmt::format("the models are {}", fmt::join(known, ", "))
                                : fmt::format("did you mean {}?", close));
    }
  }

  // A task whose standard output is its result.
  Task& add(TaskKind kind, const std::string& folder, const std::string& name, Words command,
            double seconds) {
    Task task{.name = fmt::format("{}/{}", enum_name(kind), name),
              .kind = kind,
              .file = results_ / folder / (name + ".json"),
              .command = command,
              .seconds = seconds};
    command.insert(command.begin(), "nrs");
    task.shown = shell_line(command);
    return tasks_.emplace_back(std::move(task));
  }

  // About a model.
  Task& add(TaskKind kind, const std::string& folder, const std::string& name, Words command,
            double seconds, const PlannedModel& model) {
    Task& task = add(kind, folder, name, std::move(command), seconds);
    task.model = model.name;
    task.models = {model.file};
    if (!model.task.empty()) task.needs = {model.task};
    return task;
  }

  // One that writes into a folder: its command is not the same on every machine.
  Task& add_here(TaskKind kind, const std::string& folder, const std::string& name,
                 const Words& typed, double seconds) {
    Task& task = add(kind, folder, name, typed, seconds);
    task.command = here(typed, options_, sources_);
    return task;
  }

  void add_dataset(const std::string& domain) {
    Task& task = add_here(TaskKind::kDataset, "datasets", domain,
                          {"dataset", domain, "--protocol", "paper", "--seed",
                           std::to_string(kDatasetSeed), "--out", "data/" + domain},
                          kDatasetSeconds);
    task.source = fs::path(task.command.back()) / "stats.json";
  }

  void add_results(const PlannedModel& model) {
    add(TaskKind::kModel, "models", model.name, {"info", "--json", model.name}, kBrief, model);
    int levels = 0;
    for (const std::string& name : model.domains) {
      const Domain& domain = find_domain(name);
      const int deepest = data::paper_counts(domain).test_to;
      levels += deepest;
      add_eval(model, name, fmt::format("1-{}", deepest), options_.count,
               eval_seconds(model.engine, 1.0 * options_.count * deepest, false));
      if (!finds_leaves(model.engine)) continue;
      const int fewer = std::max(1, options_.count / kFewer);
      add_eval(model, name, std::to_string(deep_level(domain)), fewer,
               eval_seconds(model.engine, fewer, true));
    }
    const int timed = std::min(kTimedFormulas, options_.count);
    add(TaskKind::kTiming, "timing", model.name,
        {"eval", "--model", model.name, "--count", std::to_string(timed), "--seed", seed_,
         "--json"},
        eval_seconds(model.engine, 1.0 * timed * levels, false), model);
    if (finds_leaves(model.engine)) add_confidence(model);
    if (!model.metrics.empty()) {
      Task& task = add(TaskKind::kTraining, "training", model.name, {}, kBrief, model);
      task.shown = model.trained_by;
      task.source = model.metrics;
    }
    if (model.name == kTracedModel) {
      add(TaskKind::kTrace, "traces", "derivation",
          {"simplify", "--model", model.name, "--trace", "--json", kTracedFormula}, kBrief, model);
    }
  }

  void add_eval(const PlannedModel& model, const std::string& domain, const std::string& levels,
                int count, double seconds) {
    add(TaskKind::kEval, "eval", fmt::format("{}.{}.{}", model.name, domain, levels),
        {"eval", "--model", model.name, "--domain", domain, "--nesting", levels, "--count",
         std::to_string(count), "--seed", seed_, "--json"},
        seconds, model);
  }

  void add_confidence(const PlannedModel& model) {
    Words command{"confidence", "--model", model.name, "--seed", seed_};
    const int leaves = options_.quick ? kQuickLeaves : kLeaves;
    if (options_.quick) {
      command.insert(command.end(), {"--count", std::to_string(options_.count), "--leaves",
                                     std::to_string(leaves)});
    }
    add(TaskKind::kConfidence, "confidence", model.name, command,
        confidence_seconds(model.engine, leaves, model.domains.size()), model);
  }

  void add_study(const StudyFacts& study) {
    add_here(TaskKind::kAblation, "ablations", study.name,
             {"ablate", "studies/" + study.file.filename().string(), "--out", "results"},
             study_seconds(study))
        .source = study.file;
  }

  // The report shows what is there: nothing that fails keeps it from being drawn.
  void add_report() {
    Task published{.name = "report/published",
                   .kind = TaskKind::kReport,
                   .file = results_ / "published.json",
                   .source = sources_.published};
    const fs::path folder = report_folder(options_.out);
    Task report{.name = "report/page",
                .kind = TaskKind::kReport,
                .file = folder / "index.html",
                .command = {"report", "--results", results_.string(), "--out", folder.string()},
                .shown = "nrs report --results results --out report",
                .needs = {published.name},
                .source = results_,
                .seconds = kReportSeconds};
    tasks_.push_back(std::move(published));
    tasks_.push_back(std::move(report));
  }

  const PlanOptions& options_;
  const PlanSources& sources_;
  const fs::path results_;
  const std::string seed_;
  std::vector<Task> tasks_;
};

}  // namespace

Words here(Words typed, const PlanOptions& options, const PlanSources& sources) {
  const std::map<std::string, fs::path> folders{
      {"recipes", sources.recipes_folder}, {"studies", sources.studies_folder},
      {"models", options.out / "models"},  {"parts", options.out / "parts"},
      {"data", options.out / "data"},      {"results", options.out / "results"}};
  for (std::string& word : typed) {
    const std::string first = word.substr(0, word.find('/'));
    const auto folder = folders.find(first);
    if (folder != folders.end()) word = folder->second.string() + word.substr(first.size());
  }
  return typed;
}

fs::path report_folder(const fs::path& out) {
  return out / "report";
}

std::vector<Task> make_plan(const PlanOptions& options, const PlanSources& sources) {
  return Planner(options, sources).plan();
}

}  // namespace nrs::lab
