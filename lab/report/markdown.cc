#include <fmt/format.h>

#include "data/csv.h"
#include "report/page.h"

namespace nrs {
namespace {

// A cell must not end early, and no text is taken for HTML.
std::string cell_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') {
      escaped += "\\|";
    } else if (c == '<') {
      escaped += "&lt;";
    } else {
      escaped += c == '\n' ? ' ' : c;
    }
  }
  return escaped;
}

class MarkdownWriter {
 public:
  void operator()(const Paragraph& paragraph) { text_ += cell_text(paragraph.text) + "\n\n"; }

  void operator()(const Table& table) {
    for (const std::string& name : table.header) text_ += "| " + cell_text(name) + " ";
    text_ += "|\n";
    for (std::size_t i = 0; i < table.header.size(); ++i) text_ += i == 0 ? "|---" : "|---:";
    text_ += "|\n";
    for (const auto& row : table.rows) {
      for (const Cell& cell : row) text_ += "| " + cell_text(cell.text) + " ";
      text_ += "|\n";
    }
    text_ += fmt::format("\n{} [CSV]({}.csv)\n\n", cell_text(table.caption), table.id);
  }

  void operator()(const Figure& figure) {
    for (std::size_t i = 0; i < figure.charts.size(); ++i) {
      text_ +=
          fmt::format("![{}, part {}](figures/{}-{}.svg)\n", figure.id, i + 1, figure.id, i + 1);
    }
    text_ += "\n" + cell_text(figure.caption) + "\n\n";
  }

  void operator()(const WorkedDerivation& derivation) {
    text_ += "```text\n";
    for (const TraceRound& round : derivation.rounds) {
      text_ += round.formula + "\n";
      std::string marks(round.formula.size(), ' ');
      for (const TraceStep& step : round.steps) {
        marks.replace(step.begin, step.end - step.begin, step.end - step.begin, '^');
      }
      if (!round.steps.empty()) text_ += marks.substr(0, marks.find_last_of('^') + 1) + "\n";
    }
    text_ += "```\n\n" + cell_text(derivation.caption) + "\n\n";
  }

  std::string finish() && { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

std::string to_markdown(const Page& page) {
  std::string text = fmt::format("# {}\n\n{}\n\n", page.title, cell_text(page.introduction));
  for (const Section& section : page.sections) {
    text += fmt::format("## {}\n\n", section.title);
    MarkdownWriter writer;
    for (const Block& block : section.blocks) std::visit(writer, block);
    text += std::move(writer).finish();
    if (section.sources.empty()) continue;
    text += "Made from:\n\n";
    for (const Source& source : section.sources) {
      text += fmt::format("- `{}`{}\n", source.file,
                          source.command.empty() ? "" : ": `" + source.command + "`");
    }
    text += "\n";
  }
  return text;
}

std::string to_csv(const Table& table) {
  std::string text;
  const auto add = [&](const auto& fields, const auto& text_of) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (i > 0) text += ',';
      append_csv_field(text, text_of(fields[i]));
    }
    text += '\n';
  };
  add(table.header, [](const std::string& name) { return std::string_view(name); });
  for (const auto& row : table.rows) {
    add(row, [](const Cell& cell) { return std::string_view(cell.text); });
  }
  return text;
}

}  // namespace nrs
