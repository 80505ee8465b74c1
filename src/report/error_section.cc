#include <fmt/format.h>

#include <algorithm>

#include "report/charts.h"
#include "report/scale.h"
#include "report/sections.h"
#include "report/svg.h"
#include "report/systems.h"

namespace nrs {
namespace {

// Colours that no system has would be too alike; classes are in other figures than systems.
constexpr std::array<int, 4> kColours{2, 3, 0, 5};

class ErrorChart {
 public:
  ErrorChart(const Results& results, const std::string& system)
      : results_(results),
        chart_{.id = "errors-" + system,
               .title = system,
               .description = "Share of formulas with errors, by class.",
               .x_label = "% of all formulas",
               .to = 0.01,
               .percent = true},
        table_{.id = "errors-" + system,
               .caption =
                   system + ": formulas without the right answer, by the class of the first fault.",
               .header = {"Model", "Formulas", "Right"}} {
    for (const char* name : kErrorClasses) table_.header.emplace_back(name);
    for (const PublishedDomain& domain : results.published.domains) add(system, domain);
    double most = 0.001;
    for (const Bar& bar : chart_.bars) {
      double sum = 0;
      for (const BarPart& part : bar.parts) sum += part.value;
      most = std::max(most, sum);
    }
    chart_.to = round_up(most);
  }

  std::string chart() const { return draw(chart_); }
  const Table& table() const { return table_; }
  const std::vector<Source>& sources() const { return sources_; }

 private:
  void add(const std::string& system, const PublishedDomain& domain) {
    chart_.bars.push_back({.label = domain.title, .note = "", .heading = true});
    for (const bool multi : {false, true}) {
      for (const Scored& model : scored_models(results_.evaluations, domain, multi)) {
        if (system_of(model.source) == system) add(model, domain);
      }
      for (const PublishedErrors& row : results_.published.errors) {
        if (row.system == system && row.domain == domain.name && row.multi == multi) {
          add(row, domain);
        }
      }
    }
  }

  void add(const Scored& model, const PublishedDomain& domain) {
    const Counts counts = model.total(domain.levels);
    if (counts.formulas == 0) return;
    add_sources(sources_, model.sources);
    const double all = static_cast<double>(counts.formulas);
    Bar bar{.label = model.source.recipe, .note = ""};
    std::vector<Cell> cells{{fmt::format("{}: `{}`", domain.title, model.source.recipe)},
                            {show_number(all)},
                            {show_share(static_cast<double>(counts.correct) / all),
                             counts.correct == counts.formulas ? Tone::kBest : Tone::kPlain}};
    for (std::size_t i = 0; i < kErrorClasses.size(); ++i) {
      const double part = static_cast<double>(counts.errors[i]);
      bar.parts.push_back(
          {part / all, kColours[i],
           fmt::format("{}: {} of {}", kErrorClasses[i], show_number(part), show_number(all))});
      cells.push_back({show_number(part)});
    }
    bar.note = fmt::format("{} of {}", show_number(all - static_cast<double>(counts.correct)),
                           show_number(all));
    chart_.bars.push_back(std::move(bar));
    table_.rows.push_back(std::move(cells));
  }

  void add(const PublishedErrors& row, const PublishedDomain& domain) {
    const std::string name = row.multi ? "published, multi-domain" : "published";
    Bar bar{.label = name, .note = "not published as numbers", .published = true};
    std::vector<Cell> cells{
        {fmt::format("{}: {}", domain.title, name)}, {"", Tone::kMissing}, {"", Tone::kMissing}};
    double sum = 0;
    for (std::size_t i = 0; i < row.shares.size(); ++i) {
      const bool known = row.shares[i].has_value();
      cells.push_back({known ? show_share(*row.shares[i]) : "not published",
                       known ? Tone::kPublished : Tone::kMissing, row.source});
      if (!known) continue;
      sum += *row.shares[i];
      bar.parts.push_back({*row.shares[i], kColours[i],
                           fmt::format("{}: {}", kErrorClasses[i], show_share(*row.shares[i]))});
    }
    if (!bar.parts.empty()) {
      bar.note = show_share(sum);
      chart_.bars.push_back(std::move(bar));
      table_.rows.push_back(std::move(cells));
    }
  }

  const Results& results_;
  BarChart chart_;
  Table table_;
  std::vector<Source> sources_;
};

}  // namespace

Section error_section(const Results& results) {
  Section section{.id = "errors", .title = "What goes wrong"};
  section.blocks.push_back(Paragraph{
      "Every formula without the right answer is in one class, that of its first wrong step: "
      "`missing` (the "
      "Selector wrote a leaf that is not in the formula), `malformed` (what it selected is no "
      "leaf), `solver` "
      "(a leaf got a wrong value, or one that was not sure enough), `other` (none of these)."});
  Figure figure{
      .id = "errors-figure",
      .caption =
          "Formulas without the right answer, as a share of all formulas of the paper's test "
          "levels, by class; the numbers count them. Pale bars are published. No bar: "
          "no error."};
  for (std::size_t i = 0; i < kErrorClasses.size(); ++i) {
    figure.legend.push_back({kErrorClasses[i], kColours[i]});
  }
  std::vector<Table> tables;
  for (const char* system : {"FastNRS", "NRS"}) {
    const ErrorChart chart(results, system);
    figure.charts.push_back(chart.chart());
    tables.push_back(chart.table());
    add_sources(section.sources, chart.sources());
  }
  section.blocks.push_back(std::move(figure));
  for (Table& table : tables) section.blocks.push_back(std::move(table));
  return section;
}

}  // namespace nrs
