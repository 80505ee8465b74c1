// Plain text: chains with separators, and two columns with a tab between them.
#include <algorithm>
#include <unordered_set>

#include "examples/line_form.h"
#include "examples/separators.h"
#include "nrs/error.h"

namespace nrs::examples {
namespace {

// A form is taken for that of the file if nearly all of its lines have it.
constexpr double kNearlyAll = 0.98;
constexpr std::size_t kFewestToSwap = 10;

bool goes_on(std::string_view part) {
  return part == "..." || part == "…";
}

// A tab that is not just a blank beside an arrow.
std::size_t find_column(std::string_view line) {
  for (std::size_t i = line.find('\t'); i != std::string_view::npos; i = line.find('\t', i + 1)) {
    const std::string_view before = trimmed(line.substr(0, i));
    const std::string_view after = trimmed(line.substr(i));
    const bool at_arrow = before.ends_with("->") || before.ends_with("=>") ||
                          before.ends_with("→") || begins_with_arrow(after);
    if (!before.empty() && !after.empty() && !at_arrow) return i;
  }
  return std::string_view::npos;
}

// Whether lines that begin with "# " are comments: not if the notation has such signs elsewhere.
bool has_comments(Sample sample) {
  return std::none_of(sample.begin(), sample.end(), [](const NumberedLine& line) {
    return trimmed(line.text).find(" # ") != std::string_view::npos;
  });
}

class ChainForm : public LineForm {
 public:
  // Where no line has both, a line may also have the other kind of separator.
  ChainForm(Separators separators, std::optional<Separators> other, bool comments)
      : separators_(separators), other_(other), comments_(comments) {}

  Format format() const override { return Format::kChains; }

  std::optional<Draft> read(std::string_view line, std::uint32_t) const override {
    line = trimmed(line);
    if (line.empty() || (comments_ && looks_like_comment(line))) return std::nullopt;
    if (const std::size_t tab = find_column(line);
        tab != std::string_view::npos && !separators_.apart(line)) {
      return draft_of_pair(std::string(trimmed(line.substr(0, tab))),
                           std::string(trimmed(line.substr(tab))), std::nullopt);
    }
    const bool other = other_ && !separators_.apart(line) && other_->apart(line);
    const Separators& separators = other ? *other_ : separators_;
    std::vector<std::string_view> parts = separators.split(line);
    Draft draft;
    if (parts.size() > 1 && goes_on(parts.back())) {
      draft.example.complete = false;
      parts.pop_back();
    }
    draft.open = parts.size() == 2 && draft.example.complete;
    if (separators.family() == Family::kEquals && draft.open) draft.example.kind = Kind::kAnswer;
    draft.example.formulas.assign(parts.begin(), parts.end());
    return draft;
  }

 private:
  Separators separators_;
  std::optional<Separators> other_;
  bool comments_;
};

class ColumnsForm : public LineForm {
 public:
  explicit ColumnsForm(bool swapped) : swapped_(swapped) {}

  Format format() const override { return Format::kColumns; }

  std::optional<Draft> read(std::string_view line, std::uint32_t) const override {
    if (trimmed(line).empty()) return std::nullopt;
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos || line.find('\t', tab + 1) != std::string_view::npos) {
      throw Error(ErrorKind::kInput, "there are not two columns with a tab between them",
                  "a header line says which columns count, such as question and answer");
    }
    std::string first(trimmed(line.substr(0, tab)));
    std::string second(trimmed(line.substr(tab)));
    if (swapped_) std::swap(first, second);
    return draft_of_pair(std::move(first), std::move(second), std::nullopt);
  }

 private:
  bool swapped_;
};

// Some files have the answer in front, such as the first ones of ListOps: few values, always the
// shorter of the two.
bool answer_in_front(Sample sample) {
  std::unordered_set<std::string_view> first;
  std::unordered_set<std::string_view> second;
  std::size_t rows = 0;
  std::size_t shorter = 0;
  for (const NumberedLine& line : sample) {
    const std::string_view text = trimmed(line.text);
    const std::size_t tab = text.find('\t');
    if (tab == std::string_view::npos) continue;
    ++rows;
    const std::string_view behind = trimmed(text.substr(tab));
    first.insert(trimmed(text.substr(0, tab)));
    second.insert(behind);
    if (trimmed(text.substr(0, tab)).size() < behind.size()) ++shorter;
  }
  return rows >= kFewestToSwap && static_cast<double>(shorter) >= kNearlyAll * double(rows) &&
         first.size() * 5 < second.size();
}

}  // namespace

std::unique_ptr<LineForm> columns_form(Sample sample) {
  std::size_t rows = 0;
  for (const NumberedLine& line : sample) {
    const std::string_view text = trimmed(line.text);
    if (find_column(text) != std::string_view::npos) ++rows;
  }
  const bool columns =
      rows > 0 && static_cast<double>(rows) >= kNearlyAll * static_cast<double>(sample.size());
  return columns ? std::make_unique<ColumnsForm>(answer_in_front(sample)) : nullptr;
}

std::unique_ptr<LineForm> chain_form(Sample sample, bool& single) {
  Separators arrows(Family::kArrows);
  Separators equals(Family::kEquals);
  const bool comments = has_comments(sample);
  bool tabs = false, both = false;
  for (const NumberedLine& line : sample) {
    if (comments && looks_like_comment(line.text)) continue;
    arrows.learn(trimmed(line.text));
    equals.learn(trimmed(line.text));
    tabs = tabs || find_column(line.text) != std::string_view::npos;
    both = both || (arrows.apart(line.text) && equals.apart(line.text));
  }
  single = arrows.score() == 0 && equals.score() == 0 && !tabs;
  const bool by_arrows = arrows.score() >= kNearlyAll * equals.score();
  const std::optional<Separators> other =
      both ? std::nullopt : std::optional(by_arrows ? equals : arrows);
  return std::make_unique<ChainForm>(by_arrows ? arrows : equals, other, comments);
}

}  // namespace nrs::examples
