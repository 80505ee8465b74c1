#include "bulk/run.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "base/child.h"
#include "base/files.h"
#include "base/lines.h"
#include "base/process.h"
#include "base/status_line.h"
#include "base/text.h"
#include "bulk/task_lock.h"
#include "nrs/error.h"

namespace nrs::bulk {
namespace {

void check_shard(const std::filesystem::path& shard, const Content& planned) {
  if (read_content(shard) == planned) return;
  throw Error(ErrorKind::kInput, shard.string() + ": has changed since it was planned",
              "make a new plan in another folder");
}

void count(const service::Answer& answer, Record& record) {
  ++record.answers;
  if (answer.ok()) return;
  ++(answer.error ? record.bad : record.stuck);
}

}  // namespace

TaskEnd TaskRunner::run(std::size_t task, int threads) const {
  if (read_record(files_, task)) return TaskEnd::kBefore;
  const TaskLock lock(files_.locks(), task);
  if (!lock.held()) return TaskEnd::kTaken;
  // Whoever had the lock a moment ago may have done it.
  if (read_record(files_, task)) return TaskEnd::kBefore;
  try {
    return make(task, threads) ? TaskEnd::kDone : TaskEnd::kInterrupted;
  } catch (const std::exception& error) {
    try {
      write_failure(files_, task, error.what());
    } catch (const Error&) {
      // The disk may be full; what matters is why the task failed.
    }
    throw;
  }
}

bool TaskRunner::make(std::size_t task, int threads) const {
  check_shard(files_.shard(task), plan_.shards[task - 1]);
  const auto began = std::chrono::steady_clock::now();
  std::optional<Record> record =
      plan_.kind == PlanKind::kCommands ? run_command(task) : answer_shard(task, threads);
  if (!record) return false;
  record->seconds = seconds_since(began);
  write_record(files_, task, *record);
  return true;
}

Record TaskRunner::answer_shard(std::size_t task, int threads) const {
  LineReader lines(files_.shard(task), kMaxFormulaLength);
  AtomicFile output(files_.answers(task));
  Record record;
  service::for_each_batch(
      lines, plan_.lines_before(task), [&](std::vector<service::Answer>& batch) {
        const std::string text = options_.answerer->answer(batch, threads, options_.show);
        output.write(text);
        record.output.add(text);
        for (const service::Answer& answer : batch) {
          count(answer, record);
          if (!answer.ok() && options_.on_trouble) options_.on_trouble(answer);
        }
      });
  const std::uint64_t planned = plan_.shards[task - 1].lines;
  if (record.answers != planned) {
    throw Error(ErrorKind::kIo, fmt::format("{}: {} answers to {} lines",
                                            files_.shard(task).string(), record.answers, planned));
  }
  output.commit();
  return record;
}

std::optional<Record> TaskRunner::run_command(std::size_t task) const {
  const ChildEnd end = run_child(
      {.program = "sh", .words = {"sh", files_.shard(task).string()}, .keep_errors = true},
      {.stop = interrupted});
  if (options_.on_errors) options_.on_errors(end.errors);
  if (interrupted() != 0 && end.code != 0) return std::nullopt;
  if (end.code != 0) {
    const std::string said = last_line(end.errors);
    throw Error(ErrorKind::kIo, fmt::format("the command ended with {}{}{}", end.code,
                                            said.empty() ? "" : ": ", said));
  }
  Record record{.answers = 1};
  record.output.add(end.output);
  write_file(files_.answers(task), end.output);
  return record;
}

}  // namespace nrs::bulk
