// Bars and histograms.
#include <fmt/format.h>

#include <algorithm>

#include "report/charts.h"
#include "report/svg.h"

namespace nrs::lab {
namespace {

class BarPainter {
 public:
  explicit BarPainter(const BarChart& chart)
      : chart_(chart),
        bottom_(height_of(chart) - kBottom),
        x_(chart.log_from.value_or(0), chart.to, kLeft, kWidth - kNote, chart.log_from.has_value()),
        svg_(chart.id, kWidth, bottom_ + kBottom, chart.title, chart.description) {}

  std::string draw() && {
    svg_.text(kLeft, 16, chart_.title, "chart-title");
    draw_axis();
    double y = kTop;
    for (const Bar& bar : chart_.bars) {
      if (bar.heading) {
        svg_.text(kLeft, y + kHeading - 8, bar.label, "bar-heading");
      } else {
        draw_bar(bar, y);
      }
      y += height_of(bar);
    }
    return std::move(svg_).finish();
  }

 private:
  static constexpr double kWidth = 440;
  static constexpr double kLeft = 6, kTop = 28, kBottom = 40;
  static constexpr double kBarHeight = 11, kRow = 32, kHeading = 28;
  static constexpr double kNote = 92;  // behind the longest bar

  static double height_of(const Bar& bar) { return bar.heading ? kHeading : kRow; }

  static double height_of(const BarChart& chart) {
    double height = kTop + kBottom;
    for (const Bar& bar : chart.bars) height += height_of(bar);
    return height;
  }

  void draw_axis() {
    for (const double tick : x_.ticks(5)) {
      svg_.line(x_.at(tick), kTop, x_.at(tick), bottom_, "grid");
      svg_.text(x_.at(tick), bottom_ + 16, show_number(chart_.percent ? tick * 100 : tick), "tick",
                tick == x_.from() ? "start" : "middle");
    }
    svg_.text((kLeft + kWidth - kNote) / 2, bottom_ + 33, chart_.x_label, "label", "middle");
  }

  void draw_bar(const Bar& bar, double y) {
    svg_.text(kLeft, y + 13, bar.label, "bar-label");
    const double top = y + 17;
    double sum = 0, end = kLeft;
    for (const BarPart& part : bar.parts) {
      const double begin = chart_.log_from ? kLeft : x_.at(sum);
      sum += part.value;
      end = x_.at(sum);
      if (end - begin <= 0) continue;
      // What is there must be seen, be it ever so little.
      end = std::max(end, begin + 1);
      svg_.rect(begin, top, end - begin, kBarHeight,
                fmt::format("{} c{}", bar.published ? "bar published" : "bar", part.colour),
                fmt::format("{}, {}", bar.label, part.label));
    }
    svg_.text(end + 6, top + kBarHeight - 1, bar.note, bar.parts.empty() ? "note" : "value");
  }

  const BarChart& chart_;
  double bottom_;
  Scale x_;
  Svg svg_;
};

}  // namespace

std::string draw(const BarChart& chart) {
  return BarPainter(chart).draw();
}

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

}  // namespace nrs::lab
