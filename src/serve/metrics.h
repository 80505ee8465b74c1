#pragma once
// What the server has done, for GET /metrics: the text form that Prometheus reads.
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nrs::serve {

// A value of this moment: "nrs_queue_formulas".
struct Gauge {
  std::string name;
  std::string help;
  double value = 0;
  std::string labels{};  // such as {state="done"}
};

// Thread-safe.
class Metrics {
 public:
  // `route` should be one of few.
  void count_request(std::string_view route, int status, double seconds);
  // How formulas ended: a stop reason, or "error".
  void count_formulas(std::string_view outcome, std::size_t count);
  void count_job(std::string_view outcome);

  // Gauges of one name stand together.
  std::string text(const std::vector<Gauge>& gauges) const;

 private:
  static constexpr std::array kBounds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                      0.25,  0.5,    1.0,   2.5,  5.0,   10.0};
  struct Histogram {
    std::array<std::uint64_t, kBounds.size()> up_to{};
    std::uint64_t count = 0;
    double seconds = 0;
  };

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  std::map<std::string, Histogram, std::less<>> latency_;
  std::map<std::string, std::uint64_t, std::less<>> formulas_;
  std::map<std::string, std::uint64_t, std::less<>> jobs_;
};

}  // namespace nrs::serve
