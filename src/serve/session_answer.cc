// How a connection sends an answer, whole or as events.
#include <boost/asio/write.hpp>

#include "base/status_line.h"
#include "serve/session_parts.h"

namespace nrs::serve {
namespace {

constexpr double kLingerSeconds = 2;   // for a client that is still sending what we refused
constexpr double kTickSeconds = 0.2;   // between looks for new events
constexpr double kSilentSeconds = 15;  // before a stream shows that it is alive
constexpr std::size_t kLingerBytes = std::size_t{64} * 1024;

}  // namespace

template <class Body>
void Session::set_header(http::response<Body>& answer, const Response& response) {
  answer.result(static_cast<unsigned>(response.status));
  answer.version(version_);
  keep_alive_ = keep_alive_ && body_read_ && !hub_.stopping();
  answer.keep_alive(keep_alive_);
  answer.set(http::field::content_type, response.type);
  answer.set("X-Content-Type-Options", "nosniff");
  answer.set(http::field::cache_control, "no-store");
  for (const auto& [name, value] : response.headers) answer.set(name, value);
}

void Session::send(Response response) {
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

void Session::on_sent() {
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

void Session::linger() {
  buffer_.clear();
  socket_.async_read_some(buffer_.prepare(kLingerBytes),
                          [self = shared_from_this()](Code code, std::size_t) {
                            code ? self->close() : self->linger();
                          });
}

void Session::end_request() {
  hub_.release(reserved_);
  reserved_ = 0;
  access_.seconds = seconds_since(began_);
  hub_.handler().done(access_);
}

void Session::begin_stream(std::unique_ptr<EventSource> source) {
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
  http::async_write_header(
      socket_, *stream_serializer_,
      [self = shared_from_this()](Code code, std::size_t) { code ? self->close() : self->pump(); });
}

void Session::pump() {
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

void Session::pump_later() {
  tick_.expires_after(duration(kTickSeconds));
  tick_.async_wait([self = shared_from_this()](Code code) {
    if (!code) self->pump();
  });
}

void Session::end_stream() {
  source_.reset();
  phase_ = Phase::kWriting;
  if (!chunked_) return on_sent();
  arm(hub_.limits().write_seconds);
  net::async_write(socket_, http::make_chunk_last(),
                   [self = shared_from_this()](Code code, std::size_t) {
                     code ? self->close() : self->on_sent();
                   });
}

}  // namespace nrs::serve
