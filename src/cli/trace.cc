#include "cli/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "base/text.h"

namespace nrs::cli {
namespace {

struct Colours {
  std::string_view leaf, value, unsure, faint, plain;
};
constexpr Colours kColours{.leaf = "\x1b[1;36m",
                           .value = "\x1b[32m",
                           .unsure = "\x1b[33m",
                           .faint = "\x1b[2m",
                           .plain = "\x1b[0m"};
constexpr Colours kNoColours{};

const Colours& colours_of(const TraceStyle& style) {
  return style.colour ? kColours : kNoColours;
}

// Whether the value has room on the brace below its leaf, └─20─┘.
bool fits_below(std::string_view leaf, std::string_view value) {
  return characters(value).size() + 2 <= characters(leaf).size();
}

// One character of a formula, and what stands below it.
struct Cell {
  enum class Kind { kUnmarked, kRewritten, kLeft };

  std::string_view text;
  std::string_view mark = " ";
  Kind kind = Kind::kUnmarked;
};

// Below a leaf stands its value on a brace, or ???? where it was not rewritten. Omega has no mark.
void mark_leaf(std::span<Cell> cells, const Attempt& attempt) {
  if (attempt.omega) return;
  for (Cell& cell : cells) {
    cell.mark = attempt.applied ? "─" : "?";
    cell.kind = attempt.applied ? Cell::Kind::kRewritten : Cell::Kind::kLeft;
  }
  if (!attempt.applied) return;
  cells.front().mark = "└";
  cells.back().mark = "┘";
  const std::vector<std::string_view> value = characters(attempt.step.value);
  if (value.size() + 2 > cells.size()) return;
  const std::size_t begin = (cells.size() - value.size()) / 2;
  for (std::size_t i = 0; i < value.size(); ++i) cells[begin + i].mark = value[i];
}

std::vector<Cell> marked_cells(std::string_view formula, const Round& round) {
  std::vector<Cell> cells;
  std::vector<std::size_t> cell_at(formula.size() + 1);  // by offset
  for (const std::string_view character : characters(formula)) {
    cell_at[static_cast<std::size_t>(character.data() - formula.data())] = cells.size();
    cells.push_back({.text = character});
  }
  cell_at.back() = cells.size();
  for (const Attempt& attempt : round) {
    const std::size_t begin = cell_at[attempt.step.leaf.begin];
    mark_leaf(std::span(cells).subspan(begin, cell_at[attempt.step.leaf.end] - begin), attempt);
  }
  return cells;
}

// A line of one part of each cell. `codes` are the colours of the kinds.
std::string draw_line(std::span<const Cell> cells, std::string_view Cell::*part,
                      const std::array<std::string_view, 3>& codes) {
  std::string out;
  Cell::Kind kind = Cell::Kind::kUnmarked;
  for (const Cell& cell : cells) {
    if (cell.kind != kind) out += codes[static_cast<std::size_t>(cell.kind)];
    kind = cell.kind;
    out += cell.*part;
  }
  if (kind != Cell::Kind::kUnmarked) out += codes.front();
  return out + '\n';
}

// A formula with its leaves marked, as one or more pairs of lines. The first begins with the label,
// the others are set in as far.
std::string draw_formula(std::string_view label, std::string_view formula, const Round& round,
                         const TraceStyle& style) {
  const Colours& colours = colours_of(style);
  const std::string margin(label.size(), ' ');
  std::string out;
  const std::vector<Cell> cells = marked_cells(formula, round);
  for (std::size_t from = 0; from < cells.size(); from += style.width) {
    std::span<const Cell> line(cells);
    line = line.subspan(from, std::min(style.width, cells.size() - from));
    out += from == 0 ? std::string(label) : margin;
    out += draw_line(line, &Cell::text, {colours.plain, colours.leaf, colours.unsure});
    while (!line.empty() && line.back().kind == Cell::Kind::kUnmarked) {
      line = line.first(line.size() - 1);
    }
    if (line.empty()) continue;
    out += margin + draw_line(line, &Cell::mark, {colours.plain, colours.value, colours.unsure});
  }
  return out;
}

std::string ending(const Result& result) {
  const auto number = [](std::size_t n, const char* word) {
    return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
  };
  std::string stop(name_of(result.stop));
  std::replace(stop.begin(), stop.end(), '_', ' ');
  return fmt::format("{}: {} in {}", stop, number(result.steps, "rewrite"),
                     number(result.rounds, "round"));
}

// A log-probability with as many digits as one can use.
std::string show_log_prob(double log_prob) {
  return log_prob > -10 ? fmt::format("{:.4f}", log_prob) : fmt::format("{:.0f}", log_prob);
}

// The same leaf has the same value wherever it stands, so that it is listed once in a round, unless
// the Selector is surer of it here than there.
struct Row {
  std::string_view leaf;
  const Attempt* attempt;
  std::size_t count;
};

// Leaves with what the modules say of them, a line for each.
class LeafTable {
 public:
  LeafTable(std::string_view formula, const Result& result, const TraceStyle& style)
      : result_(result), colours_(colours_of(style)), threshold_(*style.threshold) {
    const std::vector<std::string> formulas = replay(formula, result.record);
    for (std::size_t i = 0; i < result.record.size(); ++i) {
      for (const Attempt& attempt : result.record[i]) {
        const std::string_view leaf =
            attempt.step.leaf.of(formulas[std::min(i, formulas.size() - 1)]);
        leaf_width_ = std::max(leaf_width_, characters(leaf).size());
        value_width_ = std::max(value_width_, characters(attempt.step.value).size());
      }
    }
    leaf_width_ = std::min(leaf_width_, kWidest);
    value_width_ = std::min(value_width_, kWidest);
  }

  std::string heading() const {
    return fmt::format("{}{:<{}}  {:>8}    {:<{}}  {:>8}{}\n", colours_.faint, "leaf", leaf_width_,
                       "Selector", "value", value_width_, "Solver", colours_.plain);
  }

  // `last`: of the last round of a run.
  std::string line(const Row& row, bool last) const {
    const Attempt& attempt = *row.attempt;
    const bool final = last && result_.ok();
    const bool sure = attempt.solver_log_prob >= threshold_;
    std::string text =
        fmt::format("{:<{}}  {:>8}  {}→{} {:<{}}  {:>8} {} {}  {}{}{}", row.leaf, leaf_width_,
                    selector_said(attempt), colours_.faint, colours_.plain,
                    attempt.omega ? "ω" : attempt.step.value, value_width_,
                    solver_said(attempt, sure), sure ? "≥" : "<", show_log_prob(threshold_),
                    attempt.applied || final ? colours_.value : colours_.unsure,
                    outcome(attempt, final), colours_.plain);
    return text + (row.count > 1 ? fmt::format(" {} times\n", row.count) : "\n");
  }

 private:
  static constexpr std::size_t kWidest = 40;

  // A table knows only on which side of the threshold the Solver was, and automata are always sure.
  static std::string selector_said(const Attempt& attempt) {
    const bool automata =
        attempt.origin.source == ValueSource::kTable && attempt.selector_log_prob == 0;
    return automata ? "table" : show_log_prob(attempt.selector_log_prob);
  }
  static std::string solver_said(const Attempt& attempt, bool sure) {
    if (attempt.origin.source != ValueSource::kTable) return show_log_prob(attempt.solver_log_prob);
    return sure ? "sure" : "unsure";
  }

  std::string_view outcome(const Attempt& attempt, bool final) const {
    if (attempt.applied) return "used";
    if (!attempt.known) return "not taught";
    if (attempt.solver_log_prob < threshold_) return "not sure, not used";
    if (attempt.omega) return final ? "final" : "only a part, not used";
    return "not used";
  }

  const Result& result_;
  const Colours& colours_;
  double threshold_;
  std::size_t leaf_width_ = 4;
  std::size_t value_width_ = 5;
};

std::vector<Row> rows_of(std::string_view formula, const Round& round) {
  std::vector<Row> rows;
  std::map<std::tuple<std::string_view, std::string, bool>, std::size_t> known;
  for (const Attempt& attempt : round) {
    const std::string_view leaf = attempt.step.leaf.of(formula);
    const auto [row, is_new] = known.try_emplace(
        {leaf, show_log_prob(attempt.selector_log_prob), attempt.applied}, rows.size());
    if (is_new) rows.push_back({leaf, &attempt, 0});
    ++rows[row->second].count;
  }
  return rows;
}

// What a Selector wrote, best first, with its confidence and agreement.
std::string show_candidates(const std::vector<LeafCandidate>& candidates,
                            const std::string& margin) {
  constexpr std::size_t kMost = 5;
  std::string out;
  for (std::size_t i = 0; i < std::min(kMost, candidates.size()); ++i) {
    const LeafCandidate& one = candidates[i];
    out += fmt::format("{}  wrote {}  {:>8}  agreement {:.2f}  {} sample{}\n", margin, one.text,
                       show_log_prob(one.log_prob), one.agreement, one.samples,
                       one.samples == 1 ? "" : "s");
  }
  if (candidates.size() > kMost) {
    out += fmt::format("{}  and {} more\n", margin, candidates.size() - kMost);
  }
  return out;
}

// Values that have no room below their leaf.
std::string long_values(std::string_view formula, const Round& round, const std::string& margin) {
  std::string out;
  for (const Attempt& attempt : round) {
    const std::string_view leaf = attempt.step.leaf.of(formula);
    if (!attempt.applied || fits_below(leaf, attempt.step.value)) continue;
    out += fmt::format("{}{} -> {}\n", margin, leaf, attempt.step.value);
  }
  return out;
}

// What a step came from: its rule, and what had to be looked up or computed for it.
std::string show_origin(const Attempt& attempt, const TraceStyle& style) {
  const Origin& origin = attempt.origin;
  if (origin.source == ValueSource::kTable) return origin.rule + " (table)";
  if (origin.source != ValueSource::kNetwork) return origin.rule;
  if (!attempt.known) return origin.rule + " (not taught)";
  const double threshold = style.threshold.value_or(0);
  return fmt::format("{} (Solver, {} {} {})", origin.rule, show_log_prob(attempt.solver_log_prob),
                     attempt.solver_log_prob >= threshold ? "≥" : "<", show_log_prob(threshold));
}

bool names_rules(const Result& result) {
  return std::ranges::any_of(result.record, [](const Round& round) {
    return !round.empty() && !round.front().origin.rule.empty();
  });
}

// Each term on a line, with the rule that led to it.
std::string draw_steps(std::string_view formula, const Result& result, const TraceStyle& style) {
  const std::vector<std::string> formulas = replay(formula, result.record);
  std::string out = formulas.front() + "\n";
  for (std::size_t i = 0; i < result.record.size(); ++i) {
    const Attempt& attempt = result.record[i].front();
    const std::string origin = show_origin(attempt, style);
    out +=
        attempt.applied
            ? fmt::format("-> {}    by {}\n", formulas[i + 1], origin)
            : fmt::format("not rewritten: {}    by {}\n",
                          attempt.step.leaf.of(formulas[std::min(i, formulas.size() - 1)]), origin);
  }
  return result.ok() ? out : out + fmt::format("stopped: {}\n", name_of(result.stop));
}

}  // namespace

std::string draw_trace(std::string_view formula, const Result& result, const TraceStyle& style) {
  if (names_rules(result)) return draw_steps(formula, result, style);
  std::optional<LeafTable> table;
  if (style.threshold) table.emplace(formula, result, style);
  const std::vector<std::string> formulas = replay(formula, result.record);
  const std::size_t digits = std::to_string(result.rounds).size();
  const std::string margin(digits + 2, ' ');
  const Round nothing;
  std::string out;
  for (std::size_t i = 0; i < std::max(formulas.size(), result.record.size()); ++i) {
    const bool last = i + 1 >= result.record.size();
    const Round& round = i < result.record.size() ? result.record[i] : nothing;
    const std::string& current = formulas[std::min(i, formulas.size() - 1)];
    out += draw_formula(fmt::format("{:>{}}  ", i, digits), current, round, style);
    if (!table) {
      out += long_values(current, round, margin);
      continue;
    }
    if (i == 0 && !round.empty()) out += margin + "  " + table->heading();
    for (const Row& row : rows_of(current, round)) {
      out += margin + "  " + table->line(row, last);
      // One that was written alone is the leaf itself.
      const std::vector<LeafCandidate>& written = row.attempt->candidates;
      if (written.size() > 1) out += show_candidates(written, margin);
    }
  }
  out += show_candidates(result.rejected, margin);
  return out + margin + ending(result) + "\n";
}

}  // namespace nrs::cli
