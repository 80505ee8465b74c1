#include "serve/jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <random>

#include "base/child.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/text.h"
#include "serve/http.h"
#include "service/models.h"

namespace nrs::serve {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double kGraceSeconds = 10;  // from asking a program to end to ending it
constexpr std::size_t kLongestLine = 2000;

// Hard to guess, so that who knows a job was told of it.
std::string new_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

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

std::string_view name_of(JobState state) {
  switch (state) {
    case JobState::kWaiting:
      return "waiting";
    case JobState::kRunning:
      return "running";
    case JobState::kDone:
      return "done";
    case JobState::kFailed:
      return "failed";
    case JobState::kCancelled:
      return "cancelled";
  }
  return "";
}

std::string to_json(const Job& job) {
  using Json = nlohmann::ordered_json;
  const bool done = job.state == JobState::kDone;
  Json object = {{"job", job.id},
                 {"name", job.request.name},
                 {"state", name_of(job.state)},
                 {"report", job.report},
                 {"model", done ? Json(job.request.name) : Json(nullptr)},
                 {"rules", job.rules ? Json(*job.rules) : Json(nullptr)}};
  if (job.error) object["error"] = Json::parse(service::to_json(*job.error));
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

struct Jobs::Entry {
  Job job;
  std::string unfinished{};  // the beginning of a line of progress
  std::atomic<bool> cancelled = false;
};

Jobs::Jobs(const Limits& limits, const fs::path& folder, ModelStore& models, OnEnd on_end)
    : limits_(limits),
      scratch_(folder.empty() ? std::make_optional<ScratchFolder>("nrs-serve") : std::nullopt),
      folder_(scratch_ ? scratch_->path() : folder),
      models_(models),
      on_end_(std::move(on_end)) {
  if (!scratch_) make_output_folder(folder_);
  offer_what_is_there();
  thread_ = std::thread([this] { run(); });
}

fs::path Jobs::model_file(const std::string& name) const {
  return folder_ / (name + ".nrs");
}

void Jobs::offer_what_is_there() {
  for (const fs::directory_entry& file : fs::directory_iterator(folder_)) {
    const std::string name = file.path().stem().string();
    if (file.path().extension() != ".nrs" || !is_model_name(name)) continue;
    if (models_.find(name)) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("{}: there is another model of this name", file.path().string()));
    }
    models_.teach(name, file.path());
  }
}

Jobs::~Jobs() {
  cancel_all();
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  more_.notify_all();
  thread_.join();
}

void Jobs::check(const JobRequest& request) const {
  if (!is_model_name(request.name)) {
    throw Refusal(400, fmt::format("'{}' is no name for a model", excerpt(request.name)),
                  "letters, digits, and . _ - behind the first, at most 64 of them");
  }
  if (const auto model = models_.find(request.name); model && !model->taught()) {
    throw Refusal(409, fmt::format("there is a model '{}' already", request.name),
                  "choose another name");
  }
  std::size_t waiting = 0;
  for (const auto& entry : entries_) {
    if (entry->job.ended()) continue;
    waiting += entry->job.state == JobState::kWaiting ? 1 : 0;
    if (entry->job.request.name == request.name) {
      throw Refusal(409, fmt::format("a model '{}' is being learned", request.name),
                    "cancel that job, or choose another name");
    }
  }
  if (waiting >= limits_.waiting_jobs) {
    throw Refusal(429, fmt::format("{} jobs are waiting already", waiting));
  }
}

// The oldest job that has ended goes, and its model unless a later job has made it anew.
void Jobs::make_room() {
  if (entries_.size() < limits_.kept_jobs) return;
  const auto oldest = std::ranges::find_if(entries_, [](const auto& e) { return e->job.ended(); });
  if (oldest == entries_.end()) throw Refusal(429, "there are too many jobs");
  const std::shared_ptr<Entry> gone = *oldest;
  entries_.erase(oldest);
  const std::string& name = gone->job.request.name;
  const bool made_anew = std::ranges::any_of(entries_, [&](const auto& entry) {
    return entry->job.request.name == name && entry->job.state == JobState::kDone;
  });
  if (gone->job.state != JobState::kDone || made_anew) return;
  models_.forget(name);
  std::error_code ignored;
  fs::remove(model_file(name), ignored);
}

std::string Jobs::add(JobRequest request) {
  auto entry = std::make_shared<Entry>();
  entry->job.id = new_id();
  entry->job.request = std::move(request);
  {
    const std::lock_guard lock(mutex_);
    if (ending_) throw Refusal(503, "the server is stopping");
    check(entry->job.request);
    make_room();
    entries_.push_back(entry);
  }
  more_.notify_one();
  return entry->job.id;
}

std::optional<Job> Jobs::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  for (const auto& entry : entries_) {
    if (entry->job.id == id) return entry->job;
  }
  return std::nullopt;
}

std::optional<Jobs::News> Jobs::news(const std::string& id, std::size_t from) const {
  const std::lock_guard lock(mutex_);
  for (const auto& entry : entries_) {
    const Job& job = entry->job;
    if (job.id != id) continue;
    News news{.next = job.lines_dropped + job.lines.size(), .state = job.state};
    const std::size_t begin = std::max(from, job.lines_dropped) - job.lines_dropped;
    for (std::size_t i = begin; i < job.lines.size(); ++i) news.lines.push_back(job.lines[i]);
    return news;
  }
  return std::nullopt;
}

bool Jobs::cancel(const std::string& id) {
  bool waited = false;
  {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::ranges::find_if(entries_, [&](const auto& e) { return e->job.id == id; });
    if (found == entries_.end()) return false;
    (*found)->cancelled = true;
    waited = (*found)->job.state == JobState::kWaiting;
    if (waited) (*found)->job.state = JobState::kCancelled;
  }
  if (waited) on_end_(JobState::kCancelled);
  return true;
}

void Jobs::cancel_all() {
  std::vector<std::string> ids;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& entry : entries_) ids.push_back(entry->job.id);
  }
  for (const std::string& id : ids) cancel(id);
}

std::map<JobState, std::size_t> Jobs::counts() const {
  const std::lock_guard lock(mutex_);
  std::map<JobState, std::size_t> counts{{JobState::kWaiting, 0}, {JobState::kRunning, 0}};
  for (const auto& entry : entries_) ++counts[entry->job.state];
  return counts;
}

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
