#include "serve/session.h"

#include <boost/asio/post.hpp>
#include <utility>

#include "serve/session_parts.h"

namespace nrs::serve {

void Session::start() {
  Code ignored;
  socket_.set_option(tcp::no_delay(true), ignored);
  wait(hub_.limits().request_seconds);
}

void Session::last_call() {
  if (phase_ == Phase::kIdle) arm(kLastCallSeconds);
}

void Session::close() {
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

void Session::respond(Response response) {
  net::post(*context_, [self = shared_from_this(), response = std::move(response)]() mutable {
    self->send(std::move(response));
  });
}

void Session::stream(std::unique_ptr<EventSource> source) {
  net::post(*context_, [self = shared_from_this(), source = std::move(source)]() mutable {
    self->begin_stream(std::move(source));
  });
}

void Session::arm(double seconds) {
  deadline_.expires_after(duration(seconds));
  deadline_.async_wait([self = shared_from_this()](Code code) {
    if (!code && self->deadline_.expiry() <= Clock::now()) self->on_deadline();
  });
}

void Session::on_deadline() {
  if (phase_ != Phase::kReading) return close();
  // The read ends with an error, and says so. If it was ending just now, the next one will.
  timed_out_ = true;
  Code ignored;
  socket_.cancel(ignored);
  arm(0.1);
}

std::shared_ptr<Connection> make_connection(std::shared_ptr<net::io_context> context,
                                            Accepted accepted, Hub& hub) {
  return std::make_shared<Session>(std::move(context), std::move(accepted), hub);
}

}  // namespace nrs::serve
