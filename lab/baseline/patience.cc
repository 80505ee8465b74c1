#include "baseline/patience.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "base/text.h"
#include "nrs/error.h"

namespace nrs {
namespace {

Verdict verdict_of(int status) {
  switch (status) {
    case 401:
    case 403:
    case 404:
    case 405:
      return Verdict::kHopeless;
    case 408:
    case 425:
    case 429:
      return Verdict::kTryAgain;
    default:
      break;
  }
  if (status >= 500) return Verdict::kTryAgain;
  return status >= 300 && status < 400 ? Verdict::kHopeless : Verdict::kRefused;
}

}  // namespace

Judgement judge(const HttpReply& reply) {
  if (!reply.error.empty()) {
    const bool large = reply.hopeless && reply.status == 200;
    return {large            ? Verdict::kRefused
            : reply.hopeless ? Verdict::kHopeless
                             : Verdict::kTryAgain,
            excerpt(reply.error, 200),
            {}};
  }
  if (reply.status == 200) {
    try {
      return {Verdict::kAnswered, "", read_chat_answer(reply.body)};
    } catch (const Error& error) {
      return {Verdict::kTryAgain, error.what(), {}};
    }
  }
  std::string what = fmt::format("HTTP status {}", reply.status);
  const std::string said = error_in(reply.body);
  if (!said.empty()) what += ": " + said;
  if (!reply.redirect.empty()) what += ": redirected to " + excerpt(reply.redirect, 100);
  return {verdict_of(reply.status), what, {}};
}

std::optional<double> wait_after(int tried, const HttpReply& reply, const Patience& patience,
                                 Rng& rng) {
  if (reply.retry_after) {
    return *reply.retry_after <= patience.most_asked ? reply.retry_after : std::nullopt;
  }
  const double doubled = patience.first_wait * std::pow(2.0, tried - 1);
  return std::min(doubled, patience.longest_wait) * (0.5 + 0.5 * rng.uniform());
}

Judgement PatientChat::ask(const std::string& body, const OnTry& on_try) {
  for (int tried = 1;; ++tried) {
    const HttpReply reply = post_(body);
    Judgement judgement = judge(reply);
    // What we broke off ourselves is no fault of the server's.
    if (judgement.verdict != Verdict::kAnswered && !sleep_(0)) return {Verdict::kStopped, "", {}};
    on_try(tried, reply, judgement);
    if (judgement.verdict != Verdict::kTryAgain) return judgement;
    const std::optional<double> wait = wait_after(tried, reply, patience_, rng_);
    if (tried == patience_.tries || !wait) {
      judgement.verdict = Verdict::kRefused;
      judgement.what += wait ? fmt::format(" ({} tries)", tried)
                             : fmt::format(" (try again in {:.0f} s)", *reply.retry_after);
      return judgement;
    }
    if (!sleep_(*wait)) return {Verdict::kStopped, "", {}};
  }
}

bool sleep_unless(const std::function<bool()>& stop, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(seconds));
  while (!stop()) {
    const auto left = end - Clock::now();
    if (left <= Clock::duration::zero()) return true;
    std::this_thread::sleep_for(std::min<Clock::duration>(left, std::chrono::milliseconds(50)));
  }
  return false;
}

}  // namespace nrs
