#pragma once
// What clients may ask for at most, and how long they may take. Each is an option of `nrs serve`.
#include <cstddef>

namespace nrs::serve {

inline constexpr std::size_t kKiB = 1024;
inline constexpr std::size_t kMiB = 1024 * kKiB;

struct Limits {
  // Of a request.
  std::size_t header_bytes = 16 * kKiB;
  std::size_t body_bytes = 1 * kMiB;
  std::size_t formulas = 10'000;           // in one request
  std::size_t formula_length = 64 * kKiB;  // a longer one is an error in its place
  std::size_t steps = 100'000;             // rewrites of one formula
  std::size_t trace_steps = 10'000;        // the same where they are recorded
  std::size_t trace_bytes = 16 * kMiB;     // formulas in the trace of one formula

  // Of all requests together.
  std::size_t queued_formulas = 100'000;
  std::size_t queued_bytes = 64 * kMiB;  // bodies that are being read or that wait
  std::size_t connections = 4096;

  // In seconds.
  double request_seconds = 10;  // until a request has come in, from its first byte
  double idle_seconds = 60;     // between requests
  double write_seconds = 30;    // until an answer has been taken
  double queue_seconds = 30;    // until work begins
  double drain_seconds = 30;    // at the end, for what has been accepted

  // Of learning.
  std::size_t learn_bytes = 16 * kMiB;
  std::size_t waiting_jobs = 8;
  std::size_t kept_jobs = 100;  // the oldest that has ended makes place, with its model
  double learn_minutes = 30;    // that may be asked for; the job itself ends at twice as many
  std::size_t job_lines = 10'000;
  std::size_t rule_megabytes = 256;  // for terms that are rewritten by learned rules
};

}  // namespace nrs::serve
