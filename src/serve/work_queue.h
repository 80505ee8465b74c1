#pragma once
// One queue of formulas in front of the models. What is waiting for the same model is answered
// together, since networks are faster on many formulas, but nothing waits until there are more.
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "serve/limits.h"
#include "serve/work.h"

namespace nrs::serve {

// Thread-safe.
class WorkQueue {
 public:
  WorkQueue(const Limits& limits, int threads);
  // Waits until all that was accepted is finished.
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // False if there is no room. A request without formulas is finished at once.
  bool add(Work work);
  // Formulas that wait or are being worked on.
  std::size_t formulas() const { return formulas_; }

 private:
  void run();
  std::vector<Piece> take();
  void work_on(std::vector<Piece> pieces);
  void answer(std::vector<Piece>& pieces);
  void end(Piece& piece);

  const Limits limits_;
  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<Piece> waiting_;
  bool ending_ = false;
  std::atomic<std::size_t> formulas_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace nrs::serve
