#include "cli/trace_marks.h"

#include <algorithm>

#include "base/text.h"

namespace nrs::cli {

bool fits_below(std::string_view leaf, std::string_view value) {
  return characters(value).size() + 2 <= characters(leaf).size();
}

MarkedFormula::MarkedFormula(std::string_view formula, const Round& round, const TraceStyle& style)
    : style_(style) {
  std::vector<std::size_t> cell_at(formula.size() + 1);  // by offset
  for (const std::string_view character : characters(formula)) {
    cell_at[static_cast<std::size_t>(character.data() - formula.data())] = cells_.size();
    cells_.push_back({.text = character});
  }
  cell_at.back() = cells_.size();
  for (const Attempt& attempt : round) {
    const std::size_t begin = cell_at[attempt.step.leaf.begin];
    const std::size_t end = cell_at[attempt.step.leaf.end];
    mark(std::span(cells_).subspan(begin, end - begin), attempt);
  }
}

void MarkedFormula::mark(std::span<Cell> cells, const Attempt& attempt) const {
  if (attempt.omega) return;
  for (Cell& cell : cells) {
    cell.mark = attempt.applied ? "─" : "?";
    cell.kind = attempt.applied ? Kind::kRewritten : Kind::kLeft;
  }
  if (!attempt.applied) return;
  cells.front().mark = "└";
  cells.back().mark = "┘";
  const std::vector<std::string_view> value = characters(attempt.step.value);
  if (value.size() + 2 > cells.size()) return;
  const std::size_t begin = (cells.size() - value.size()) / 2;
  for (std::size_t i = 0; i < value.size(); ++i) cells[begin + i].mark = value[i];
}

template <class Part>
void MarkedFormula::append(std::string& out, std::span<const Cell> cells,
                           std::string_view rewritten, Part part) const {
  Kind kind = Kind::kUnmarked;
  for (const Cell& cell : cells) {
    const Kind now = style_.colour ? cell.kind : Kind::kUnmarked;
    if (now != kind) {
      out += now == Kind::kUnmarked    ? colours::kPlain
             : now == Kind::kRewritten ? rewritten
                                       : colours::kUnsure;
    }
    out += part(cell);
    kind = now;
  }
  if (kind != Kind::kUnmarked) out += colours::kPlain;
  out += '\n';
}

std::string MarkedFormula::draw(std::string_view label) const {
  const std::string margin(label.size(), ' ');
  std::string out;
  for (std::size_t from = 0; from < cells_.size(); from += style_.width) {
    std::span<const Cell> line = cells_;
    line = line.subspan(from, std::min(style_.width, cells_.size() - from));
    out += from == 0 ? std::string(label) : margin;
    append(out, line, colours::kLeaf, [](const Cell& cell) { return cell.text; });
    while (!line.empty() && line.back().kind == Kind::kUnmarked) line = line.first(line.size() - 1);
    if (line.empty()) continue;
    out += margin;
    append(out, line, colours::kValue, [](const Cell& cell) { return cell.mark; });
  }
  return out;
}

}  // namespace nrs::cli
