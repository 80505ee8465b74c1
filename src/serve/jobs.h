#pragma once
// Learning jobs: the program `nrs learn` runs as a child, one at a time, and what it learned is
// offered as a model.
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/output_target.h"
#include "serve/job.h"
#include "serve/limits.h"
#include "serve/model_store.h"

namespace nrs::serve {

// Thread-safe.
class Jobs {
 public:
  using OnEnd = std::function<void(JobState state)>;
  // Without a folder, a temporary one is made and removed at the end. Models that are in it already
  // are offered. Throws Error.
  Jobs(const Limits& limits, const std::filesystem::path& folder, ModelStore& models, OnEnd on_end);
  // Cancels what has not ended.
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  // The id of the new job. Throws Refusal: a name that is none or taken, too many jobs.
  std::string add(JobRequest request);
  std::optional<Job> find(const std::string& id) const;
  // What it has of progress behind the first `from` lines, and whether it then had ended.
  struct News {
    std::vector<std::string> lines{};
    std::size_t next = 0;  // `from` of the next call
    bool ended = false;
  };
  std::optional<News> news(const std::string& id, std::size_t from) const;
  // False if there is no such job. One that has ended stays as it is.
  bool cancel(const std::string& id);
  void cancel_all();
  std::map<JobState, std::size_t> counts() const;

 private:
  struct Entry {
    Job job;
    std::string unfinished{};  // the beginning of a line of progress
    std::atomic<bool> cancelled = false;
  };
  std::filesystem::path model_file(const std::string& name) const;
  void offer_what_is_there();
  void check(const JobRequest& request) const;
  void make_room();
  std::shared_ptr<Entry> next();
  void run();
  void learn(Entry& entry);
  void take_progress(Entry& entry, std::string_view text);
  void end(Entry& entry, JobState state);

  const Limits limits_;
  std::optional<ScratchFolder> scratch_;  // unless a folder was named
  const std::filesystem::path folder_;
  ModelStore& models_;
  OnEnd on_end_;
  mutable std::mutex mutex_;
  std::condition_variable more_;
  std::vector<std::shared_ptr<Entry>> entries_;  // oldest first
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace nrs::serve
