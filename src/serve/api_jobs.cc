// What the API does about learning: jobs, and what they tell of themselves.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "serve/api.h"
#include "serve/query.h"

namespace nrs::serve {
namespace {

using Json = nlohmann::ordered_json;

// What a browser or curl says of a body unless it is told.
bool is_form(std::string_view content_type) {
  return content_type.starts_with("application/x-www-form-urlencoded") ||
         content_type.starts_with("multipart/");
}

JobRequest read_learn_request(const Request& request, const Limits& limits) {
  static const std::vector<std::string> kKnown{"kind", "minutes", "name", "seed"};
  check_parameters(request.query, kKnown);
  JobRequest job{.name = value_in(request.query, "name")};
  const double most = limits.learn_minutes;
  job.minutes = number_in(request.query, "minutes", std::min(job.minutes, most), {0.01, most});
  job.seed = number_in(request.query, "seed", job.seed, {0, 2'147'483'647});
  if (const std::string kind = value_in(request.query, "kind"); !kind.empty()) job.kind = kind;
  if (job.kind != "auto" && job.kind != "steps" && job.kind != "answers") {
    throw Refusal(400, fmt::format("kind is '{}'", excerpt(job.kind)),
                  "it can be auto, steps or answers");
  }
  job.examples = std::move(request.body);
  if (job.examples.empty()) throw Refusal(400, "there are no examples in the body");
  return job;
}

// Progress from the beginning, then how it ended.
class JobEvents final : public EventSource {
 public:
  JobEvents(const Jobs& jobs, std::string id) : jobs_(jobs), id_(std::move(id)) {}

  std::optional<std::string> next() override {
    const auto news = jobs_.news(id_, from_);
    if (ended_ || !news) return std::nullopt;
    std::string text;
    for (const std::string& line : news->lines) {
      text += event_text("progress",
                         Json{{"line", line}}.dump(-1, ' ', false, Json::error_handler_t::replace));
    }
    from_ = news->next;
    ended_ = news->ended;
    if (const auto job = ended_ ? jobs_.find(id_) : std::nullopt) {
      text += event_text(name_of(job->state), to_json(*job));
    }
    return text;
  }

 private:
  const Jobs& jobs_;
  std::string id_;
  std::size_t from_ = 0;
  bool ended_ = false;
};

}  // namespace

void Api::learn(Request& request, const Reply& reply) {
  if (is_form(request.header("content-type"))) {
    throw Refusal(415, "the examples are not sent as text",
                  "curl -H 'Content-Type: text/plain' --data-binary @FILE sends them");
  }
  if (stopping_) throw Refusal(503, "the server is stopping");
  const JobRequest job = read_learn_request(request, options_.limits);
  const std::string id = jobs_.add(job);
  const Json object = {
      {"job", id}, {"name", job.name}, {"events", fmt::format("/v1/jobs/{}/events", id)}};
  reply->respond({.status = 202,
                  .body = object.dump() + "\n",
                  .headers = {{"Location", fmt::format("/v1/jobs/{}", id)}}});
}

void Api::job(Request& request, const Reply& reply) {
  const auto found = jobs_.find(path_part(request.path, 3));
  if (!found) throw Refusal(404, "there is no such job");
  reply->respond({.body = to_json(*found) + "\n"});
}

void Api::job_events(Request& request, const Reply& reply) {
  const std::string id = path_part(request.path, 3);
  if (!jobs_.find(id)) throw Refusal(404, "there is no such job");
  reply->stream(std::make_unique<JobEvents>(jobs_, id));
}

void Api::cancel_job(Request& request, const Reply& reply) {
  const std::string id = path_part(request.path, 3);
  if (!jobs_.cancel(id)) throw Refusal(404, "there is no such job");
  job(request, reply);
}

}  // namespace nrs::serve
