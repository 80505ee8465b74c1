// The thread that does the jobs, one after the other, and how one is done.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>

#include "base/child.h"
#include "base/files.h"
#include "base/status_line.h"
#include "base/text.h"
#include "serve/jobs.h"
#include "service/models.h"

namespace nrs::serve {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double kGraceSeconds = 10;  // from asking a program to end to ending it
constexpr std::size_t kLongestLine = 2000;

// The last of what a program complained of, without its name.
Error complaint(std::string_view errors) {
  const std::string line = last_complaint(errors);
  return Error(ErrorKind::kInput, line.empty() ? "nrs learn ended without a reason" : line);
}

// Of this program's own folder, whatever PATH says.
ChildRequest nrs_with(std::vector<std::string> words) {
  words.insert(words.begin(), "nrs");
  return {
      .program = service::program_folder() / "nrs", .words = std::move(words), .keep_errors = true};
}

}  // namespace

// Null: the end.
std::shared_ptr<Jobs::Entry> Jobs::next() {
  const auto waits = [](const auto& entry) { return entry->job.state == JobState::kWaiting; };
  std::unique_lock lock(mutex_);
  more_.wait(lock, [&] { return ending_ || std::ranges::any_of(entries_, waits); });
  if (ending_) return nullptr;
  const std::shared_ptr<Entry> entry = *std::ranges::find_if(entries_, waits);
  entry->job.state = JobState::kRunning;
  return entry;
}

void Jobs::run() {
  while (const std::shared_ptr<Entry> entry = next()) {
    try {
      learn(*entry);
    } catch (const Error& error) {
      const std::lock_guard lock(mutex_);
      entry->job.error = error;
    }
    end(*entry, entry->cancelled   ? JobState::kCancelled
                : entry->job.error ? JobState::kFailed
                                   : JobState::kDone);
  }
}

void Jobs::learn(Entry& entry) {
  const JobRequest& request = entry.job.request;
  // Everything that learning writes is in here, and goes with it.
  const fs::path folder = folder_ / ("job-" + entry.job.id);
  const fs::path examples = folder / "examples.txt";
  const fs::path model = folder / (request.name + ".nrs");
  struct Remove {
    const fs::path& folder;
    ~Remove() {
      std::error_code ignored;
      fs::remove_all(folder, ignored);
    }
  } const remove{folder};
  fs::create_directories(folder);
  write_file(examples, request.examples);
  {
    const std::lock_guard lock(mutex_);
    entry.job.request.examples = {};
  }
  const Clock::time_point began = Clock::now();
  const double seconds = 60 * (2 * request.minutes + 1);
  std::optional<Clock::time_point> told;
  const auto stop = [&] {
    if (!entry.cancelled && seconds_since(began) < seconds) return 0;
    if (!told) told = Clock::now();
    return seconds_since(*told) < kGraceSeconds ? SIGTERM : SIGKILL;
  };
  const ChildEnd end = run_child(
      nrs_with({"learn", examples, "--out", model, "--kind", request.kind, "--minutes",
                fmt::format("{}", request.minutes), "--seed", fmt::format("{}", request.seed)}),
      {.stop = stop, .on_errors = [&](std::string_view text) { take_progress(entry, text); }});
  if (entry.cancelled) return;
  if (told) throw Error(ErrorKind::kInput, "learning took too long");
  if (end.code != 0) throw complaint(end.errors);
  const ChildEnd rules = run_child(nrs_with({"rules", model}), {.stop = stop});
  if (entry.cancelled) return;
  fs::rename(model, model_file(request.name));
  models_.teach(request.name, model_file(request.name));
  const std::lock_guard lock(mutex_);
  entry.job.report = end.output;
  if (rules.code == 0) entry.job.rules = rules.output;
}

void Jobs::take_progress(Entry& entry, std::string_view text) {
  const std::lock_guard lock(mutex_);
  for (const char c : text) {
    if (c != '\n' && c != '\r') {
      if (entry.unfinished.size() < kLongestLine) entry.unfinished += c;
      continue;
    }
    // Where the server keeps its files is nobody's business.
    const bool tells_path = entry.unfinished.find(folder_.string()) != std::string::npos;
    if (tells_path) entry.unfinished.clear();
    if (entry.unfinished.empty()) continue;
    entry.job.lines.push_back(std::move(entry.unfinished));
    entry.unfinished.clear();
    if (entry.job.lines.size() <= limits_.job_lines) continue;
    entry.job.lines.pop_front();
    ++entry.job.lines_dropped;
  }
}

void Jobs::end(Entry& entry, JobState state) {
  {
    const std::lock_guard lock(mutex_);
    entry.job.state = state;
  }
  on_end_(state);
}

}  // namespace nrs::serve
