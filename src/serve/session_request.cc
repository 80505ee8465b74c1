// How a connection reads a request.
#include <sys/socket.h>

#include <boost/asio/write.hpp>
#include <cstdint>
#include <limits>
#include <new>

#include "serve/request_head.h"
#include "serve/session_parts.h"

namespace nrs::serve {
namespace {

constexpr std::size_t kReadBytes = 16 * kKiB;

Refusal too_large(std::size_t most) {
  return most == 0 ? Refusal(413, "this request takes no body")
                   : Refusal(413, "the body has more than " + std::to_string(most) + " bytes");
}

}  // namespace

void Session::wait(double seconds) {
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

void Session::read_header() {
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

void Session::on_header() {
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

void Session::admit_body(std::size_t most) {
  const auto length = parser_->content_length();
  const std::size_t size = parser_->chunked() ? most : length ? *length : 0;
  if (size > most) throw too_large(most);
  if (!hub_.reserve(size)) throw Refusal(503, "too many large requests at once");
  reserved_ = size;
  parser_->body_limit(most);
}

void Session::read_body() {
  if (phase_ != Phase::kReading) return;
  if (parser_->is_done()) return on_body();
  http::async_read(socket_, buffer_, *parser_, [self = shared_from_this()](Code code, std::size_t) {
    code ? self->on_bad_read(code) : self->on_body();
  });
}

void Session::on_body() {
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

void Session::on_bad_read(Code code) {
  if (phase_ != Phase::kReading) return;
  if (timed_out_) return send(to_response(Refusal(408, "the request did not arrive in time")));
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
  send(to_response(Refusal(400, "this is not a request: " + code.message())));
}

// Work for a client that has left is not begun. One that sends its next request already is not
// watched any longer.
void Session::watch_client() {
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

}  // namespace nrs::serve
