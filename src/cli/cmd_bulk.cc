// nrs bulk: long lists of formulas, or of commands, as tasks for one machine or many. A program of
// its own, for whoever wants a formula simplified should not wait until it is built.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/child.h"
#include "base/files.h"
#include "base/process.h"
#include "bulk/join.h"
#include "bulk/ranges.h"
#include "bulk/status.h"
#include "bulk/submit.h"
#include "cli/bulk_tasks.h"
#include "cli/options.h"
#include "nrs/error.h"

namespace nrs::cli {
namespace {

void add_folder(CLI::App& verb, std::string& folder) {
  verb.add_option("FOLDER", folder, "folder of the plan")->required();
}

void add_plan(CLI::App& bulk, Action& action) {
  auto options = std::make_shared<BulkPlanOptions>();
  CLI::App* verb = add_verb(bulk, "plan", "split the input into shards");
  verb->add_option("INPUT", options->inputs,
                   "files with one formula per line, plain or compressed with gzip, xz or zstd; - "
                   "is standard input")
      ->required();
  verb->add_option("--out", options->folder, "folder for the plan, its shards and their answers")
      ->required()
      ->type_name("FOLDER");
  verb->add_option("--shard-lines", options->shard_lines, "lines per shard")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40));
  verb->add_flag("--commands", options->commands,
                 "the lines are shell commands, and each is a task");
  verb->add_option("--submit", options->submit,
                   "also write FOLDER/slurm.sh, a job array for sbatch, or FOLDER/ssh.sh, which "
                   "runs GNU parallel")
      ->check(CLI::IsMember(enum_words<bulk::Engine>()));
  verb->add_option("--sbatch", options->submission.slurm_options,
                   "an option for sbatch, such as --sbatch=--partition=short; may be repeated")
      ->allow_extra_args(false);
  verb->add_option("--hosts", options->submission.hosts,
                   "with ssh: machines, in the form of parallel --sshlogin, such as a,b or "
                   "8/a,8/b; : is this one");
  add_answering_options(*verb, options->answering);
  verb->footer(
      "Shards, models and programs must have the same paths on all machines: use a shared folder.\n"
      "example: nrs bulk plan formulas.txt.gz --out work --model logic --submit slurm");
  on_call(*verb, action, [verb, options] { return plan_bulk(*verb, *options); });
}

void add_run(CLI::App& bulk, Action& action) {
  const auto [verb, options] = add_verb<BulkRunOptions>(
      bulk, action, "run", run_bulk, "run tasks of a plan, except finished ones");
  add_folder(*verb, options->folder);
  verb->add_option("TASK", options->tasks,
                   "task numbers, such as 3 or 1-4,7; default: SLURM_ARRAY_TASK_ID");
  verb->add_flag("--all", options->all, "all tasks");
  verb->add_option("--every", options->every, "also run tasks K+N, K+2N, ... for each task K")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 40))
      ->type_name("N")
      ->default_str("");
  verb->add_option("--jobs", options->jobs,
                   "tasks to run at a time; default: one per core, or 1 if the tasks are commands")
      ->check(CLI::Range(1, 1024))
      ->default_str("");
  verb->footer(
      "exit status: 0 all are done, or are being run elsewhere; 1, 2 or 3: some failed\n"
      "example: nrs bulk run work --all");
}

std::string show_status(const bulk::Plan& plan, const bulk::Status& status) {
  std::string text = fmt::format("{} tasks, {} lines\n", plan.shards.size(), plan.lines());
  for (const auto& [state, tasks] : status.tasks) {
    text += fmt::format("{:8} {:>7}  {}\n", enum_name(state), tasks.size(), bulk::to_ranges(tasks));
  }
  for (const auto& [task, reason] : status.reasons) {
    text += fmt::format("task {}: {}\n", task, reason);
  }
  if (plan.kind == bulk::PlanKind::kAnswers) {
    text += fmt::format("{} answers: {} bad formulas, {} without a normal form\n", status.answers,
                        status.bad, status.stuck);
  }
  return text;
}

nlohmann::ordered_json json_status(const bulk::Plan& plan, const bulk::Status& status) {
  nlohmann::ordered_json json{{"tasks", plan.shards.size()}, {"lines", plan.lines()}};
  for (const auto& [state, name] : enum_names(bulk::TaskState{})) {
    const auto found = status.tasks.find(state);
    const bool some = found != status.tasks.end();
    json[std::string(name)] = {{"count", some ? found->second.size() : 0},
                               {"tasks", some ? bulk::to_ranges(found->second) : ""}};
  }
  json["reasons"] = nlohmann::ordered_json::object();
  for (const auto& [task, reason] : status.reasons) json["reasons"][std::to_string(task)] = reason;
  json["answers"] = status.answers;
  json["bad"] = status.bad;
  json["stuck"] = status.stuck;
  return json;
}

struct StatusOptions {
  std::string folder;
  bool json = false;
  bool resubmit = false;
};

int status_bulk(const StatusOptions& options) {
  const bulk::PlanFiles files(options.folder);
  const bulk::Plan plan = bulk::read_plan(files);
  const bulk::Status status = bulk::status_of(plan, files);
  print(options.json ? json_status(plan, status).dump() + "\n" : show_status(plan, status));
  if (!options.resubmit) return kDone;
  const std::vector<std::string> command = bulk::resubmission(files, plan, status.open());
  if (command.empty()) {
    complain("nothing to submit: all unfinished tasks are running or waiting");
    return kDone;
  }
  complain(shell_line(command));
  return run_child({.program = command[0], .words = command, .output = STDOUT_FILENO}).code;
}

void add_status(CLI::App& bulk, Action& action) {
  const auto [verb, options] = add_verb<StatusOptions>(
      bulk, action, "status", status_bulk, "show which tasks are done, running, failed or missing");
  add_folder(*verb, options->folder);
  verb->add_flag("--json", options->json, "one JSON object");
  verb->add_flag("--resubmit", options->resubmit,
                 "submit failed and missing tasks again, as chosen by nrs bulk plan --submit, "
                 "except those in Slurm's queue");
  verb->footer("example: nrs bulk status work");
}

struct JoinOptions {
  std::string folder;
  std::string out;
};

int join_bulk(const JoinOptions& options) {
  const bulk::PlanFiles files(options.folder);
  const bulk::Plan plan = bulk::read_plan(files);
  Output output(options.out);
  const bulk::Record all =
      bulk::join(plan, files, [&](std::string_view text) { output.write(text); });
  output.commit();
  complain(
      fmt::format("{} lines, {} answers, {} bad formulas, {} without a normal form, crc32 {:08x}",
                  plan.lines(), all.answers, all.bad, all.stuck, all.output.crc));
  if (all.bad > 0) return static_cast<int>(ErrorKind::kInput);
  return all.stuck > 0 ? kNotNormal : kDone;
}

void add_join_part(CLI::App& bulk, Action& action) {
  const auto [verb, options] =
      add_verb<JoinOptions>(bulk, action, "join", join_bulk, "join all answers, in order");
  add_folder(*verb, options->folder);
  verb->add_option("--out", options->out, "file to write; default: standard output")
      ->type_name("FILE");
  verb->footer(
      "Every shard is checked: it must have one answer per line, and the recorded checksum.\n"
      "exit status: as nrs simplify; 1 if tasks are not done\n"
      "example: nrs bulk join work --out answers.txt");
}

void add_bulk(CLI::App& app, Action& action) {
  CLI::App* verb = add_verb(app, "bulk");
  verb->require_subcommand(1);
  add_plan(*verb, action);
  add_run(*verb, action);
  add_status(*verb, action);
  add_join_part(*verb, action);
  verb->footer(
      "docs/bulk.md has a complete example.\n"
      "example: nrs bulk plan formulas.txt --out work");
}

}  // namespace
}  // namespace nrs::cli

int main(int argc, char** argv) {
  return nrs::cli::run_program("Simplifies many formulas, on one machine or several.",
                               {nrs::cli::add_bulk}, argc, argv);
}
