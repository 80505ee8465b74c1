#pragma once
// Writes SVG for a page: well-formed, without colours of its own. Classes name what something is
// (page_style.cc says how that looks, in the light and in the dark).
#include <string>
#include <string_view>

namespace nrs {

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

}  // namespace nrs
