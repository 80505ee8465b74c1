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

// The same for [0, count) cut into pieces of `size`, of which the last may be smaller: work() is
// told where a piece begins and how much it is.
void parallel_pieces(std::size_t count, std::size_t size, int threads,
                     const std::function<void(std::size_t begin, std::size_t count)>& work);

}  // namespace nrs
