#include <fmt/format.h>

#include "report/page.h"
#include "report/svg.h"
#include "report/texts.h"

namespace nrs::lab {
namespace {

// Escaped, with `code` marked.
std::string inline_html(std::string_view text) {
  std::string html;
  bool code = false;
  while (true) {
    const std::size_t tick = text.find('`');
    html += escape_xml(text.substr(0, tick));
    if (tick == std::string_view::npos) break;
    html += code ? "</code>" : "<code>";
    code = !code;
    text.remove_prefix(tick + 1);
  }
  return code ? html + "</code>" : html;
}

std::string cell_html(const Cell& cell, bool heading) {
  if (heading) return fmt::format("<th scope=\"row\">{}</th>", inline_html(cell.text));
  constexpr const char* kClasses[] = {"", "missing", "published", "best"};  // as Tone has them
  std::string attributes;
  if (cell.tone != Tone::kPlain)
    attributes += fmt::format(" class=\"{}\"", kClasses[static_cast<int>(cell.tone)]);
  if (!cell.hint.empty()) attributes += fmt::format(" title=\"{}\"", escape_xml(cell.hint));
  return fmt::format("<td{}>{}</td>", attributes, inline_html(cell.text));
}

// "Made from 3 result files", each with the command that makes it again.
std::string sources_html(const std::vector<Source>& sources) {
  if (sources.empty()) return "";
  std::string html = fmt::format("<details>\n<summary>Made from {} result file{}</summary>\n<ul>\n",
                                 sources.size(), sources.size() == 1 ? "" : "s");
  for (const Source& source : sources) {
    html += fmt::format("<li><code>{}</code>", escape_xml(source.file));
    if (!source.command.empty())
      html += fmt::format("<br/><code>{}</code>", escape_xml(source.command));
    html += "</li>\n";
  }
  return html + "</ul>\n</details>\n";
}

class HtmlWriter {
 public:
  void operator()(const Paragraph& paragraph) {
    html_ += fmt::format("<p>{}</p>\n", inline_html(paragraph.text));
  }

  void operator()(const Table& table) {
    html_ += fmt::format(
        "<figure id=\"{}\">\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
        "aria-label=\"{}\">\n<table>\n<thead><tr>",
        escape_xml(table.id), escape_xml(table.caption));
    for (const std::string& name : table.header) {
      html_ += fmt::format("<th scope=\"col\">{}</th>", inline_html(name));
    }
    html_ += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
      html_ += "<tr>";
      for (std::size_t i = 0; i < row.size(); ++i) html_ += cell_html(row[i], i == 0);
      html_ += "</tr>\n";
    }
    html_ += fmt::format("</tbody>\n</table>\n</div>\n<figcaption>{}</figcaption>\n</figure>\n",
                         inline_html(table.caption));
  }

  void operator()(const Figure& figure) {
    html_ += fmt::format("<figure id=\"{}\">\n<div class=\"charts\">\n", escape_xml(figure.id));
    for (const std::string& chart : figure.charts) {
      html_ += "<div class=\"card\">\n" + chart + "</div>\n";
    }
    html_ += "</div>\n";
    if (!figure.legend.empty()) {
      html_ += "<ul class=\"legend\">";
      for (const LegendEntry& entry : figure.legend) {
        html_ += fmt::format("<li class=\"c{}\">{}</li>", entry.colour, inline_html(entry.label));
      }
      html_ += "</ul>\n";
    }
    html_ += fmt::format("<figcaption>{}</figcaption>\n</figure>\n", inline_html(figure.caption));
  }

  void operator()(const WorkedDerivation& derivation) {
    html_ +=
        fmt::format("<figure id=\"{}\">\n<ol class=\"derivation\">\n", escape_xml(derivation.id));
    std::vector<TraceStep> came;  // where the values of the round before stand now
    for (std::size_t i = 0; i < derivation.rounds.size(); ++i) {
      html_ += fmt::format("<li><span class=\"round\">{}</span><code>{}</code></li>\n", i,
                           marked(derivation.rounds[i], came));
      came = values_in_next(derivation.rounds[i]);
    }
    html_ += fmt::format("</ol>\n<figcaption>{}</figcaption>\n</figure>\n",
                         inline_html(derivation.caption));
  }

  std::string finish() && { return std::move(html_); }

 private:
  // The spans that the values of these steps take in the formula of the next round.
  static std::vector<TraceStep> values_in_next(const TraceRound& round) {
    std::vector<TraceStep> values;
    std::ptrdiff_t shift = 0;
    for (const TraceStep& step : round.steps) {
      const auto begin = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(step.begin) + shift);
      values.push_back({begin, begin + step.value.size(), step.value});
      shift += static_cast<std::ptrdiff_t>(step.value.size()) -
               static_cast<std::ptrdiff_t>(step.end - step.begin);
    }
    return values;
  }

  // A value that has just come in and stands outside of every leaf is marked too.
  static std::string marked(const TraceRound& round, const std::vector<TraceStep>& came) {
    std::string html;
    std::size_t at = 0;
    const auto plain = [&](std::size_t to) {
      for (const TraceStep& value : came) {
        if (value.begin < at || value.end > to) continue;
        html += escape_xml(std::string_view(round.formula).substr(at, value.begin - at));
        html += fmt::format("<mark class=\"value\">{}</mark>", escape_xml(value.value));
        at = value.end;
      }
      html += escape_xml(std::string_view(round.formula).substr(at, to - at));
      at = to;
    };
    for (const TraceStep& step : round.steps) {
      plain(step.begin);
      html += fmt::format(
          "<mark title=\"becomes {}\">{}</mark>", escape_xml(step.value),
          escape_xml(std::string_view(round.formula).substr(step.begin, step.end - step.begin)));
      at = step.end;
    }
    plain(round.formula.size());
    return html;
  }

  std::string html_;
};

}  // namespace

std::string to_html(const Page& page) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n<header>\n<h1>{}</h1>\n<p>{}</p>\n"
      "</header>\n<nav aria-label=\"Sections\"><ul>\n",
      escape_xml(page.title), report_texts::kChartStyle, report_texts::kPageStyle,
      escape_xml(page.title), inline_html(page.introduction));
  for (const Section& section : page.sections) {
    html += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", escape_xml(section.id),
                        escape_xml(section.title));
  }
  html += "</ul></nav>\n<main>\n";
  for (const Section& section : page.sections) {
    html += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n", escape_xml(section.id),
                        escape_xml(section.title));
    HtmlWriter writer;
    for (const Block& block : section.blocks) std::visit(writer, block);
    html += std::move(writer).finish() + sources_html(section.sources) + "</section>\n";
  }
  return html +
         "</main>\n<footer><p>Made by <code>nrs report</code> from result files alone; nothing was "
         "measured while it was drawn.</p></footer>\n</body>\n</html>\n";
}

std::string to_svg_file(const std::string& chart) {
  const std::size_t end = chart.find('>') + 1;
  return fmt::format("{}\n<style>{}</style>\n{}", chart.substr(0, end), report_texts::kChartStyle,
                     chart.substr(end));
}

}  // namespace nrs::lab
