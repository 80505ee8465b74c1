#pragma once
// A connection as Boost.Beast makes it. For session*.cc only: the life of a connection is in
// session.cc, its requests are in session_request.cc, and the answers to them in session_answer.cc.
#include <atomic>
#include <boost/asio/buffer.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <optional>

#include "serve/session.h"

namespace nrs::serve {

namespace net = boost::asio;
namespace http = boost::beast::http;
using tcp = net::ip::tcp;

class Session final : public Connection,
                      public Exchange,
                      public std::enable_shared_from_this<Session> {
 public:
  Session(std::shared_ptr<net::io_context> context, Accepted accepted, Hub& hub)
      : context_(std::move(context)),
        socket_(*context_, accepted.protocol, accepted.descriptor),
        deadline_(*context_),
        tick_(*context_),
        hub_(hub),
        client_(std::move(accepted.client)) {}

  // As the server sees it.
  void start() override;
  void last_call() override;
  void close() override;

  // As who answers sees it, from any thread.
  void respond(Response response) override;
  void stream(std::unique_ptr<EventSource> source) override;
  bool abandoned() const override { return abandoned_; }

 private:
  using Code = boost::system::error_code;
  using Clock = std::chrono::steady_clock;
  enum class Phase { kIdle, kReading, kWorking, kWriting, kStreaming, kLingering, kClosed };

  static constexpr double kLastCallSeconds = 1;
  static Clock::duration duration(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  // The clock.
  void arm(double seconds);
  void on_deadline();

  // A request.
  void wait(double seconds);
  void read_header();
  void on_header();
  void admit_body(std::size_t most);
  void read_body();
  void on_body();
  void on_bad_read(Code code);
  // Work for a client that has left is not begun. One that sends its next request already is not
  // watched any longer.
  void watch_client();

  // An answer.
  template <class Body>
  void set_header(http::response<Body>& answer, const Response& response);
  void send(Response response);
  void on_sent();
  void linger();
  void end_request();

  // Events.
  void begin_stream(std::unique_ptr<EventSource> source);
  void pump();
  void pump_later();
  void end_stream();

  std::shared_ptr<net::io_context> context_;  // first, so that it goes last
  tcp::socket socket_;
  net::steady_timer deadline_;
  net::steady_timer tick_;
  Hub& hub_;
  const std::string client_;

  Phase phase_ = Phase::kIdle;
  boost::beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  Request request_;
  std::size_t reserved_ = 0;  // bytes
  bool timed_out_ = false;
  bool body_read_ = false;
  bool head_only_ = false;
  bool keep_alive_ = false;
  bool watching_ = false;
  unsigned version_ = 11;
  std::atomic<bool> abandoned_ = false;
  Clock::time_point began_{};
  Access access_;

  std::optional<http::response<http::string_body>> answer_;
  std::optional<http::response_serializer<http::string_body>> serializer_;

  std::unique_ptr<EventSource> source_;
  std::optional<http::response<http::empty_body>> stream_head_;
  std::optional<http::response_serializer<http::empty_body>> stream_serializer_;
  std::string events_;  // that are being sent
  Clock::time_point last_event_{};
  bool chunked_ = true;
};

}  // namespace nrs::serve
