#pragma once
// The HTTP API: which requests there are, and what answers them (docs/serve.md).
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "serve/guard.h"
#include "serve/http.h"
#include "serve/jobs.h"
#include "serve/limits.h"
#include "serve/metrics.h"
#include "serve/model_store.h"
#include "serve/work_queue.h"

namespace nrs::serve {

struct ApiOptions {
  Limits limits{};
  int threads = 0;                    // that rewrite; 0: all cores
  std::vector<std::string> models{};  // see ModelStore
  std::filesystem::path folder{};     // see Jobs
  std::string token{};
  std::vector<std::string> hosts{};  // see Guard
  std::string version{};
  std::function<void(const std::string& line)> log{};  // one JSON object per request
  std::function<std::size_t()> connections{};          // that are open
};

class Api final : public Handler {
 public:
  // Throws Error.
  explicit Api(ApiOptions options);

  Admission admit(const Request& request) override;
  void handle(Request request, std::shared_ptr<Exchange> exchange) override;
  void done(const Access& access) override;

  // From now on /health tells that the server is going; learning is cancelled.
  void stop();
  void on_connections(std::function<std::size_t()> count) {
    options_.connections = std::move(count);
  }

 private:
  using Reply = std::shared_ptr<Exchange>;
  struct Route;
  static const std::vector<Route>& routes();
  static const Route& route_of(const Request& request);

  void page(Request& request, const Reply& reply);
  void health(Request& request, const Reply& reply);
  void metrics(Request& request, const Reply& reply);
  void models(Request& request, const Reply& reply);
  void model(Request& request, const Reply& reply);
  void model_file(Request& request, const Reply& reply);
  void simplify(Request& request, const Reply& reply);
  void learn(Request& request, const Reply& reply);
  void job(Request& request, const Reply& reply);
  void job_events(Request& request, const Reply& reply);
  void cancel_job(Request& request, const Reply& reply);
  std::shared_ptr<const ServedModel> model_called(const std::string& name) const;
  void finish_simplify(WorkEnd end, AnswerForm form, Exchange& reply);

  ApiOptions options_;
  Guard guard_;
  std::string page_;
  std::string page_tag_;
  Metrics metrics_;
  ModelStore models_;
  Jobs jobs_;
  WorkQueue queue_;
  std::atomic<bool> stopping_ = false;
};

// Text after the n-th slash of a path, up to the next one.
std::string path_part(std::string_view path, std::size_t number);

}  // namespace nrs::serve
