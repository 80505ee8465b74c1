#include "examples/line_numbers.h"

#include <array>
#include <charconv>

#include "examples/separators.h"
#include "nrs/error.h"

namespace nrs::examples {
namespace {

constexpr std::size_t kFewest = 3;  // numbered lines
constexpr std::array<LineNumbers, 8> kWays{
    {{"", "."}, {"", ")"}, {"", ":"}, {"#", ""}, {"(", ")"}, {"[", "]"}, {"", "\t"}, {"", ","}}};

bool is_column(const LineNumbers& way) {
  return way.behind == "\t" || way.behind == ",";
}

// Whether something is left to learn from: -> c is no formula, and neither is = c.
bool may_begin(std::string_view rest) {
  return !rest.empty() && !begins_with_arrow(rest) && !rest.starts_with('=');
}

bool has_separator(std::string_view rest) {
  return rest.find('\t') != std::string_view::npos || !find_cuts(rest, Family::kArrows).empty() ||
         !find_cuts(rest, Family::kEquals).empty();
}

bool numbers(const LineNumbers& way, Sample sample) {
  std::size_t lines = 0;
  bool separated = false;
  std::uint64_t before = 0;
  for (const NumberedLine& line : sample) {
    if (looks_like_comment(line.text)) continue;
    std::uint64_t number = 0;
    const std::optional<std::string_view> rest = way.without(line.text, number);
    if (!rest || !may_begin(*rest) || (lines > 0 && number != before + 1)) return false;
    before = number;
    ++lines;
    separated = separated || has_separator(*rest);
  }
  return lines >= kFewest && separated;
}

class NumberedForm : public LineForm {
 public:
  NumberedForm(LineNumbers numbers, std::unique_ptr<LineForm> form)
      : numbers_(numbers), form_(std::move(form)) {}

  Format format() const override { return form_->format(); }

  std::optional<Draft> read(std::string_view line, std::uint32_t number) const override {
    if (trimmed(line).empty() || looks_like_comment(line)) return std::nullopt;
    std::uint64_t ignored = 0;
    const std::optional<std::string_view> rest = numbers_.without(line, ignored);
    if (!rest) {
      throw Error(ErrorKind::kInput, "the number is missing with which the first lines begin",
                  "number every line, or none");
    }
    return form_->read(*rest, number);
  }

 private:
  LineNumbers numbers_;
  std::unique_ptr<LineForm> form_;
};

}  // namespace

std::optional<std::string_view> LineNumbers::without(std::string_view line,
                                                     std::uint64_t& number) const {
  line = trimmed(line);
  if (!line.starts_with(before)) return std::nullopt;
  line.remove_prefix(before.size());
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc()) return std::nullopt;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  if (!line.starts_with(behind)) return std::nullopt;
  line.remove_prefix(behind.size());
  // 1.5 is a number, and (1)(2) a formula; a column ends where it ends.
  const bool apart = line.starts_with(' ') || line.starts_with('\t');
  if (!apart && !is_column(*this)) return std::nullopt;
  return trimmed(line);
}

std::optional<LineNumbers> line_numbers(Sample sample) {
  for (const LineNumbers& way : kWays) {
    if (numbers(way, sample)) return way;
  }
  return std::nullopt;
}

std::vector<NumberedLine> without_numbers(Sample sample, const LineNumbers& numbers) {
  std::vector<NumberedLine> lines;
  for (const NumberedLine& line : sample) {
    std::uint64_t ignored = 0;
    const auto rest = numbers.without(line.text, ignored);
    if (rest) lines.push_back({line.number, std::string(*rest)});
  }
  return lines;
}

std::unique_ptr<LineForm> numbered_form(LineNumbers numbers, std::unique_ptr<LineForm> form) {
  return std::make_unique<NumberedForm>(numbers, std::move(form));
}

}  // namespace nrs::examples
