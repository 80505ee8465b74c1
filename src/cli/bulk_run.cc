#include "cli/bulk_tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <set>

#include "base/process.h"
#include "base/status_line.h"
#include "base/threads.h"
#include "bulk/ranges.h"
#include "bulk/run.h"
#include "cli/console.h"
#include "nrs/error.h"

namespace nrs::cli {
namespace {

constexpr int kMostComplaints = 20;
constexpr const char* kSlurmTask = "SLURM_ARRAY_TASK_ID";

std::vector<std::size_t> chosen_tasks(const BulkRunOptions& options, std::size_t most) {
  std::set<std::size_t> chosen;
  const auto choose = [&](const std::string& text) {
    for (const std::size_t task : bulk::parse_ranges(text, most)) chosen.insert(task);
  };
  for (const std::string& text : options.tasks) choose(text);
  const char* slurm = std::getenv(kSlurmTask);
  if (options.all) {
    choose(fmt::format("1-{}", most));
  } else if (options.tasks.empty()) {
    if (slurm == nullptr) {
      throw Error(ErrorKind::kUsage, "no task given", fmt::format("such as 1-{}, or --all", most));
    }
    choose(slurm);
  }
  if (options.every > 0) {
    const std::vector<std::size_t> first(chosen.begin(), chosen.end());
    for (const std::size_t from : first) {
      for (std::size_t task = from; task <= most; task += options.every) chosen.insert(task);
    }
  }
  return {chosen.begin(), chosen.end()};
}

// Throws Error (usage) if what answers is not what the plan was made with.
void check_source(const bulk::Plan& plan, const std::optional<bulk::Source>& now) {
  if (plan.program != "nrs " NRS_VERSION) {
    throw Error(ErrorKind::kUsage,
                fmt::format("the plan was made by {}, this is nrs " NRS_VERSION, plan.program),
                "run it with that version, or make a new plan");
  }
  if (plan.source == now) return;
  throw Error(ErrorKind::kUsage,
              fmt::format("{} has changed since the plan was made: its checksum is {}, but was {}",
                          plan.source->file, now->checksum, plan.source->checksum),
              "put the old one back, or make a new plan in another folder");
}

class BulkRun {
 public:
  explicit BulkRun(const BulkRunOptions& options)
      : files_(options.folder), plan_(bulk::read_plan(files_)) {
    tasks_ = chosen_tasks(options, plan_.shards.size());
    const int usual = plan_.kind == bulk::PlanKind::kCommands ? 1 : 0;
    jobs_ = thread_count(options.jobs > 0 ? options.jobs : usual);
  }

  int run() {
    if (plan_.kind == bulk::PlanKind::kCommands) {
      check_source(plan_, std::nullopt);
      notice_interrupts();
      return run_all(
          {plan_, files_, {.on_errors = [this](const std::string& text) { pass_on(text); }}});
    }
    const AnsweringOptions answering = answering_of(plan_);
    std::vector<std::string> none;
    const service::Answerer answerer = make_answerer(answering, 1, none);
    check_source(plan_, source_of(answering, answerer));
    const AnswerText text(answering, answerer, {});
    return run_all({plan_,
                    files_,
                    {.answerer = &answerer,
                     .show = std::cref(text),
                     .on_trouble = [&](const service::Answer& answer) {
                       complain_of(text.complaint(answer));
                     }}});
  }

 private:
  // Tasks side by side; a lone one has all threads.
  int run_all(const bulk::TaskRunner& runner) {
    const int workers = std::min<int>(jobs_, static_cast<int>(tasks_.size()));
    parallel_for(tasks_.size(), workers, [&](std::size_t i) {
      if (interrupted() == 0) run_one(runner, tasks_[i], std::max(1, jobs_ / workers));
    });
    status_.clear();
    if (interrupted() != 0) return 128 + interrupted();
    if (code_ != kDone)
      complain(
          fmt::format("tasks failed; nrs bulk status {} lists them", files_.folder().string()));
    return code_;
  }

  void run_one(const bulk::TaskRunner& runner, std::size_t task, int threads) {
    try {
      const bulk::TaskEnd end = runner.run(task, threads);
      const std::lock_guard lock(mutex_);
      ++ended_;
      if (end == bulk::TaskEnd::kTaken)
        complain(fmt::format("task {}: it is being run elsewhere", task));
      status_.show(fmt::format("{} of {} tasks", ended_, tasks_.size()));
    } catch (const Error& error) {
      const std::lock_guard lock(mutex_);
      status_.clear();
      complain(error.in(fmt::format("task {}", task)).line());
      code_ = static_cast<int>(error.kind());
    }
  }

  void pass_on(const std::string& errors) {
    const std::lock_guard lock(mutex_);
    status_.clear();
    std::fputs(errors.c_str(), stderr);
  }

  // A million bad formulas need no million lines: the answers say it of each.
  void complain_of(const std::string& complaint) {
    if (complaint.empty()) return;
    const std::lock_guard lock(mutex_);
    if (++complaints_ > kMostComplaints) return;
    complain(complaints_ < kMostComplaints
                 ? complaint
                 : "more formulas are bad or have no normal form; the answers say which");
  }

  bulk::PlanFiles files_;
  bulk::Plan plan_;
  std::vector<std::size_t> tasks_;
  int jobs_ = 1;
  std::mutex mutex_;  // of all below
  StatusLine status_{stderr, errors_are_terminal()};
  std::size_t ended_ = 0;
  int complaints_ = 0;
  int code_ = kDone;
};

}  // namespace

int run_bulk(const BulkRunOptions& options) {
  return BulkRun(options).run();
}

}  // namespace nrs::cli
