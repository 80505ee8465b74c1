#pragma once
// The charts of the report, as SVG: lines, stacked or grouped bars, a histogram. They are drawn as
// wide as a phone, so that text stays readable there; a page puts several side by side.
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace nrs::lab {

// How a line is drawn. Colour tells what was measured, stroke and marker where it comes from.
enum class Stroke { kSolid, kDashed, kDotted };

struct ChartPoint {
  double x = 0;
  double y = 0;
  double spread = 0;  // a band of y - spread to y + spread
};

struct ChartLine {
  std::string label{};  // at its end; may be empty
  int colour = 0;       // number of the palette
  Stroke stroke = Stroke::kSolid;
  bool hollow = false;  // rings instead of dots
  bool markers = true;
  std::vector<ChartPoint> points{};
};

struct LineChart {
  std::string id{};
  std::string title{};
  std::string description{};
  std::string x_label{};
  bool log_x = false;
  // Values are shown as per cent from 0 to 100. What is nearly always 0 says more on a logarithmic
  // scale: its bottom stands for 0, and lines that never leave it are named below the chart, behind
  // this text.
  bool log_y = false;
  std::string flat{};
  std::vector<double> x_ticks{};  // empty: round numbers
  // To the left of this is what a model was trained on.
  std::optional<double> trained_to{};
  std::vector<ChartLine> lines{};
};
std::string draw(const LineChart& chart);

// A part of a bar and its colour.
struct BarPart {
  double value = 0;
  int colour = 0;
  std::string label{};
};

struct Bar {
  std::string label{};
  std::vector<BarPart> parts{};  // none: not known
  std::string note{};            // behind the bar
  bool published = false;        // drawn paler
  bool heading = false;          // a title of the bars below, no bar
};

// Bars lie, with their labels above them.
struct BarChart {
  std::string id{};
  std::string title{};
  std::string description{};
  std::string x_label{};
  double to = 1;
  bool percent = false;
  std::optional<double> log_from{};  // a logarithmic scale; then one part per bar
  std::vector<Bar> bars{};
};
std::string draw(const BarChart& chart);

// Counts of equal parts of [from, to], on a logarithmic scale.
struct Histogram {
  std::string id{};
  std::string title{};
  std::string description{};
  std::string x_label{};
  double from = 0;
  double to = 1;
  std::vector<double> counts{};
  std::optional<double> mark{};  // a vertical line
  std::string mark_label{};
  int colour = 0;
};
std::string draw(const Histogram& chart);

}  // namespace nrs::lab
