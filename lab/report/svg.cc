#include "report/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace nrs::lab {

Scale::Scale(double from, double to, double low, double high, bool logarithmic)
    : from_(from), to_(to), low_(low), high_(high), logarithmic_(logarithmic) {
  if (logarithmic_) from_ = std::max(from_, 1e-9);
  if (!(to_ > from_)) to_ = logarithmic_ ? from_ * 10 : from_ + 1;
}

double Scale::at(double value) const {
  value = std::clamp(value, from_, to_);
  const double share = logarithmic_ ? std::log(value / from_) / std::log(to_ / from_)
                                    : (value - from_) / (to_ - from_);
  return low_ + share * (high_ - low_);
}

double round_up(double value) {
  if (!(value > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (step * power >= value * (1 - 1e-9)) return step * power;
  }
  return 10 * power;
}

std::vector<double> Scale::ticks(int about) const {
  std::vector<double> ticks;
  if (logarithmic_) {
    const double decades = std::log10(to_ / from_);
    const int every = std::max(1, static_cast<int>(std::ceil(decades / about)));
    for (int power = static_cast<int>(std::ceil(std::log10(from_) - 1e-9));
         power <= std::log10(to_) + 1e-9; power += every) {
      ticks.push_back(std::pow(10, power));
    }
    return ticks;
  }
  const double step = round_up((to_ - from_) / about);
  for (double i = std::ceil(from_ / step - 1e-9); i * step <= to_ + step * 1e-6; ++i) {
    ticks.push_back(i * step);
  }
  return ticks;
}

using Escape = std::pair<std::string_view, std::string_view>;
constexpr Escape kEscaped[] = {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}};

std::string escape_xml(std::string_view text) {
  std::string escaped;
  for (const std::string_view character : characters(text)) {
    const auto byte = static_cast<unsigned char>(character.front());
    const auto* const found = std::ranges::find(kEscaped, character, &Escape::first);
    if (found != std::end(kEscaped)) {
      escaped += found->second;
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

void Svg::element(const std::string& shape, const std::string& kind, std::string_view hint) {
  const std::string_view name = std::string_view(shape).substr(0, shape.find(' '));
  text_ += fmt::format("<{} class=\"{}\"{}", name, escape_xml(kind), shape.substr(name.size()));
  text_ += hint.empty() ? "/>\n" : fmt::format("><title>{}</title></{}>\n", escape_xml(hint), name);
}

void Svg::line(double x1, double y1, double x2, double y2, const std::string& kind) {
  element(fmt::format("line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"", coordinate(x1),
                      coordinate(y1), coordinate(x2), coordinate(y2)),
          kind, {});
}

void Svg::rect(double x, double y, double width, double height, const std::string& kind,
               std::string_view hint) {
  element(
      fmt::format("rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", coordinate(x), coordinate(y),
                  coordinate(std::max(0.0, width)), coordinate(std::max(0.0, height))),
      kind, hint);
}

void Svg::circle(double x, double y, double radius, const std::string& kind,
                 std::string_view hint) {
  element(fmt::format("circle cx=\"{}\" cy=\"{}\" r=\"{}\"", coordinate(x), coordinate(y),
                      coordinate(radius)),
          kind, hint);
}

void Svg::path(const std::string& data, const std::string& kind) {
  element(fmt::format("path d=\"{}\"", data), kind, {});
}

void Svg::text(double x, double y, std::string_view text, const std::string& kind,
               std::string_view anchor) {
  text_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n",
                       escape_xml(kind), coordinate(x), coordinate(y), anchor, escape_xml(text));
}

std::string Svg::finish() && {
  return std::move(text_) + "</svg>\n";
}

}  // namespace nrs::lab
