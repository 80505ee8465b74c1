#pragma once
// Runs independent pieces of work on several threads.
#include <cstddef>
#include <functional>

namespace nrs {

// Threads to use when asked for `wanted`; 0 means all cores.
int thread_count(int wanted);

// Calls work(i) for i in [0, count) on at most `threads` threads, fewer if the system cannot start
// more, and waits for all of them. If a call throws, the first exception (by index) is thrown again
// here, after the others have ended.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

}  // namespace nrs
