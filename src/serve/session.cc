#include "serve/session.h"

#include <sys/socket.h>

#include <atomic>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>

#include "base/clock.h"
#include "serve/request_head.h"

namespace nrs::serve {
namespace {

namespace net = boost::asio;
namespace http = boost::beast::http;
using tcp = net::ip::tcp;
using Code = boost::system::error_code;
using Clock = std::chrono::steady_clock;

constexpr double kLastCallSeconds = 1;
constexpr double kLingerSeconds = 2;   // for a client that is still sending what we refused
constexpr double kTickSeconds = 0.2;   // between looks for new events
constexpr double kSilentSeconds = 15;  // before a stream shows that it is alive
constexpr std::size_t kReadBytes = 4096;

Clock::duration duration(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

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
  void start() override {
    Code ignored;
    socket_.set_option(tcp::no_delay(true), ignored);
    wait(hub_.limits().request_seconds);
  }
  void last_call() override {
    if (phase_ == Phase::kIdle) arm(kLastCallSeconds);
  }
  void close() override {
    if (phase_ == Phase::kClosed) return;
    const auto self = shared_from_this();  // the server lets go of it below
    const bool unanswered = phase_ != Phase::kIdle && phase_ != Phase::kLingering;
    phase_ = Phase::kClosed;
    abandoned_ = true;
    deadline_.cancel();
    tick_.cancel();
    Code ignored;
    socket_.close(ignored);
    if (unanswered) {
      access_.status = 0;
      end_request();
    }
    source_.reset();
    hub_.gone(*this);
  }

  // As who answers sees it, from any thread.
  void respond(Response response) override {
    net::post(*context_, [self = shared_from_this(), response = std::move(response)]() mutable {
      self->send(std::move(response));
    });
  }
  void stream(std::unique_ptr<EventSource> source) override {
    net::post(*context_, [self = shared_from_this(), source = std::move(source)]() mutable {
      self->begin_stream(std::move(source));
    });
  }
  bool abandoned() const override { return abandoned_; }

 private:
  enum class Phase { kIdle, kReading, kWorking, kWriting, kStreaming, kLingering, kClosed };

  // ---- The clock.

  void arm(double seconds) {
    deadline_.expires_after(duration(seconds));
    deadline_.async_wait([self = shared_from_this()](Code code) {
      if (!code && self->deadline_.expiry() <= Clock::now()) self->on_deadline();
    });
  }
  void on_deadline() {
    if (phase_ != Phase::kReading) return close();
    // The read ends with an error, and says so. If it was ending just now, the next one will.
    timed_out_ = true;
    Code ignored;
    socket_.cancel(ignored);
    arm(0.1);
  }

  // ---- A request.

  void wait(double seconds) {
    phase_ = Phase::kIdle;
    hub_.waits(*this);
    arm(hub_.stopping() ? kLastCallSeconds : seconds);
    if (buffer_.size() > 0) return read_header();
    socket_.async_read_some(buffer_.prepare(kReadBytes),
                            [self = shared_from_this()](Code code, std::size_t count) {
                              if (code || self->phase_ != Phase::kIdle) return self->close();
                              self->buffer_.commit(count);
                              self->read_header();
                            });
  }

  void read_header() {
    phase_ = Phase::kReading;
    timed_out_ = false;
    began_ = Clock::now();
    access_ = Access{.client = client_, .route = "other"};
    head_only_ = false;
    keep_alive_ = false;
    body_read_ = false;
    arm(hub_.limits().request_seconds);
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(hub_.limits().header_bytes));
    parser_->body_limit(std::numeric_limits<std::uint64_t>::max());  // known when the header is
    http::async_read_header(socket_, buffer_, *parser_,
                            [self = shared_from_this()](Code code, std::size_t) {
                              code ? self->on_bad_read(code) : self->on_header();
                            });
  }

  void on_header() {
    if (phase_ != Phase::kReading) return;
    version_ = parser_->get().version();
    keep_alive_ = parser_->get().keep_alive();
    body_read_ = parser_->is_done();
    try {
      request_ = read_head(parser_->get(), client_);
      access_.method = std::string(parser_->get().method_string());
      access_.target = request_.target;
      head_only_ = access_.method == "HEAD";
      const Admission admission = hub_.handler().admit(request_);
      access_.route = admission.route;
      admit_body(admission.body_bytes);
    } catch (const Refusal& refusal) {
      // Where it is not clear what follows, nothing that follows is taken for a request.
      if (refusal.status() == 400 || request_.method == "POST") body_read_ = false;
      return send(to_response(refusal));
    }
    if (request_.header("expect") != "100-continue") return read_body();
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    net::async_write(socket_, net::buffer(kContinue.data(), kContinue.size()),
                     [self = shared_from_this()](Code code, std::size_t) {
                       code ? self->on_bad_read(code) : self->read_body();
                     });
  }

  void admit_body(std::size_t most) {
    const auto length = parser_->content_length();
    const std::size_t size = parser_->chunked() ? most : length ? *length : 0;
    if (size > most) throw too_large(most);
    if (!hub_.reserve(size)) throw Refusal(503, "too many large requests at once");
    reserved_ = size;
    parser_->body_limit(most);
  }
  static Refusal too_large(std::size_t most) {
    return most == 0 ? Refusal(413, "this request takes no body")
                     : Refusal(413, "the body has more than " + std::to_string(most) + " bytes");
  }

  void read_body() {
    if (phase_ != Phase::kReading) return;
    if (parser_->is_done()) return on_body();
    http::async_read(socket_, buffer_, *parser_,
                     [self = shared_from_this()](Code code, std::size_t) {
                       code ? self->on_bad_read(code) : self->on_body();
                     });
  }

  void on_body() {
    if (phase_ != Phase::kReading) return;
    body_read_ = true;
    request_.body = std::move(parser_->get().body());
    access_.bytes_in = request_.body.size();
    parser_.reset();
    phase_ = Phase::kWorking;
    deadline_.cancel();
    hub_.works(*this);
    watch_client();
    try {
      hub_.handler().handle(std::move(request_), shared_from_this());
    } catch (const Refusal& refusal) {
      send(to_response(refusal));
    } catch (const std::bad_alloc&) {
      send(to_response(Refusal(503, "there is not enough memory for this request")));
    } catch (const std::exception& error) {
      send(to_response(Refusal(500, std::string("internal error: ") + error.what())));
    }
  }

  void on_bad_read(Code code) {
    if (phase_ != Phase::kReading) return;
    if (timed_out_) return send(to_response(Refusal(408, "the request did not come in time")));
    if (code == http::error::end_of_stream) return close();
    if (code == http::error::header_limit) {
      return send(to_response(Refusal(431, "the header is too long")));
    }
    if (code == http::error::body_limit) {
      return send(to_response(Refusal(413, "the body is too large")));
    }
    if (code.category() != http::make_error_code(http::error::end_of_stream).category()) {
      return close();
    }
    send(to_response(Refusal(400, "this is no request: " + code.message())));
  }

  // Work for a client that has left is not begun. One that sends its next request already is not
  // watched any longer.
  void watch_client() {
    if (watching_) return;
    watching_ = true;
    socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](Code code) {
      self->watching_ = false;
      const bool ours = self->phase_ == Phase::kWorking || self->phase_ == Phase::kStreaming;
      if (code || !ours) return;
      char next = 0;
      const auto count = ::recv(self->socket_.native_handle(), &next, 1, MSG_PEEK | MSG_DONTWAIT);
      if (count > 0) return;
      self->abandoned_ = true;
      if (self->phase_ == Phase::kStreaming) self->close();
    });
  }

  // ---- An answer.

  template <class Body>
  void set_header(http::response<Body>& answer, const Response& response) {
    answer.result(static_cast<unsigned>(response.status));
    answer.version(version_);
    keep_alive_ = keep_alive_ && body_read_ && !hub_.stopping();
    answer.keep_alive(keep_alive_);
    answer.set(http::field::content_type, response.type);
    answer.set("X-Content-Type-Options", "nosniff");
    answer.set(http::field::cache_control, "no-store");
    for (const auto& [name, value] : response.headers) answer.set(name, value);
  }

  void send(Response response) {
    if (phase_ == Phase::kClosed) return;
    if (abandoned_) return close();
    phase_ = Phase::kWriting;
    arm(hub_.limits().write_seconds);
    access_.status = response.status;
    access_.bytes_out = head_only_ ? 0 : response.body.size();
    answer_.emplace();
    set_header(*answer_, response);
    answer_->body() = std::move(response.body);
    if (response.status != 304) answer_->prepare_payload();
    serializer_.emplace(*answer_);
    const auto then = [self = shared_from_this()](Code code, std::size_t) {
      code ? self->close() : self->on_sent();
    };
    head_only_ ? http::async_write_header(socket_, *serializer_, then)
               : http::async_write(socket_, *serializer_, then);
  }

  void on_sent() {
    if (phase_ == Phase::kClosed) return;
    serializer_.reset();
    answer_.reset();
    end_request();
    if (keep_alive_) return wait(hub_.limits().idle_seconds);
    phase_ = Phase::kLingering;
    Code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    if (body_read_) return close();
    // Closed at once, the client would be told that its bytes were not wanted before it sees why.
    arm(kLingerSeconds);
    linger();
  }

  void linger() {
    buffer_.clear();
    socket_.async_read_some(buffer_.prepare(16 * kReadBytes),
                            [self = shared_from_this()](Code code, std::size_t) {
                              code ? self->close() : self->linger();
                            });
  }

  void end_request() {
    hub_.release(reserved_);
    reserved_ = 0;
    access_.seconds = seconds_since(began_);
    hub_.handler().done(access_);
  }

  // ---- Events.

  void begin_stream(std::unique_ptr<EventSource> source) {
    if (phase_ == Phase::kClosed) return;
    if (abandoned_) return close();
    phase_ = Phase::kStreaming;
    source_ = std::move(source);
    last_event_ = Clock::now();
    access_.status = 200;
    stream_head_.emplace();
    set_header(*stream_head_, {.type = "text/event-stream"});
    chunked_ = version_ >= 11;
    keep_alive_ = keep_alive_ && chunked_;
    stream_head_->keep_alive(keep_alive_);
    stream_head_->chunked(chunked_);
    stream_serializer_.emplace(*stream_head_);
    arm(hub_.limits().write_seconds);
    http::async_write_header(socket_, *stream_serializer_,
                             [self = shared_from_this()](Code code, std::size_t) {
                               code ? self->close() : self->pump();
                             });
  }

  void pump() {
    if (phase_ != Phase::kStreaming) return;
    deadline_.cancel();
    std::optional<std::string> text = source_->next();
    if (!text) return end_stream();
    if (text->empty() && seconds_since(last_event_) < kSilentSeconds) return pump_later();
    last_event_ = Clock::now();
    events_ = text->empty() ? ":\n\n" : std::move(*text);
    access_.bytes_out += events_.size();
    arm(hub_.limits().write_seconds);
    const auto then = [self = shared_from_this()](Code code, std::size_t) {
      code ? self->close() : self->pump();
    };
    if (chunked_) {
      net::async_write(socket_, http::make_chunk(net::buffer(events_)), then);
    } else {
      net::async_write(socket_, net::buffer(events_), then);
    }
  }

  void pump_later() {
    tick_.expires_after(duration(kTickSeconds));
    tick_.async_wait([self = shared_from_this()](Code code) {
      if (!code) self->pump();
    });
  }

  void end_stream() {
    source_.reset();
    phase_ = Phase::kWriting;
    if (!chunked_) return on_sent();
    arm(hub_.limits().write_seconds);
    net::async_write(socket_, http::make_chunk_last(),
                     [self = shared_from_this()](Code code, std::size_t) {
                       code ? self->close() : self->on_sent();
                     });
  }

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

}  // namespace

std::shared_ptr<Connection> make_connection(std::shared_ptr<net::io_context> context,
                                            Accepted accepted, Hub& hub) {
  return std::make_shared<Session>(std::move(context), std::move(accepted), hub);
}

}  // namespace nrs::serve
