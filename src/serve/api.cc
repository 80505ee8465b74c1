#include "serve/api.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/process.h"
#include "base/rng.h"
#include "base/text.h"
#include "serve/page.h"

namespace nrs::serve {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLoggedTarget = 200;  // characters

// The page has its scripts, styles and models inside, and asks nobody but this server.
constexpr const char* kPagePolicy =
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; "
    "worker-src blob:; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "connect-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

// The text before the next slash of "/a/b", which is taken away with its own.
std::string_view take_part(std::string_view& path) {
  path.remove_prefix(1);
  const std::string_view part = path.substr(0, path.find('/'));
  path.remove_prefix(part.size());
  return part;
}

// "*" stands for any one part.
bool matches(std::string_view pattern, std::string_view path) {
  while (pattern.starts_with('/') && path.starts_with('/')) {
    const std::string_view wanted = take_part(pattern), given = take_part(path);
    if (wanted == "*" ? given.empty() : wanted != given) return false;
  }
  return pattern.empty() && path.empty();
}

std::string now() {
  return fmt::format(
      "{:%FT%TZ}",
      fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

}  // namespace

struct Api::Route {
  std::string_view method;
  std::string_view pattern;
  void (Api::*answer)(Request& request, const Reply& reply);
  std::size_t Limits::*body = nullptr;
};

const std::vector<Api::Route>& Api::routes() {
  static const std::vector<Route> kRoutes{
      {"GET", "/", &Api::page},
      {"GET", "/health", &Api::health},
      {"GET", "/metrics", &Api::metrics},
      {"GET", "/v1/models", &Api::models},
      {"GET", "/v1/models/*", &Api::model},
      {"GET", "/v1/models/*/file", &Api::model_file},
      {"POST", "/v1/simplify", &Api::simplify, &Limits::body_bytes},
      {"POST", "/v1/learn", &Api::learn, &Limits::learn_bytes},
      {"GET", "/v1/jobs/*", &Api::job},
      {"DELETE", "/v1/jobs/*", &Api::cancel_job},
      {"GET", "/v1/jobs/*/events", &Api::job_events},
  };
  return kRoutes;
}

Api::Api(ApiOptions options)
    : options_(std::move(options)),
      guard_(options_.token, options_.hosts),
      page_(page_for_server(options_.version)),
      page_tag_(fmt::format("\"{:016x}\"", hash_text(page_))),
      models_(options_.models, static_cast<int>(options_.limits.rule_megabytes)),
      jobs_(options_.limits, options_.folder, models_,
            [this](JobState state) { metrics_.count_job(name_of(state)); }),
      queue_(options_.limits, options_.threads) {
  models_.find("")->answerer();  // the first who asks should not wait for it
}

const Api::Route& Api::route_of(const Request& request) {
  std::string allowed;
  for (const Route& route : routes()) {
    if (!matches(route.pattern, request.path)) continue;
    if (route.method == request.method) return route;
    allowed += (allowed.empty() ? "" : ", ") + std::string(route.method);
  }
  if (allowed.empty()) {
    throw Refusal(404, fmt::format("there is no {}", excerpt(request.path)), "see docs/serve.md");
  }
  throw Refusal(405,
                fmt::format("{} is not for {}", excerpt(request.path), excerpt(request.method)),
                "it is for " + allowed)
      .with("Allow", allowed);
}

Admission Api::admit(const Request& request) {
  guard_.check_site(request);
  const bool open = !request.path.starts_with("/v1/") && request.path != "/metrics";
  if (!open) guard_.check_token(request);
  const Route& route = route_of(request);
  if (route.body == nullptr) return {route.pattern, 0};
  if (!request.header("content-encoding").empty()) {
    throw Refusal(415, "the body has a Content-Encoding", "send it as it is");
  }
  const bool sized = !request.header("content-length").empty();
  if (!sized && request.header("transfer-encoding").empty()) {
    throw Refusal(411, "there is no Content-Length");
  }
  return {route.pattern, options_.limits.*route.body};
}

void Api::handle(Request request, std::shared_ptr<Exchange> exchange) {
  try {
    (this->*route_of(request).answer)(request, exchange);
  } catch (const Refusal&) {
    throw;
  } catch (const Error& error) {
    throw Refusal(400, error);
  }
}

void Api::done(const Access& access) {
  metrics_.count_request(access.route, access.status, access.seconds);
  if (!options_.log) return;
  const Json line = {{"time", now()},
                     {"client", access.client},
                     {"method", access.method},
                     {"target", access.target.substr(0, kLoggedTarget)},
                     {"status", access.status},
                     {"bytes_in", access.bytes_in},
                     {"bytes_out", access.bytes_out},
                     {"ms", std::round(access.seconds * 1e6) / 1e3}};
  options_.log(line.dump(-1, ' ', true, Json::error_handler_t::replace));
}

void Api::stop() {
  stopping_ = true;
  jobs_.cancel_all();
}

void Api::page(Request& request, const Reply& reply) {
  Response response{.type = "text/html; charset=utf-8",
                    .headers = {{"ETag", page_tag_},
                                {"Cache-Control", "no-cache"},
                                {"Content-Security-Policy", kPagePolicy},
                                {"Referrer-Policy", "no-referrer"},
                                {"X-Frame-Options", "DENY"}}};
  if (request.header("if-none-match") == page_tag_) {
    response.status = 304;
  } else {
    response.body = page_;
  }
  reply->respond(std::move(response));
}

void Api::health(Request& /*request*/, const Reply& reply) {
  const bool going = stopping_;
  reply->respond({.status = going ? 503 : 200,
                  .body = going ? "{\"status\":\"stopping\"}\n" : "{\"status\":\"ok\"}\n"});
}

void Api::metrics(Request& /*request*/, const Reply& reply) {
  std::vector<Gauge> gauges{
      {"nrs_queue_formulas", "Formulas that wait or are being worked on.",
       static_cast<double>(queue_.formulas())},
      {"nrs_models", "Models that are offered.", static_cast<double>(models_.list().size())},
      {"nrs_memory_peak_bytes", "The most memory that the server has used.",
       peak_memory_mb() * 1e6},
  };
  if (options_.connections) {
    gauges.push_back(
        {"nrs_connections", "Open connections.", static_cast<double>(options_.connections())});
  }
  for (const auto& [state, count] : jobs_.counts()) {
    gauges.push_back({"nrs_jobs", "Learning jobs that are kept.", static_cast<double>(count),
                      fmt::format("{{state=\"{}\"}}", name_of(state))});
  }
  reply->respond({.body = metrics_.text(gauges), .type = "text/plain; version=0.0.4"});
}

std::shared_ptr<const ServedModel> Api::model_called(const std::string& name) const {
  if (auto found = models_.find(name)) return found;
  std::vector<std::string> known;
  for (const auto& model : models_.list()) known.push_back(model->name());
  const std::string close = nearest(name, known);
  throw Refusal(
      404, fmt::format("there is no model '{}'", excerpt(name)),
      close.empty() ? "GET /v1/models lists them" : fmt::format("did you mean {}?", close));
}

void Api::models(Request& /*request*/, const Reply& reply) {
  std::string list;
  for (const auto& model : models_.list()) {
    list += (list.empty() ? "" : ",") +
            model->describe(model->name() == models_.default_name(), /*whole=*/false);
  }
  reply->respond({.body = "{\"models\":[" + list + "]}\n"});
}

void Api::model(Request& request, const Reply& reply) {
  const auto model = model_called(path_part(request.path, 3));
  reply->respond(
      {.body = model->describe(model->name() == models_.default_name(), /*whole=*/true) + "\n"});
}

void Api::model_file(Request& request, const Reply& reply) {
  const auto model = model_called(path_part(request.path, 3));
  reply->respond({.body = model->bytes(),
                  .type = "application/octet-stream",
                  .headers = {{"Content-Disposition",
                               fmt::format("attachment; filename=\"{}.nrs\"", model->name())}}});
}

std::string path_part(std::string_view path, std::size_t number) {
  std::string_view part;
  for (std::size_t i = 0; i < number; ++i) {
    if (!path.starts_with('/')) return {};
    part = take_part(path);
  }
  return std::string(part);
}

}  // namespace nrs::serve
