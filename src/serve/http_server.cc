#include "serve/http_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <chrono>
#include <list>
#include <unordered_map>

#include "base/process.h"
#include "nrs/error.h"
#include "serve/session.h"

namespace nrs::serve {
namespace {

namespace net = boost::asio;
using tcp = net::ip::tcp;
using Code = boost::system::error_code;

constexpr int kAtATime = 256;  // connections that are taken before others have their turn
constexpr auto kLook = std::chrono::milliseconds(50);    // for a signal
constexpr auto kPause = std::chrono::milliseconds(100);  // if the system has no more descriptors

net::ip::address address_of(const std::string& host) {
  Code code;
  const auto address = net::ip::make_address(host == "localhost" ? "127.0.0.1" : host, code);
  if (code) {
    throw Error(ErrorKind::kUsage, fmt::format("--host: '{}' is not an address", host),
                "such as 127.0.0.1, ::1 or 0.0.0.0");
  }
  return address;
}

// As many descriptors as the system gives. How many of them connections may have.
std::size_t allowed_connections(std::size_t wanted) {
  constexpr rlim_t kOthers = 64;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  limit.rlim_cur = std::min(limit.rlim_max, std::max<rlim_t>(limit.rlim_cur, wanted + kOthers));
  ::setrlimit(RLIMIT_NOFILE, &limit);
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const rlim_t left = limit.rlim_cur > 2 * kOthers ? limit.rlim_cur - kOthers : kOthers;
  return std::min<std::size_t>(wanted, left);
}

void refuse_connection(int descriptor) {
  static constexpr std::string_view kFull =
      "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\n"
      "Content-Length: 0\r\n\r\n";
  [[maybe_unused]] const auto sent =
      ::send(descriptor, kFull.data(), kFull.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  ::close(descriptor);
}

}  // namespace

bool is_loopback(const std::string& host) {
  return address_of(host).is_loopback();
}

class HttpServer::Listener final : public Hub {
 public:
  Listener(const ListenOptions& options, Handler& handler)
      : limits_(options.limits),
        most_(allowed_connections(options.limits.connections)),
        handler_(handler),
        acceptor_(*context_),
        pause_(*context_),
        look_(*context_),
        drain_(*context_) {
    const tcp::endpoint endpoint(address_of(options.host),
                                 static_cast<unsigned short>(options.port));
    try {
      acceptor_.open(endpoint.protocol());
      ::fcntl(acceptor_.native_handle(), F_SETFD, FD_CLOEXEC);
      acceptor_.set_option(tcp::acceptor::reuse_address(true));
      acceptor_.bind(endpoint);
      acceptor_.listen(SOMAXCONN);
      acceptor_.non_blocking(true);
    } catch (const boost::system::system_error& error) {
      throw Error(ErrorKind::kIo,
                  fmt::format("cannot listen on {} port {}: {}", options.host, options.port,
                              error.code().message()),
                  error.code() == net::error::address_in_use ? "--port chooses another one" : "");
    }
  }

  std::string address() const {
    const tcp::endpoint at = acceptor_.local_endpoint();
    const std::string name = at.address().to_string();
    return fmt::format("http://{}:{}/", at.address().is_v6() ? "[" + name + "]" : name, at.port());
  }

  void run(const std::function<void()>& on_stop) {
    on_stop_ = on_stop;
    accept_later();
    look_for_signal();
    context_->run();
  }

  std::size_t open() const { return open_; }

  // For connections.
  const Limits& limits() const override { return limits_; }
  Handler& handler() override { return handler_; }
  bool stopping() const override { return stopping_; }
  void waits(Connection& connection) override {
    Entry& entry = entries_.at(&connection);
    works(connection);
    entry.waiting = waiting_.insert(waiting_.end(), &connection);
  }
  void works(Connection& connection) override {
    Entry& entry = entries_.at(&connection);
    if (entry.waiting != waiting_.end()) waiting_.erase(entry.waiting);
    entry.waiting = waiting_.end();
  }
  void gone(Connection& connection) override {
    works(connection);
    entries_.erase(&connection);
    open_ = entries_.size();
    end_if_empty();
  }
  bool reserve(std::size_t bytes) override {
    if (bytes > limits_.queued_bytes - std::min(limits_.queued_bytes, reserved_)) return false;
    reserved_ += bytes;
    return true;
  }
  void release(std::size_t bytes) override { reserved_ -= bytes; }

 private:
  struct Entry {
    std::shared_ptr<Connection> connection;
    std::list<Connection*>::iterator waiting;  // end(): we have the turn
  };

  void accept_later() {
    acceptor_.async_wait(tcp::acceptor::wait_read, [this](Code code) {
      if (code || stopping_) return;
      if (accept_some()) return accept_later();
      pause_.expires_after(kPause);
      pause_.async_wait([this](Code stopped) {
        if (!stopped) accept_later();
      });
    });
  }

  // By hand, so that no child of ours ever has a connection. False if the system has no more.
  bool accept_some() {
    for (int i = 0; i < kAtATime; ++i) {
      tcp::endpoint peer;
      auto size = static_cast<socklen_t>(peer.capacity());
      const int descriptor =
          ::accept4(acceptor_.native_handle(), peer.data(), &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (descriptor < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
      if (descriptor < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
      peer.resize(size);
      let_in(descriptor, peer);
    }
    return true;
  }

  // When there is no room, whoever has kept us waiting longest makes some.
  void let_in(int descriptor, const tcp::endpoint& peer) {
    if (entries_.size() >= most_ && !waiting_.empty()) waiting_.front()->close();
    if (entries_.size() >= most_) return refuse_connection(descriptor);
    auto connection =
        make_connection(context_, {descriptor, peer.protocol(), peer.address().to_string()}, *this);
    entries_.emplace(connection.get(), Entry{connection, waiting_.end()});
    open_ = entries_.size();
    connection->start();
  }

  void look_for_signal() {
    look_.expires_after(kLook);
    look_.async_wait([this](Code) { interrupted() != 0 ? stop() : look_for_signal(); });
  }

  // Who has connected already is let in, and who is connected may ask once more.
  void stop() {
    on_stop_();
    accept_some();
    stopping_ = true;
    Code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    for (Connection* connection : waiting_) connection->last_call();
    drain_.expires_after(std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(limits_.drain_seconds)));
    drain_.async_wait([this](Code code) {
      if (!code) close_all();
    });
    end_if_empty();
  }

  void close_all() {
    while (!entries_.empty()) entries_.begin()->second.connection->close();
  }

  void end_if_empty() {
    if (stopping_ && entries_.empty()) drain_.cancel();
  }

  const Limits limits_;
  const std::size_t most_;  // connections
  Handler& handler_;
  std::shared_ptr<net::io_context> context_ = std::make_shared<net::io_context>(1);
  tcp::acceptor acceptor_;
  net::steady_timer pause_;
  net::steady_timer look_;
  net::steady_timer drain_;
  std::function<void()> on_stop_;
  std::unordered_map<Connection*, Entry> entries_;
  std::list<Connection*> waiting_;  // for their clients, who has waited longest first
  std::atomic<std::size_t> open_ = 0;
  std::size_t reserved_ = 0;  // bytes of bodies
  bool stopping_ = false;
};

HttpServer::HttpServer(const ListenOptions& options, Handler& handler)
    : listener_(std::make_unique<Listener>(options, handler)) {}
HttpServer::~HttpServer() = default;

std::string HttpServer::address() const {
  return listener_->address();
}

std::size_t HttpServer::connections() const {
  return listener_->open();
}

void HttpServer::run(const std::function<void()>& on_stop) {
  listener_->run(on_stop);
}

}  // namespace nrs::serve
