#pragma once
// Writes SVG for a page: well-formed, without colours of its own. Classes name what something is
// (chart.css says how that looks, in the light and in the dark). And from numbers to places on a
// drawing.
#include <string>
#include <string_view>
#include <vector>

namespace nrs::lab {

class Scale {
 public:
  // Data from `from` to `to` goes to places from `low` to `high` (which may be the smaller one).
  // A logarithmic scale needs 0 < from. An empty range is widened.
  Scale(double from, double to, double low, double high, bool logarithmic = false);

  double at(double value) const;  // what is outside of the range stays at its edge
  double from() const { return from_; }
  double to() const { return to_; }
  // About so many round numbers; of a logarithmic scale powers of ten.
  std::vector<double> ticks(int about) const;

 private:
  double from_, to_, low_, high_;
  bool logarithmic_;
};

// The least of 1, 2, 5, 10, 20, ... (also 0.5, ...) that is not below `value`.
double round_up(double value);

// Text as XML and HTML carry it, also within an attribute. Characters that XML forbids are dropped.
std::string escape_xml(std::string_view text);

// A coordinate: two decimals at most, no "-0".
std::string coordinate(double value);

// "1,234,567", "0.05", "2.5": at most three decimals, but something of every number.
std::string show_number(double value);
// "100 %", "99.98 %": cut and not rounded, so that 100 means all.
std::string show_share(double share);

class Svg {
 public:
  // `id` must be unique within a page; title and description are for those who cannot see.
  Svg(const std::string& id, double width, double height, std::string_view title,
      std::string_view description);

  void line(double x1, double y1, double x2, double y2, const std::string& kind);
  // `hint` is shown where a pointer rests on the element.
  void rect(double x, double y, double width, double height, const std::string& kind,
            std::string_view hint = {});
  void circle(double x, double y, double radius, const std::string& kind,
              std::string_view hint = {});
  void path(const std::string& data, const std::string& kind);
  // `anchor` is "start", "middle" or "end".
  void text(double x, double y, std::string_view text, const std::string& kind,
            std::string_view anchor = "start");

  std::string finish() &&;

 private:
  // `shape` is the name of an element and its attributes.
  void element(const std::string& shape, const std::string& kind, std::string_view hint);

  std::string text_;
};

}  // namespace nrs::lab
