#pragma once
// One learning job: what was asked, and what has become of it.
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "nrs/error.h"

namespace nrs::serve {

enum class JobState { kWaiting, kRunning, kDone, kFailed, kCancelled };
// "waiting", ...
std::string_view name_of(JobState state);

struct JobRequest {
  std::string name;           // of the model
  std::string kind = "auto";  // or steps, answers
  double minutes = 5;
  int seed = 1;
  std::string examples{};
};

struct Job {
  std::string id;
  JobRequest request;  // the examples go when they are in a file
  JobState state = JobState::kWaiting;
  std::deque<std::string> lines{};     // of progress
  std::size_t lines_dropped = 0;       // before the first of these
  std::string report{};                // what nrs learn prints
  std::optional<std::string> rules{};  // what nrs rules prints, if anything
  std::optional<Error> error{};

  bool ended() const { return state != JobState::kWaiting && state != JobState::kRunning; }
};
// One JSON object.
std::string to_json(const Job& job);

}  // namespace nrs::serve
