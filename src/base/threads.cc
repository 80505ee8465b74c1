#include "base/threads.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace nrs {

int thread_count(int wanted) {
  if (wanted > 0) return wanted;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  std::size_t failed_at = count;
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i < failed_at) {
          failed_at = i;
          failure = std::current_exception();
        }
      }
    }
  };
  const std::size_t wanted =
      std::min<std::size_t>(static_cast<std::size_t>(thread_count(threads)), count);
  std::vector<std::jthread> helpers;
  helpers.reserve(wanted);
  try {
    for (std::size_t i = 1; i < wanted; ++i) helpers.emplace_back(run);
  } catch (const std::system_error&) {
    // The system has no room for more: fewer do the same work.
  }
  run();
  helpers.clear();  // joins
  if (failure) std::rethrow_exception(failure);
}

void parallel_pieces(std::size_t count, std::size_t size, int threads,
                     const std::function<void(std::size_t begin, std::size_t count)>& work) {
  parallel_for((count + size - 1) / size, threads, [&](std::size_t piece) {
    const std::size_t begin = piece * size;
    work(begin, std::min(size, count - begin));
  });
}

}  // namespace nrs
