#pragma once
// Things that a caller borrows for the time of one call: working memory, and what it remembers.
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace nrs::runtime {

// Makes as many as are in use at the same time. Thread-safe.
template <class Thing>
class Pool {
 public:
  // A thing whose work was broken off does not go back: nobody knows its state, and it may hold the
  // memory that was short.
  struct GiveBack {
    Pool* pool;
    int exceptions = std::uncaught_exceptions();

    void operator()(Thing* thing) const noexcept {
      std::unique_ptr<Thing> owned(thing);
      if (std::uncaught_exceptions() != exceptions) return;
      const std::lock_guard lock(pool->mutex_);
      try {
        pool->idle_.push_back(std::move(owned));
      } catch (const std::bad_alloc&) {
        // The next caller makes a new one.
      }
    }
  };
  // Goes back to its pool at the end of its life. The pool must outlive it.
  using Loan = std::unique_ptr<Thing, GiveBack>;

  // The one that was returned last, which is the likeliest to be in the cache.
  Loan borrow() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return Loan(new Thing, {this});
    Loan loan(idle_.back().release(), {this});
    idle_.pop_back();
    return loan;
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Thing>> idle_;
};

}  // namespace nrs::runtime
