#include "serve/metrics.h"

#include <fmt/format.h>

namespace nrs::serve {
namespace {

template <class Map>
void add_to(Map& counts, std::string_view key, std::uint64_t count) {
  auto found = counts.find(key);
  if (found == counts.end()) found = counts.emplace(key, 0).first;
  found->second += count;
}

std::string heading(std::string_view name, std::string_view help, std::string_view type) {
  return fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}

template <class Map>
std::string counters(std::string_view name, std::string_view help, const Map& counts) {
  std::string text = heading(name, help, "counter");
  for (const auto& [outcome, count] : counts) {
    text += fmt::format("{}{{outcome=\"{}\"}} {}\n", name, outcome, count);
  }
  return text;
}

}  // namespace

void Metrics::count_request(std::string_view route, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  ++requests_[{std::string(route), status}];
  auto found = latency_.find(route);
  if (found == latency_.end()) found = latency_.emplace(route, Histogram{}).first;
  Histogram& histogram = found->second;
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    if (seconds <= kBounds[i]) ++histogram.up_to[i];
  }
  ++histogram.count;
  histogram.seconds += seconds;
}

void Metrics::count_formulas(std::string_view outcome, std::size_t count) {
  const std::lock_guard lock(mutex_);
  add_to(formulas_, outcome, count);
}

void Metrics::count_job(std::string_view outcome) {
  const std::lock_guard lock(mutex_);
  add_to(jobs_, outcome, 1);
}

std::string Metrics::text(const std::vector<Gauge>& gauges) const {
  const std::lock_guard lock(mutex_);
  std::string text = heading("nrs_requests_total", "Requests answered.", "counter");
  for (const auto& [key, count] : requests_) {
    text += fmt::format("nrs_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", key.first,
                        key.second, count);
  }
  text += heading("nrs_request_seconds", "From the first byte of a request to its answer.",
                  "histogram");
  for (const auto& [route, histogram] : latency_) {
    const std::string bucket = fmt::format("nrs_request_seconds_bucket{{route=\"{}\",le=", route);
    for (std::size_t i = 0; i < kBounds.size(); ++i) {
      text += fmt::format("{}\"{}\"}} {}\n", bucket, kBounds[i], histogram.up_to[i]);
    }
    text += fmt::format("{}\"+Inf\"}} {}\n", bucket, histogram.count);
    text += fmt::format("nrs_request_seconds_sum{{route=\"{}\"}} {}\n", route, histogram.seconds);
    text += fmt::format("nrs_request_seconds_count{{route=\"{}\"}} {}\n", route, histogram.count);
  }
  text += counters("nrs_formulas_total", "Formulas answered, by how they ended.", formulas_);
  text += counters("nrs_jobs_total", "Learning jobs that have ended.", jobs_);
  std::string_view last;
  for (const Gauge& gauge : gauges) {
    if (gauge.name != last) text += heading(gauge.name, gauge.help, "gauge");
    text += fmt::format("{}{} {}\n", gauge.name, gauge.labels, gauge.value);
    last = gauge.name;
  }
  return text;
}

}  // namespace nrs::serve
