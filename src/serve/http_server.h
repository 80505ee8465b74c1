#pragma once
// Listens, and keeps the connections.
#include <functional>
#include <memory>
#include <string>

#include "serve/http.h"
#include "serve/limits.h"

namespace nrs::serve {

// Whether only programs of this machine reach an address; "localhost" is 127.0.0.1. Throws Error
// (usage) if it is none.
bool is_loopback(const std::string& host);

struct ListenOptions {
  std::string host = "127.0.0.1";
  int port = 8080;  // 0: any that is free
  Limits limits{};
};

class HttpServer {
 public:
  // Throws Error (I/O) if it cannot listen there.
  HttpServer(const ListenOptions& options, Handler& handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // "http://127.0.0.1:8080/"
  std::string address() const;
  std::size_t connections() const;
  // Until the program is asked to end (base/process.h). Then nobody new is let in, `on_stop` is
  // called, and what has been accepted is answered.
  void run(const std::function<void()>& on_stop);

 private:
  class Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace nrs::serve
