#include "report/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace nrs {

std::string escape_xml(std::string_view text) {
  std::string escaped;
  for (const std::string_view character : characters(text)) {
    const auto byte = static_cast<unsigned char>(character.front());
    if (character == "&") {
      escaped += "&amp;";
    } else if (character == "<") {
      escaped += "&lt;";
    } else if (character == ">") {
      escaped += "&gt;";
    } else if (character == "\"") {
      escaped += "&quot;";
    } else if (byte >= 0x80 && character.size() == 1) {
      escaped += "\xEF\xBF\xBD";  // not UTF-8
    } else if (byte >= 0x20 || character == "\n" || character == "\t") {
      escaped += character;
    }
  }
  return escaped;
}

std::string coordinate(double value) {
  const double rounded = std::round(value * 100) / 100;
  return fmt::format("{}", rounded == 0 ? 0.0 : rounded);
}

std::string show_number(double value) {
  if (value != 0 && std::abs(value) < 0.01) return fmt::format("{:.2g}", value);
  std::string text = fmt::format("{:.3f}", std::abs(value));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  const std::size_t whole = std::min(text.find('.'), text.size());
  for (std::size_t i = whole; i > 3; i -= 3) text.insert(i - 3, ",");
  return (value < 0 && text != "0" ? "-" : "") + text;
}

std::string show_share(double share) {
  if (share >= 1) return "100 %";
  const double cut = std::floor(share * 10000 + 1e-6) / 100;
  return show_number(cut) + " %";
}

Svg::Svg(const std::string& id, double width, double height, std::string_view title,
         std::string_view description) {
  const std::string name = escape_xml(id);
  text_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {} {}\" "
      "role=\"img\" aria-labelledby=\"{}-t {}-d\">\n"
      "<title id=\"{}-t\">{}</title>\n<desc id=\"{}-d\">{}</desc>\n",
      coordinate(width), coordinate(height), name, name, name, escape_xml(title), name,
      escape_xml(description));
}

void Svg::element(std::string_view name, std::initializer_list<Attribute> attributes,
                  std::string_view hint) {
  text_ += fmt::format("<{}", name);
  for (const Attribute& attribute : attributes) {
    text_ += fmt::format(" {}=\"{}\"", attribute.name, escape_xml(attribute.value));
  }
  text_ += hint.empty() ? "/>\n" : fmt::format("><title>{}</title></{}>\n", escape_xml(hint), name);
}

void Svg::line(double x1, double y1, double x2, double y2, const std::string& kind) {
  element("line",
          {{"class", kind},
           {"x1", coordinate(x1)},
           {"y1", coordinate(y1)},
           {"x2", coordinate(x2)},
           {"y2", coordinate(y2)}},
          {});
}

void Svg::rect(double x, double y, double width, double height, const std::string& kind,
               std::string_view hint) {
  element("rect",
          {{"class", kind},
           {"x", coordinate(x)},
           {"y", coordinate(y)},
           {"width", coordinate(std::max(0.0, width))},
           {"height", coordinate(std::max(0.0, height))}},
          hint);
}

void Svg::circle(double x, double y, double radius, const std::string& kind,
                 std::string_view hint) {
  element(
      "circle",
      {{"class", kind}, {"cx", coordinate(x)}, {"cy", coordinate(y)}, {"r", coordinate(radius)}},
      hint);
}

void Svg::path(const std::string& data, const std::string& kind, std::string_view hint) {
  element("path", {{"class", kind}, {"d", data}}, hint);
}

void Svg::text(double x, double y, std::string_view text, const std::string& kind,
               std::string_view anchor) {
  text_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n",
                       escape_xml(kind), coordinate(x), coordinate(y), anchor, escape_xml(text));
}

std::string Svg::finish() && {
  return std::move(text_) + "</svg>\n";
}

}  // namespace nrs
