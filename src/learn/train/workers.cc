#include "learn/train/workers.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <dlfcn.h>

#include <algorithm>

namespace nrs::learn {
namespace {

// Pieces between two questions whether to stop: enough to keep several threads busy.
constexpr std::size_t kPiecesPerQuestion = 8;

// OpenMP keeps its number of threads per thread, so each worker has to say it for itself.
void compute_alone() {
  at::set_num_threads(1);
  // A BLAS may have threads of its own. It is loaded by torch and need not be this one.
  using SetThreads = void (*)(int);
  if (const auto set =
          reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) {
    set(1);
  }
}

}  // namespace

Workers::Workers(int threads) {
  compute_alone();
  for (int i = 1; i < threads; ++i)
    helpers_.emplace_back([this](const std::stop_token& end) { help(end); });
}

void Workers::help(const std::stop_token& end) {
  compute_alone();
  std::unique_lock lock(mutex_);
  while (begun_.wait(lock, end, [this] { return next_ < count_; })) take_pieces(lock);
}

void Workers::take_pieces(std::unique_lock<std::mutex>& lock) {
  while (next_ < count_) {
    const std::size_t piece = next_++;
    const at::AutoGradMode mode(gradients_);
    std::exception_ptr failure;
    lock.unlock();
    try {
      (*work_)(piece);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure && piece < failed_at_) {
      failure_ = failure;
      failed_at_ = piece;
    }
    if (++done_ == count_) finished_.notify_one();
  }
}

void Workers::run(std::size_t count, const Work& work) {
  std::unique_lock lock(mutex_);
  work_ = &work;
  count_ = failed_at_ = count;
  next_ = done_ = 0;
  gradients_ = at::GradMode::is_enabled();
  failure_ = nullptr;
  begun_.notify_all();
  take_pieces(lock);
  finished_.wait(lock, [this] { return done_ == count_; });
  if (failure_) std::rethrow_exception(failure_);
}

void Workers::run_unless(const std::function<bool()>& stop, std::size_t count, const Work& work) {
  for (std::size_t begin = 0; begin < count; begin += kPiecesPerQuestion) {
    if (stop()) throw Stopped();
    run(std::min(kPiecesPerQuestion, count - begin),
        [&](std::size_t piece) { work(begin + piece); });
  }
}

}  // namespace nrs::learn
