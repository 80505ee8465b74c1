#include "serve/jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "base/files.h"
#include "base/text.h"
#include "serve/http.h"

namespace nrs::serve {
namespace {

namespace fs = std::filesystem;

// Hard to guess, so that who knows a job was told of it.
std::string new_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

}  // namespace

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
    throw Refusal(400, fmt::format("'{}' cannot be the name of a model", excerpt(request.name)),
                  "letters, digits, and after the first character . _ -; at most 64 characters");
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
    News news{.next = job.lines_dropped + job.lines.size(), .ended = job.ended()};
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

}  // namespace nrs::serve
