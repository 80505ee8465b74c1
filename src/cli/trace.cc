#include "cli/trace.h"

#include <fmt/format.h>

#include <algorithm>

namespace nrs {
namespace {

constexpr std::string_view kLeafColour = "\x1b[1;36m";
constexpr std::string_view kValueColour = "\x1b[32m";
constexpr std::string_view kUnsureColour = "\x1b[33m";
constexpr std::string_view kPlain = "\x1b[0m";

// Stand-ins for the corners and the line that are drawn below a leaf, one character each.
constexpr char kLeft = '\x01';
constexpr char kLine = '\x02';
constexpr char kRight = '\x03';

std::string_view drawn(const char& c) {
  switch (c) {
    case kLeft:
      return "└";
    case kLine:
      return "─";
    case kRight:
      return "┘";
    default:
      return {&c, 1};
  }
}

// What stands below a leaf: its value on a brace, └─20─┘, or ???? where it was not rewritten. A
// value that does not fit goes into the list below.
bool fits(const Step& step) {
  return step.value.size() + 2 <= step.leaf.size();
}

std::string underline(const Attempt& attempt) {
  const std::size_t size = attempt.step.leaf.size();
  if (!attempt.applied) return std::string(size, '?');
  std::string line(size, kLine);
  line.front() = kLeft;
  line.back() = kRight;
  if (!fits(attempt.step)) return line;
  const std::string& value = attempt.step.value;
  return line.replace((size - value.size()) / 2, value.size(), value);
}

// One formula with its marks, broken into pieces of the given width.
class MarkedFormula {
 public:
  MarkedFormula(std::string_view formula, const Round& round, const TraceStyle& style)
      : formula_(formula), marks_(formula.size(), ' '), kinds_(formula.size(), 0), style_(style) {
    for (const Attempt& attempt : round) {
      const Span leaf = attempt.step.leaf;
      marks_.replace(leaf.begin, leaf.size(), underline(attempt));
      std::fill_n(kinds_.begin() + static_cast<std::ptrdiff_t>(leaf.begin), leaf.size(),
                  static_cast<char>(attempt.applied ? 1 : 2));
    }
  }

  std::string draw(std::string_view label) const {
    const std::string margin(label.size(), ' ');
    std::string out;
    for (std::size_t from = 0; from < formula_.size(); from += style_.width) {
      const std::size_t size = std::min(style_.width, formula_.size() - from);
      out += from == 0 ? std::string(label) : margin;
      append(out, formula_.substr(from, size), from, kLeafColour);
      out += '\n';
      const std::string_view marks = std::string_view(marks_).substr(from, size);
      const std::size_t end = marks.find_last_not_of(' ');
      if (end == std::string_view::npos) continue;
      out += margin;
      append(out, marks.substr(0, end + 1), from, kValueColour);
      out += '\n';
    }
    return out;
  }

 private:
  void append(std::string& out, std::string_view text, std::size_t from,
              std::string_view colour) const {
    char kind = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char now = style_.colour ? kinds_[from + i] : '\0';
      if (now != kind) out += now == 0 ? kPlain : now == 1 ? colour : kUnsureColour;
      out += drawn(text[i]);
      kind = now;
    }
    if (kind != 0) out += kPlain;
  }

  std::string_view formula_;
  std::string marks_;
  std::string kinds_;  // per character: 0 outside, 1 in a rewritten leaf, 2 in one left alone
  TraceStyle style_;
};

std::string ending(const Result& result) {
  const auto number = [](std::size_t n, const char* word) {
    return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
  };
  std::string stop(name_of(result.stop));
  std::replace(stop.begin(), stop.end(), '_', ' ');
  return fmt::format("{}: {} in {}", stop, number(result.steps, "rewrite"),
                     number(result.rounds, "round"));
}

}  // namespace

std::string draw_trace(std::string_view formula, const Result& result, const TraceStyle& style) {
  std::string out;
  std::string current(formula);
  const std::size_t digits = std::to_string(result.rounds).size();
  std::size_t number = 0;
  std::vector<Step> steps;
  for (const Round& round : result.record) {
    out += MarkedFormula(current, round, style).draw(fmt::format("{:>{}}  ", number++, digits));
    steps.clear();
    for (const Attempt& attempt : round) {
      if (!attempt.applied) continue;
      steps.push_back(attempt.step);
      if (!fits(attempt.step)) {
        out += fmt::format("{:>{}}  {} -> {}\n", "", digits, attempt.step.leaf.of(current),
                           attempt.step.value);
      }
    }
    current = combine(current, steps);
  }
  if (result.record.empty() || !steps.empty()) {
    out += MarkedFormula(current, {}, style).draw(fmt::format("{:>{}}  ", number, digits));
  }
  return out + fmt::format("{:>{}}  {}\n", "", digits, ending(result));
}

}  // namespace nrs
