#pragma once
// HTTP as the rest of the server sees it: requests in, responses out. Which library speaks it is
// known to session*.cc and http_server.cc only.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nrs/error.h"

namespace nrs::serve {

struct Request {
  std::string method;  // HEAD is shown as GET
  std::string target;  // as it was sent
  std::string path;    // without the query
  std::map<std::string, std::string> query{};
  std::map<std::string, std::string> headers{};  // by names in lower case
  std::string client;                            // its address
  std::string body{};

  // Empty if there is none.
  const std::string& header(const std::string& name) const;
};

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Response {
  int status = 200;
  std::string body{};
  std::string type = "application/json";
  Headers headers{};
};

// Why a request is not answered: an Error with the status that says so.
class Refusal : public Error {
 public:
  Refusal(int status, const std::string& message, std::string hint = {})
      : Error(ErrorKind::kInput, message, std::move(hint)), status_(status) {}
  Refusal(int status, const Error& error) : Error(error), status_(status) {}

  Refusal& with(std::string name, std::string value) {
    headers_.emplace_back(std::move(name), std::move(value));
    return *this;
  }

  int status() const { return status_; }
  const Headers& headers() const { return headers_; }

 private:
  int status_;
  Headers headers_{};
};
// {"error": {...}} with what has to go with its status.
Response to_response(const Refusal& refusal);

// Server-sent events that come as time goes on.
class EventSource {
 public:
  virtual ~EventSource() = default;
  // What is new since the last call; empty: nothing yet; nothing: that was all.
  virtual std::optional<std::string> next() = 0;
};
// One event as it is sent. `data` is one line.
std::string event_text(std::string_view name, std::string_view data);

// The answer to one request. Exactly one of respond() and stream() is called, once, by any thread.
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual void respond(Response response) = 0;
  virtual void stream(std::unique_ptr<EventSource> source) = 0;
  // The client has left: nobody will see the answer.
  virtual bool abandoned() const = 0;
};

// What is known of a request when its answer has been sent, or could not be.
struct Access {
  std::string client;
  std::string method{};
  std::string target{};
  std::string route;
  int status = 0;  // 0: the client did not wait for the answer
  std::size_t bytes_in = 0;
  std::size_t bytes_out = 0;
  double seconds = 0;
};

// What may follow the header of a request.
struct Admission {
  std::string_view route;  // for logs and metrics: few different ones
  std::size_t body_bytes = 0;
};

// What answers requests. All calls come from one thread, and none may wait.
class Handler {
 public:
  virtual ~Handler() = default;
  // Of a request without its body. Throws Refusal.
  virtual Admission admit(const Request& request) = 0;
  // Throws Refusal instead of answering.
  virtual void handle(Request request, std::shared_ptr<Exchange> exchange) = 0;
  virtual void done(const Access& access) = 0;
};

}  // namespace nrs::serve
