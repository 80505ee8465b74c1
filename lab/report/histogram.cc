#include <fmt/format.h>

#include <algorithm>

#include "report/charts.h"
#include "report/scale.h"
#include "report/svg.h"

namespace nrs {
namespace {

constexpr double kWidth = 440, kHeight = 220;
constexpr double kLeft = 62, kRight = 14, kTop = 30, kBottom = 42;

void draw_mark(Svg& svg, const Histogram& chart, const Scale& x) {
  if (*chart.mark < chart.from) {
    svg.text(kLeft + 4, kTop + 6, chart.mark_label + ", further left", "note");
    return;
  }
  const double place = x.at(*chart.mark);
  const bool left_half = place < kWidth / 2;
  svg.line(place, kTop - 4, place, kHeight - kBottom, "mark");
  svg.text(place + (left_half ? 4 : -4), kTop + 6, chart.mark_label, "note",
           left_half ? "start" : "end");
}

}  // namespace

std::string draw(const Histogram& chart) {
  constexpr double kFloor = kHeight - kBottom;
  // A count of one is already above the ground.
  constexpr double kLeast = 0.5;
  double most = 1;
  for (const double count : chart.counts) most = std::max(most, count);
  const Scale x(chart.from, chart.to, kLeft, kWidth - kRight);
  const Scale y(kLeast, most * 1.5, kFloor, kTop, /*logarithmic=*/true);
  Svg svg(chart.id, kWidth, kHeight, chart.title, chart.description);
  svg.text(6, 16, chart.title, "chart-title");
  for (const double tick : y.ticks(5)) {
    svg.line(kLeft, y.at(tick), kWidth - kRight, y.at(tick), "grid");
    svg.text(kLeft - 6, y.at(tick) + 4, show_number(tick), "tick", "end");
  }
  const double width =
      (chart.to - chart.from) / std::max<double>(1, static_cast<double>(chart.counts.size()));
  for (std::size_t i = 0; i < chart.counts.size(); ++i) {
    if (chart.counts[i] <= 0) continue;
    const double left = chart.from + static_cast<double>(i) * width;
    svg.rect(
        x.at(left), y.at(chart.counts[i]), std::max(1.0, x.at(left + width) - x.at(left) - 0.6),
        kFloor - y.at(chart.counts[i]), fmt::format("bar c{}", chart.colour),
        fmt::format("{} from {:.3g} to {:.3g}", show_number(chart.counts[i]), left, left + width));
  }
  svg.line(kLeft, kFloor, kWidth - kRight, kFloor, "axis");
  for (const double tick : x.ticks(4)) {
    svg.line(x.at(tick), kFloor, x.at(tick), kFloor + 4, "axis");
    svg.text(x.at(tick), kFloor + 16, show_number(tick), "tick", "middle");
  }
  if (chart.mark) draw_mark(svg, chart, x);
  svg.text((kLeft + kWidth - kRight) / 2, kHeight - 8, chart.x_label, "label", "middle");
  return std::move(svg).finish();
}

}  // namespace nrs
