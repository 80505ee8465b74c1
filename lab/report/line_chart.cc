#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/charts.h"
#include "report/svg.h"

namespace nrs::lab {
namespace {

class LinePainter {
 public:
  // `notes` are lines of text below the chart; all that there is if it has no lines.
  LinePainter(const LineChart& chart, const std::vector<std::string>& notes)
      : chart_(chart),
        notes_(notes),
        bare_(chart.lines.empty() && !notes.empty()),
        right_(kWidth - label_width(chart)),
        x_(x_scale(chart, right_)),
        y_(chart.log_y ? least_of(chart) : 0, 1, kHeight - kBottom, kTop, chart.log_y),
        svg_(chart.id, kWidth, notes_from() + kNote * static_cast<double>(notes.size()),
             chart.title, chart.description) {}

  std::string draw() && {
    svg_.text(6, 16, chart_.title, "chart-title");
    if (!bare_) draw_lines();
    double y = notes_from() + 8;
    for (const std::string& note : notes_) svg_.text(6, std::exchange(y, y + kNote), note, "note");
    return std::move(svg_).finish();
  }

  // The value at the bottom of a logarithmic scale: less than every value that is drawn, but 0.
  static double least_of(const LineChart& chart) {
    double least = 1e-2;
    for (const ChartLine& line : chart.lines) {
      for (const ChartPoint& point : line.points) {
        if (point.y > 0) least = std::min(least, point.y);
      }
    }
    return std::max(kLeast, std::pow(10, std::floor(std::log10(least) + 1e-9)) / 3);
  }

 private:
  static constexpr double kWidth = 440, kHeight = 268;
  static constexpr double kLeft = 60, kTop = 30, kBottom = 42;
  static constexpr double kLetter = 6.6;      // about the width of a letter of a label
  static constexpr double kLabelHeight = 14;  // labels are not nearer to each other
  static constexpr double kMostLabel = 180;
  static constexpr double kNote = 16;
  static constexpr double kLeast = 1e-6 / 3;  // less is rounding

  double notes_from() const { return bare_ ? kTop : kHeight; }

  void draw_lines() {
    if (chart_.trained_to) draw_trained();
    draw_axes();
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) draw_line(i);
    draw_labels();
  }

  static double label_width(const LineChart& chart) {
    std::size_t longest = 0;
    for (const ChartLine& line : chart.lines) longest = std::max(longest, line.label.size());
    return std::min(kMostLabel, static_cast<double>(longest) * kLetter) + 18;
  }

  static Scale x_scale(const LineChart& chart, double right) {
    double from = INFINITY, to = -INFINITY;
    const auto see = [&](double x) {
      from = std::min(from, x);
      to = std::max(to, x);
    };
    for (const ChartLine& line : chart.lines) {
      for (const ChartPoint& point : line.points) see(point.x);
    }
    for (const double tick : chart.x_ticks) see(tick);
    if (!(from <= to)) return Scale(0, 1, kLeft + 8, right - 8);  // nothing to draw
    if (chart.log_x) from = std::max(from, 1.0);
    return Scale(from, to, kLeft + 8, right - 8, chart.log_x);
  }

  void draw_trained() {
    const double x = x_.at(*chart_.trained_to) + (chart_.x_ticks.empty() ? 0 : half_tick());
    svg_.rect(kLeft, kTop, x - kLeft, kHeight - kBottom - kTop, "trained");
  }

  // Levels stand in the middle of their part of the axis.
  double half_tick() const {
    return (x_.at(chart_.x_ticks.front() + 1) - x_.at(chart_.x_ticks.front())) / 2;
  }

  void draw_axes() {
    for (const double tick : y_.ticks(chart_.log_y ? 8 : 5)) {
      svg_.line(kLeft, y_.at(tick), right_, y_.at(tick), "grid");
      svg_.text(kLeft - 6, y_.at(tick) + 4, show_number(tick * 100) + " %", "tick", "end");
    }
    if (chart_.log_y) svg_.text(kLeft - 6, y_.at(0) + 4, "0", "tick", "end");
    for (const double tick : chart_.x_ticks.empty() ? x_.ticks(5) : chart_.x_ticks) {
      svg_.text(x_.at(tick), kHeight - kBottom + 16, show_number(tick), "tick", "middle");
      svg_.line(x_.at(tick), kHeight - kBottom, x_.at(tick), kHeight - kBottom + 4, "axis");
    }
    svg_.line(kLeft, kHeight - kBottom, right_, kHeight - kBottom, "axis");
    svg_.text((kLeft + right_) / 2, kHeight - 8, chart_.x_label, "label", "middle");
  }

  // Lines that coincide would hide each other, so each is thinner than the one below it: there are
  // five widths.
  int width_of(std::size_t number) const {
    return static_cast<int>(std::min<std::size_t>(chart_.lines.size() - 1 - number, 4));
  }

  void draw_line(std::size_t number) {
    const ChartLine& line = chart_.lines[number];
    std::string data;
    for (const ChartPoint& point : line.points) {
      data += fmt::format("{}{} {}", data.empty() ? "M" : "L", coordinate(x_.at(point.x)),
                          coordinate(y_.at(point.y)));
    }
    const bool spread =
        std::ranges::any_of(line.points, [](const ChartPoint& point) { return point.spread > 0; });
    if (spread) svg_.path(band_of(line), fmt::format("band c{}", line.colour));
    if (line.points.size() > 1) {
      const char* kStrokes[] = {"", " dashed", " dotted"};
      svg_.path(data, fmt::format("line w{} c{}{}", width_of(number), line.colour,
                                  kStrokes[static_cast<int>(line.stroke)]));
    }
    if (!line.markers) return;
    for (const ChartPoint& point : line.points) {
      svg_.circle(x_.at(point.x), y_.at(point.y), 2.4 + 0.6 * width_of(number),
                  fmt::format("{} c{}", line.hollow ? "ring" : "dot", line.colour),
                  fmt::format("{}, {} {}: {}", line.label, chart_.x_label, show_number(point.x),
                              show_share(point.y)));
    }
  }

  std::string band_of(const ChartLine& line) const {
    std::string upper, lower;
    for (const ChartPoint& point : line.points) {
      const std::string x = coordinate(x_.at(point.x));
      upper += fmt::format("{}{} {}", upper.empty() ? "M" : "L", x,
                           coordinate(y_.at(point.y + point.spread)));
      lower.insert(0, fmt::format("L{} {}", x, coordinate(y_.at(point.y - point.spread))));
    }
    return upper + lower + "Z";
  }

  // At the end of each line, moved apart where they would overlap.
  void draw_labels() {
    struct Label {
      const ChartLine* line;
      double at, y;
    };
    std::vector<Label> labels;
    for (const ChartLine& line : chart_.lines) {
      if (!line.points.empty() && !line.label.empty()) {
        const double y = y_.at(line.points.back().y);
        labels.push_back({&line, y, y});
      }
    }
    std::ranges::stable_sort(labels, {}, &Label::at);
    for (std::size_t i = 1; i < labels.size(); ++i) {
      labels[i].y = std::max(labels[i].y, labels[i - 1].y + kLabelHeight);
    }
    double lowest = kHeight - kBottom;
    for (std::size_t i = labels.size(); i-- > 0; lowest = labels[i].y - kLabelHeight) {
      labels[i].y = std::min(labels[i].y, lowest);
    }
    for (const Label& label : labels) {
      const double end = x_.at(label.line->points.back().x);
      svg_.line(end + 6, label.at, right_ + 6, label.y,
                fmt::format("leader c{}", label.line->colour));
      svg_.text(right_ + 9, label.y + 4, label.line->label,
                fmt::format("series c{}", label.line->colour));
    }
  }

  const LineChart& chart_;
  const std::vector<std::string>& notes_;
  bool bare_;
  double right_;
  Scale x_, y_;
  Svg svg_;
};

}  // namespace

std::string draw(const LineChart& chart) {
  constexpr std::size_t kLongest = 66;  // of a note
  LineChart moving = chart;
  std::vector<std::string> notes;
  const double least = LinePainter::least_of(chart);
  std::erase_if(moving.lines, [&](const ChartLine& line) {
    const auto low = [&](const ChartPoint& point) { return point.y <= least; };
    if (!chart.log_y || !std::ranges::all_of(line.points, low)) return false;
    if (line.label.empty()) return true;
    if (notes.empty()) {
      notes.push_back(chart.flat + ": " + line.label);
    } else if (notes.back().size() + line.label.size() + 2 <= kLongest) {
      notes.back() += "; " + line.label;
    } else {
      notes.back() += ";";
      notes.push_back(line.label);
    }
    return true;
  });
  return LinePainter(moving, notes).draw();
}

}  // namespace nrs::lab
