#pragma once
// One queue of formulas in front of the models. What is waiting for the same model is answered
// together, since networks are faster on many formulas, but nothing waits until there are more.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "serve/limits.h"
#include "serve/model_store.h"

namespace nrs::serve {

// What has become of the formulas of a request.
struct WorkEnd {
  bool late = false;                   // work had not begun in time: there are no answers
  std::vector<std::string> answers{};  // each as a line of JSON, in the order of the formulas
  std::map<std::string, std::size_t> outcomes{};  // stop reasons, or "error", with their counts
};

struct Work {
  std::shared_ptr<const ServedModel> model{};
  std::vector<service::Answer> answers{};
  bool trace = false;
  std::size_t max_steps = 0;
  std::function<bool()> abandoned{};      // nobody wants the answers any longer
  std::function<void(WorkEnd)> finish{};  // called once, by a thread of the queue
};

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
  struct Ticket;
  struct Piece;
  void run();
  std::vector<Piece> take();
  void work_on(std::vector<Piece> pieces);
  void answer(const Work& like, std::vector<Piece>& pieces);
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
