#pragma once
// Things that a caller borrows for the time of one call: working memory, and what it remembers.
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace nrs::runtime {

// Makes as many as are in use at the same time. Thread-safe.
template <class Thing>
class Pool {
 public:
  // Goes back to its pool at the end of its life. The pool must outlive it.
  class Loan {
   public:
    Loan(Pool& pool, std::unique_ptr<Thing> thing) : pool_(pool), thing_(std::move(thing)) {}
    ~Loan() { pool_.give_back(std::move(thing_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

    Thing& operator*() const { return *thing_; }
    Thing* operator->() const { return thing_.get(); }

   private:
    Pool& pool_;
    std::unique_ptr<Thing> thing_;
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
  void give_back(std::unique_ptr<Thing> thing) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(thing));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Thing>> idle_;
};

}  // namespace nrs::runtime
