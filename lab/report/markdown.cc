#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "data/csv.h"
#include "report/page.h"

namespace nrs::lab {
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

std::string rows_of(const Table& table) {
  std::string text;
  for (const std::string& name : table.header) text += "| " + cell_text(name) + " ";
  text += "|\n";
  for (std::size_t i = 0; i < table.header.size(); ++i) text += i == 0 ? "|---" : "|---:";
  text += "|\n";
  for (const auto& row : table.rows) {
    for (const Cell& cell : row) text += "| " + cell_text(cell.text) + " ";
    text += "|\n";
  }
  return text;
}

// In lines of at most 100 characters. The program is called as in a clone.
std::string wrapped(const std::string& text, const std::string& indent = "") {
  constexpr std::size_t kColumns = 100;
  std::string wrapped, line;
  std::istringstream words(
      std::regex_replace(cell_text(text), std::regex("(`|; )nrs "), "$1./nrs "));
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > kColumns) {
      wrapped += std::exchange(line, "") + "\n";
    }
    line += (!line.empty() ? " " : wrapped.empty() ? "" : indent) + word;
  }
  return wrapped + line;
}

// With NAME in the place of the model's name, where that is a word of its own or of a path, and no
// domain. Threads change how long it took, and nothing else.
std::string for_any_model(std::string command, const std::string& name) {
  command = std::regex_replace(command, std::regex(" --threads [0-9]+"), "");
  if (name.empty()) return command;
  const auto between = [&](std::size_t at, char last) {
    return at >= command.size() || command[at] == ' ' || command[at] == last;
  };
  for (std::size_t at = command.find(name, 1); at != std::string::npos;
       at = command.find(name, at + 1)) {
    if (between(at - 1, '/') && between(at + name.size(), '.') &&
        !std::string_view(command).substr(0, at).ends_with("--domain ")) {
      command.replace(at, name.size(), "NAME");
    }
  }
  return command;
}

// Commands that differ in the name of the model only are one, behind which the names are.
std::string made_by(const std::vector<Source>& sources) {
  std::map<std::string, std::set<std::string>> names;
  std::set<std::string> machines, programs;
  for (const Source& source : sources) {
    const std::string name = source.recipe.empty() ? source.model : source.recipe;
    names["`" + for_any_model(source.command, name) + "`"].insert(name);
    programs.insert(source.program);
    if (!source.machine.empty()) machines.insert(source.machine);
  }
  if (names.empty()) return "";
  const std::string where = machines.empty() ? ", on a machine that the files do not name"
                                             : fmt::format(" on {}", fmt::join(machines, "; "));
  std::string text = fmt::format(
      "\n{}\n\n", wrapped(fmt::format("Made by {}{}:", fmt::join(programs, ", "), where)));
  for (const auto& [command, all] : names) {
    const bool any = command.find("NAME") != std::string::npos;
    const std::string behind = any ? fmt::format(" `{}`", fmt::join(all, "`, `")) : "";
    text += wrapped("- " + command + behind, "  ") + "\n";
  }
  return text;
}

class MarkdownWriter {
 public:
  void operator()(const Paragraph& paragraph) { text_ += cell_text(paragraph.text) + "\n\n"; }

  void operator()(const Table& table) {
    text_ += rows_of(table);
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

std::string to_tables(const Page& page) {
  std::string text =
      fmt::format("# {}\n\n{}\n", page.tables_title, wrapped(page.tables_introduction));
  for (const Section& section : page.sections) {
    const auto is_table = [](const Block& block) { return std::holds_alternative<Table>(block); };
    if (std::ranges::none_of(section.blocks, is_table)) continue;
    text += fmt::format("\n## {}\n", section.title);
    for (const Block& block : section.blocks) {
      if (const auto* paragraph = std::get_if<Paragraph>(&block)) {
        text += "\n" + wrapped(paragraph->text) + "\n";
      } else if (const auto* table = std::get_if<Table>(&block)) {
        text += "\n" + wrapped(table->caption) + "\n\n" + rows_of(*table);
      }
    }
    text += made_by(section.sources);
  }
  return text;
}

std::string to_csv(const Table& table) {
  std::string text;
  const auto add = [&](const auto& fields, const auto& text_of) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (i > 0) text += ',';
      data::append_csv_field(text, text_of(fields[i]));
    }
    text += '\n';
  };
  add(table.header, [](const std::string& name) { return std::string_view(name); });
  for (const auto& row : table.rows) {
    add(row, [](const Cell& cell) { return std::string_view(cell.text); });
  }
  return text;
}

}  // namespace nrs::lab
