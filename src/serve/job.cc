#include "serve/job.h"

#include <nlohmann/json.hpp>

#include "service/answerer.h"

namespace nrs::serve {

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

}  // namespace nrs::serve
