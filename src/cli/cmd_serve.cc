// nrs serve: an HTTP server for formulas and for learning, with a page. A program of its own, for
// its library takes long to compile.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>

#include "base/process.h"
#include "cli/options.h"
#include "nrs/error.h"
#include "serve/api.h"
#include "serve/http_server.h"

namespace nrs::cli {
namespace {

using serve::Limits;

constexpr const char* kToken = "NRS_TOKEN";

struct ServeOptions {
  serve::ListenOptions listen;
  serve::ApiOptions api;
  std::vector<std::string> allowed_hosts;
  Limits limits;
  bool quiet = false;
};

// Which is not for the programs that we start.
std::string take_token() {
  const char* value = std::getenv(kToken);
  std::string token = value == nullptr ? "" : value;
  ::unsetenv(kToken);
  return token;
}

int run_serve(ServeOptions options) {
  serve::ApiOptions& api_options = options.api;
  api_options.limits = options.listen.limits = options.limits;
  api_options.version = NRS_VERSION;
  api_options.token = take_token();
  api_options.hosts = options.allowed_hosts;
  if (serve::is_loopback(options.listen.host)) {
    for (const char* name : {"localhost", "127.0.0.1", "::1"}) api_options.hosts.emplace_back(name);
    api_options.hosts.push_back(options.listen.host);
  } else if (api_options.token.empty()) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{} can be reached by other machines, and there is no token",
                            options.listen.host),
                fmt::format("set the environment variable {}", kToken));
  }
  if (!options.quiet) {
    api_options.log = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
  }
  std::signal(SIGPIPE, SIG_IGN);  // nobody need read the log
  notice_interrupts();
  serve::Api api(api_options);
  serve::HttpServer server(options.listen, api);
  api.on_connections([&server] { return server.connections(); });
  complain(fmt::format("listening on {} (Ctrl-C ends it)", server.address()));
  server.run([&api] { api.stop(); });
  return kDone;
}

template <class T>
struct LimitOption {
  const char* name;
  T Limits::*field;
  const char* help;
};
constexpr LimitOption<std::size_t> kSizes[] = {
    {"--max-header", &Limits::header_bytes, "bytes in the header of a request"},
    {"--max-body", &Limits::body_bytes, "bytes in the body of a request"},
    {"--max-formulas", &Limits::formulas, "formulas in a request"},
    {"--max-length", &Limits::formula_length, "bytes in a formula"},
    {"--max-steps", &Limits::steps, "rewrites per formula"},
    {"--max-trace-steps", &Limits::trace_steps, "the same with a trace"},
    {"--max-trace", &Limits::trace_bytes, "bytes of formulas in a trace"},
    {"--max-queue", &Limits::queued_formulas, "formulas that are waiting"},
    {"--max-bodies", &Limits::queued_bytes, "total bytes of the bodies at a time"},
    {"--max-connections", &Limits::connections, "connections at a time"},
    {"--max-examples", &Limits::learn_bytes, "bytes of examples to learn from"},
    {"--max-waiting-jobs", &Limits::waiting_jobs, "jobs that wait for others to end"},
    {"--max-jobs", &Limits::kept_jobs, "jobs that are kept; the oldest is deleted with its model"},
    {"--max-memory", &Limits::rule_megabytes, "megabytes for the terms that learned rules rewrite"},
};
constexpr LimitOption<double> kTimes[] = {
    {"--request-seconds", &Limits::request_seconds, "time to receive a request"},
    {"--idle-seconds", &Limits::idle_seconds, "time between requests on a connection"},
    {"--write-seconds", &Limits::write_seconds, "time for the client to take an answer"},
    {"--queue-seconds", &Limits::queue_seconds, "time that formulas may wait"},
    {"--drain-seconds", &Limits::drain_seconds,
     "time to finish accepted requests when the server ends"},
    {"--max-minutes", &Limits::learn_minutes, "training time that a job may ask for"},
};

template <class T, std::size_t count>
void add_limits(CLI::App& verb, Limits& limits, const LimitOption<T> (&options)[count]) {
  for (const LimitOption<T>& option : options) {
    verb.add_option(option.name, limits.*option.field, option.help)
        ->check(CLI::PositiveNumber)
        ->group("Limits");
  }
}

void add_serve(CLI::App& app, Action& action) {
  const auto [verb, options] = add_verb<ServeOptions>(
      app, action, "serve", [](const ServeOptions& given) { return run_serve(given); });
  verb->add_option("--host", options->listen.host,
                   "address to listen on; if other machines can reach it, the environment variable "
                   "NRS_TOKEN must hold a token");
  verb->add_option("--port", options->listen.port, "port to listen on; 0: any free port")
      ->check(CLI::Range(0, 65535));
  verb->add_option(
      "--model", options->api.models,
      "models to offer, by name or file, the default one first; default: all that come with nrs");
  verb->add_option("--folder", options->api.folder,
                   "folder for taught models; default: a temporary one");
  add_threads_option(*verb, options->api.threads, "threads that rewrite; 0 uses every core");
  verb->add_option("--allow-host", options->allowed_hosts,
                   "further host names that clients may use for this server");
  verb->add_flag("--quiet", options->quiet, "do not log requests");
  add_limits(*verb, options->limits, kSizes);
  add_limits(*verb, options->limits, kTimes);
  verb->footer(
      "The page and the API are on the same port. After Ctrl-C or SIGTERM, the server\n"
      "answers what it has accepted and ends; a second signal ends it at once.\n"
      "example: nrs serve --port 8080 --model multi");
}

}  // namespace
}  // namespace nrs::cli

int main(int argc, char** argv) {
  return nrs::cli::run_program("Answers formulas over HTTP.", {nrs::cli::add_serve}, argc, argv);
}
