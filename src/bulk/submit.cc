#include "bulk/submit.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "base/child.h"
#include "base/files.h"
#include "base/output_target.h"
#include "base/process.h"
#include "base/text.h"
#include "bulk/ranges.h"
#include "nrs/error.h"

namespace nrs::bulk {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// The same for the same plan: by it Slurm's queue is asked.
std::string job_name(const Plan& plan) {
  Content content;
  content.add(to_text(plan));
  return fmt::format("nrs-bulk-{:08x}", content.crc);
}

std::size_t array_size(const Plan& plan) {
  return std::min(plan.shards.size(), kLargestArray);
}

std::string slurm_script(const PlanFiles& files, const Plan& plan, const Submission& submission) {
  std::string script = fmt::format(
      "#!/bin/sh\n"
      "#SBATCH --job-name={}\n"
      "#SBATCH --array=1-{}\n"
      "#SBATCH --output=\"{}/%A_%a.log\"\n"
      "#SBATCH --open-mode=append\n"
      "#SBATCH --requeue\n",
      job_name(plan), array_size(plan), files.logs().string());
  for (const std::string& option : submission.slurm_options) script += "#SBATCH " + option + "\n";
  const Words command{submission.program.string(), "bulk",    "run",
                      files.folder().string(),     "--every", std::to_string(array_size(plan))};
  script += fmt::format("exec {} --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\"\n", shell_line(command));
  return script;
}

// With tasks as arguments only those, and else all, where a second run takes up what the first one
// has not done.
std::string ssh_script(const PlanFiles& files, const Plan& plan, const Submission& submission) {
  const Words command{
      submission.program.string(), "bulk", "run", files.folder().string(), "{}", "--jobs", "1"};
  const std::string log = (files.logs() / "parallel.log").string();
  return fmt::format(
      "#!/bin/sh\n"
      "# usage: ssh.sh [TASK...]\n"
      "resume=--resume-failed\n"
      "log={0}\n"
      "if [ $# -gt 0 ]; then\n"
      "  resume=\n"
      "  log=$log.again\n"
      "else\n"
      "  set -- $(seq 1 {1})\n"
      "fi\n"
      "exec parallel --sshlogin {2} --retries 4 --joblog \"$log\" $resume {3} ::: \"$@\"\n",
      shell_line(Words{log}), plan.shards.size(), shell_line(Words{submission.hosts}),
      shell_line(command));
}

// What Slurm says of a task that it wants no more: its node would not begin it.
constexpr std::string_view kGivenUp = "launch failed";

// The array tasks that wait or run.
std::set<std::size_t> queued(const Plan& plan) {
  const Words words{"squeue",        "--noheader", "--array", "--me", "--name=" + job_name(plan),
                    "--format=%K %r"};
  const ChildEnd end = run_child({.program = words[0], .words = words, .keep_errors = true});
  if (end.code != 0) {
    throw Error(ErrorKind::kIo, "squeue failed: " + last_line(end.errors));
  }
  std::set<std::size_t> tasks;
  for (std::size_t at = 0; at < end.output.size();) {
    const std::size_t line_end = std::min(end.output.find('\n', at), end.output.size());
    const std::string_view line = std::string_view(end.output).substr(at, line_end - at);
    const std::string_view number = line.substr(0, line.find(' '));
    if (line.find(kGivenUp) == std::string_view::npos) {
      for (const std::size_t task : parse_ranges(number, array_size(plan))) tasks.insert(task);
    }
    at = line_end + 1;
  }
  return tasks;
}

}  // namespace

fs::path script_path(const PlanFiles& files, Engine engine) {
  return files.folder() / fmt::format("{}.sh", enum_name(engine));
}

void write_script(const PlanFiles& files, const Plan& plan, const Submission& submission) {
  make_folders(files.logs());
  const bool slurm = submission.engine == Engine::kSlurm;
  const fs::path script = script_path(files, submission.engine);
  write_file(script,
             slurm ? slurm_script(files, plan, submission) : ssh_script(files, plan, submission));
  fs::permissions(script, fs::perms::owner_exec, fs::perm_options::add);
  fs::remove(script_path(files, slurm ? Engine::kSsh : Engine::kSlurm));
}

Words resubmission(const PlanFiles& files, const Plan& plan, std::vector<std::size_t> tasks) {
  if (tasks.empty()) return {};
  const fs::path slurm = script_path(files, Engine::kSlurm);
  if (fs::exists(slurm)) {
    std::set<std::size_t> array;
    for (const std::size_t task : tasks) array.insert((task - 1) % array_size(plan) + 1);
    for (const std::size_t task : queued(plan)) array.erase(task);
    if (array.empty()) return {};
    return {"sbatch", "--array=" + to_ranges({array.begin(), array.end()}), slurm.string()};
  }
  const fs::path ssh = script_path(files, Engine::kSsh);
  if (!fs::exists(ssh)) {
    throw Error(ErrorKind::kUsage, files.folder().string() + ": no engine was chosen",
                "plan with --submit slurm or ssh, or let nrs bulk run do what is missing");
  }
  Words words{ssh.string()};
  for (const std::size_t task : tasks) words.push_back(std::to_string(task));
  return words;
}

}  // namespace nrs::bulk
