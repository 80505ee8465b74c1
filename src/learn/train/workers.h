#pragma once
// The threads of a training run. They stay for the whole run and share out pieces of work.
//
// Each piece is computed by one thread alone: the networks are small, and splitting a single matrix
// product between cores costs more than it saves. It also means that the number of threads changes
// no bit of any result.
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace nrs::learn {

// Thrown where somebody has told the run to stop.
class Stopped {};

class Workers {
 public:
  // `threads` includes the one that calls run(). Turns off the threads inside of torch operations,
  // for the calling thread as well.
  explicit Workers(int threads);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  using Work = std::function<void(std::size_t piece)>;
  // Calls work(i) for i in [0, count), with gradients on or off as they are here, and waits for
  // all. If calls throw, the exception of the lowest i is thrown again here.
  void run(std::size_t count, const Work& work);
  // The same, but asks `stop` now and then, on the calling thread. Throws Stopped if it said so;
  // then some calls were not made.
  void run_unless(const std::function<bool()>& stop, std::size_t count, const Work& work);

 private:
  void help(const std::stop_token& end);
  // Takes pieces until there are none left. Holds the lock whenever it touches a member.
  void take_pieces(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable_any begun_;
  std::condition_variable finished_;
  const Work* work_ = nullptr;
  std::size_t count_ = 0;  // of pieces in this run
  std::size_t next_ = 0;   // piece to be taken
  std::size_t done_ = 0;
  bool gradients_ = true;
  std::exception_ptr failure_;
  std::size_t failed_at_ = 0;
  std::vector<std::jthread> helpers_;  // last: they end before what they use
};

}  // namespace nrs::learn
