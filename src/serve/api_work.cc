// What the API does that takes time: formulas and learning jobs.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "serve/api.h"
#include "serve/simplify_request.h"

namespace nrs::serve {
namespace {

using Json = nlohmann::ordered_json;

// What a browser or curl says of a body unless it is told.
bool is_form(std::string_view content_type) {
  return content_type.starts_with("application/x-www-form-urlencoded") ||
         content_type.starts_with("multipart/");
}

std::string query_value(const Request& request, const std::string& name) {
  const auto found = request.query.find(name);
  return found == request.query.end() ? "" : found->second;
}

// A number of the query, within limits.
template <class Number>
Number query_number(const Request& request, const std::string& name, Number usual,
                    std::pair<Number, Number> range) {
  const std::string text = query_value(request, name);
  if (text.empty()) return usual;
  Number number{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool read = code == std::errc{} && end == text.data() + text.size();
  if (!read || !(number >= range.first && number <= range.second)) {
    throw Refusal(
        400, fmt::format("{} is not a number within {} to {}", name, range.first, range.second));
  }
  return number;
}

JobRequest read_learn_request(const Request& request, const Limits& limits) {
  for (const auto& [name, value] : request.query) {
    static const std::vector<std::string> kKnown{"kind", "minutes", "name", "seed"};
    if (std::ranges::find(kKnown, name) != kKnown.end()) continue;
    const std::string close = nearest(name, kKnown);
    throw Refusal(400, fmt::format("unknown parameter '{}'", excerpt(name)),
                  close.empty() ? "there are kind, minutes, name and seed"
                                : fmt::format("did you mean {}?", close));
  }
  JobRequest job{.name = query_value(request, "name")};
  const double most = limits.learn_minutes;
  job.minutes = query_number(request, "minutes", std::min(job.minutes, most), {0.01, most});
  job.seed = query_number(request, "seed", job.seed, {0, 2'147'483'647});
  if (const std::string kind = query_value(request, "kind"); !kind.empty()) job.kind = kind;
  if (job.kind != "auto" && job.kind != "steps" && job.kind != "answers") {
    throw Refusal(400, fmt::format("kind is '{}'", excerpt(job.kind)),
                  "it can be auto, steps or answers");
  }
  job.examples = request.body;
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
    ended_ = news->state != JobState::kWaiting && news->state != JobState::kRunning;
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

// Each answer as the rounds of its trace and the rest of it.
std::string as_events(const std::vector<std::string>& answers) {
  std::string text;
  for (const std::string& line : answers) {
    Json answer = Json::parse(line);
    if (answer.contains("trace")) {
      for (const Json& round : answer["trace"]) text += event_text("round", round.dump());
      answer.erase("trace");
    }
    text += event_text("result", answer.dump());
  }
  return text;
}

std::string as_list(const std::vector<std::string>& answers, const std::string& model) {
  std::string text = fmt::format("{{\"model\":\"{}\",\"results\":[", model);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (i > 0) text += ',';
    text.append(answers[i], 0, answers[i].size() - 1);  // without the end of the line
  }
  return text + "]}\n";
}

}  // namespace

void Api::simplify(const Request& request, const Reply& reply) {
  if (!request.header("content-type").starts_with("application/json")) {
    throw Refusal(415, "the Content-Type is not application/json",
                  "curl -H 'Content-Type: application/json' sends it");
  }
  SimplifyRequest asked = read_simplify_request(request.body, options_.limits);
  const Limits& limits = options_.limits;
  const auto model = model_called(asked.model);
  const bool events = request.header("accept").find("text/event-stream") != std::string::npos;
  Work work{.model = model, .answers = {}, .trace = asked.trace || events};
  const std::size_t most = work.trace ? std::min(limits.trace_steps, limits.steps) : limits.steps;
  work.max_steps = std::min(asked.max_steps.value_or(most), most);
  for (std::string& formula : asked.formulas) {
    const std::size_t length = formula.size();
    service::Answer& answer =
        work.answers.emplace_back(service::Answer{.text = std::move(formula)});
    if (length <= limits.formula_length) continue;
    service::fail(answer, Error(ErrorKind::kInput,
                                fmt::format("the formula has {} characters, and this server "
                                            "takes {}",
                                            length, limits.formula_length)));
  }
  work.abandoned = [reply] { return reply->abandoned(); };
  work.finish = [this, reply, events, name = model->name()](WorkEnd end) {
    finish_simplify(std::move(end), name, events, *reply);
  };
  if (!queue_.add(std::move(work))) throw Refusal(503, "too many formulas are waiting");
}

void Api::finish_simplify(WorkEnd end, const std::string& model, bool events, Exchange& reply) {
  for (const auto& [outcome, count] : end.outcomes) metrics_.count_formulas(outcome, count);
  if (reply.abandoned()) return reply.respond({});
  if (end.late) {
    return reply.respond(to_response(Refusal(503, "the formulas have waited for too long")));
  }
  if (events) {
    return reply.respond({.body = as_events(end.answers), .type = "text/event-stream"});
  }
  reply.respond({.body = as_list(end.answers, model)});
}

void Api::learn(const Request& request, const Reply& reply) {
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

void Api::job(const Request& request, const Reply& reply) {
  const auto found = jobs_.find(path_part(request.path, 3));
  if (!found) throw Refusal(404, "there is no such job");
  reply->respond({.body = to_json(*found) + "\n"});
}

void Api::job_events(const Request& request, const Reply& reply) {
  const std::string id = path_part(request.path, 3);
  if (!jobs_.find(id)) throw Refusal(404, "there is no such job");
  reply->stream(std::make_unique<JobEvents>(jobs_, id));
}

void Api::cancel_job(const Request& request, const Reply& reply) {
  const std::string id = path_part(request.path, 3);
  if (!jobs_.cancel(id)) throw Refusal(404, "there is no such job");
  job(request, reply);
}

}  // namespace nrs::serve
