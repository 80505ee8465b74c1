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
  // Goes back to its pool at the end of its life. The pool must outlive it. A thing whose work was
  // broken off does not go back: nobody knows its state, and it may hold the memory that was short.
  class Loan {
   public:
    Loan(Pool& pool, std::unique_ptr<Thing> thing) : pool_(pool), thing_(std::move(thing)) {}
    ~Loan() {
      if (std::uncaught_exceptions() == exceptions_) pool_.give_back(std::move(thing_));
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

    Thing& operator*() const { return *thing_; }
    Thing* operator->() const { return thing_.get(); }

   private:
    Pool& pool_;
    std::unique_ptr<Thing> thing_;
    int exceptions_ = std::uncaught_exceptions();
  };

  // The one that was returned last, which is the likeliest to be in the cache.
  Loan borrow() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return Loan(*this, std::make_unique<Thing>());
    std::unique_ptr<Thing> thing = std::move(idle_.back());
    idle_.pop_back();
    return Loan(*this, std::move(thing));
  }

 private:
  void give_back(std::unique_ptr<Thing> thing) noexcept {
    const std::lock_guard lock(mutex_);
    try {
      idle_.push_back(std::move(thing));
    } catch (const std::bad_alloc&) {
      // The next caller makes a new one.
    }
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Thing>> idle_;
};

}  // namespace nrs::runtime
