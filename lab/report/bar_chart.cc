#include <fmt/format.h>

#include <algorithm>

#include "report/charts.h"
#include "report/scale.h"
#include "report/svg.h"

namespace nrs {
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

}  // namespace nrs
