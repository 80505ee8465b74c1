#pragma once
// Asks until there is an answer, or until it is clear that there will be none.
#include <functional>
#include <optional>
#include <string>

#include "base/rng.h"
#include "baseline/chat.h"
#include "baseline/http.h"

namespace nrs {

enum class Verdict {
  kAnswered,
  kTryAgain,  // the server or the line is in trouble: this may pass
  kRefused,   // this one request will never be answered
  kHopeless,  // no request will be: wrong address, wrong key
  kStopped    // we were asked to end
};

struct Judgement {
  Verdict verdict = Verdict::kTryAgain;
  std::string what;   // why there is no answer
  ChatAnswer answer;  // if there is one
};
Judgement judge(const HttpReply& reply);

struct Patience {
  int tries = 6;
  double first_wait = 1;     // seconds; doubled each time
  double longest_wait = 60;  // of our own choice
  double most_asked = 600;   // a server that asks for more is not waited for
};

// Seconds to wait after the try of this number, from 1; nothing if that is too long. Where the
// server does not say, waits differ by chance, that many clients do not come back all at once.
std::optional<double> wait_after(int tried, const HttpReply& reply, const Patience& patience,
                                 Rng& rng);

// Called with each reply, before the wait for the next try.
using OnTry = std::function<void(int tried, const HttpReply& reply, const Judgement& judgement)>;

class PatientChat {
 public:
  using Post = std::function<HttpReply(const std::string& body)>;
  // False if it was cut short.
  using Sleep = std::function<bool(double seconds)>;

  PatientChat(Post post, Sleep sleep, Patience patience, Rng rng)
      : post_(std::move(post)), sleep_(std::move(sleep)), patience_(patience), rng_(rng) {}

  // Never kTryAgain: that becomes kRefused when the tries are used up.
  Judgement ask(const std::string& body, const OnTry& on_try);

 private:
  Post post_;
  Sleep sleep_;
  Patience patience_;
  Rng rng_;
};

// Sleeps until the time is over, or `stop` says so; then it returns false.
bool sleep_unless(const std::function<bool()>& stop, double seconds);

}  // namespace nrs
