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
constexpr std::array<int, kErrorClasses.size()> kColours{2, 3, 0, 5};

Cell number_cell(std::uint64_t count) {
  return {show_number(static_cast<double>(count))};
}

// A bar for each model, ours and the paper's, and a row of a table.
struct ErrorChart {
  BarChart chart{};
  Table table{};

  void add(const Scored& model, const PublishedDomain& domain) {
    const Counts counts = model.total(domain.levels);
    if (counts.formulas == 0) return;
    std::vector<Cell> cells{{fmt::format("{}: `{}`", domain.title, model.source.recipe)},
                            number_cell(counts.formulas),
                            accuracy_cell(counts)};
    std::vector<std::optional<double>> shares;
    for (const std::uint64_t errors : counts.errors) {
      cells.push_back(number_cell(errors));
      shares.push_back(static_cast<double>(errors) / static_cast<double>(counts.formulas));
    }
    add_bar({.label = model.source.recipe,
             .note = fmt::format("{} of {}", number_cell(counts.formulas - counts.correct).text,
                                 cells[1].text)},
            shares);
    table.rows.push_back(std::move(cells));
  }

  void add(const PublishedErrors& row, const PublishedDomain& domain) {
    double sum = 0;
    std::vector<Cell> cells{{domain.title + ": published"}, {}, {}};
    for (const auto& share : row.shares) {
      sum += share.value_or(0);
      cells.push_back(published_share(share, row.source));
    }
    add_bar({.label = "published", .note = show_share(sum), .published = true}, row.shares);
    table.rows.push_back(std::move(cells));
  }

  void add_bar(Bar bar, const std::vector<std::optional<double>>& shares) {
    double sum = 0;
    for (std::size_t i = 0; i < kErrorClasses.size(); ++i) {
      if (!shares[i]) continue;
      sum += *shares[i];
      bar.parts.push_back({*shares[i], kColours[i],
                           fmt::format("{}: {}", kErrorClasses[i], show_share(*shares[i]))});
    }
    if (sum > 0) chart.to = std::max(chart.to, round_up(sum));
    chart.bars.push_back(std::move(bar));
  }
};

ErrorChart error_chart(const Results& results, const std::string& system, Section& section) {
  ErrorChart errors{.chart = {.id = "errors-" + system,
                              .title = system,
                              .description = "Share of formulas with errors, by class.",
                              .x_label = "% of all formulas",
                              .to = 0.001,
                              .percent = true},
                    .table = {.id = "errors-" + system,
                              .caption = system + ": formulas without the right answer, by the "
                                                  "class of the first fault.",
                              .header = {"Model", "Formulas", "Right"}}};
  errors.table.header.insert(errors.table.header.end(), kErrorClasses.begin(), kErrorClasses.end());
  for (const PublishedDomain& domain : results.published.domains) {
    errors.chart.bars.push_back({.label = domain.title, .note = "", .heading = true});
    for (const bool multi : {false, true}) {
      for (const Scored& model : scored_models(results.evaluations, domain, multi)) {
        if (system_of(model.source) != system) continue;
        errors.add(model, domain);
        add_sources(section.sources, model.sources);
      }
      for (const PublishedErrors& row : results.published.errors) {
        const bool known = std::ranges::any_of(row.shares, [](auto& share) { return !!share; });
        if (known && row.system == system && row.domain == domain.name && row.multi == multi) {
          errors.add(row, domain);
        }
      }
    }
  }
  return errors;
}

// Wrong answers are what a user pays for; an unsure model should rather give none.
Table answer_table(const Results& results) {
  Table table{.id = "answers",
              .caption =
                  "FastNRS that saw the paper's share of leaves, from the deepest nesting of "
                  "the paper's tests on: how many formulas get a wrong answer, and how many "
                  "none: it stops, for instance at a value below the threshold stored in it.",
              .header = {"Model", "Nesting", "Formulas", "Right", "Wrong answer", "No answer",
                         "Right of answered"}};
  for (const PublishedDomain& domain : results.published.domains) {
    for (const bool multi : {false, true}) {
      for (const Scored& model : scored_models(results.evaluations, domain, multi)) {
        if (label_of(model.source) != "FastNRS, paper data") continue;
        for (const auto& [nesting, counts] : model.levels) {
          if (nesting < domain.levels) continue;
          Counts answered = counts;
          answered.formulas = counts.answered;
          table.rows.push_back({{fmt::format("{}: `{}`", domain.title, model.source.recipe)},
                                {std::to_string(nesting)},
                                number_cell(counts.formulas),
                                number_cell(counts.correct),
                                number_cell(counts.answered - counts.correct),
                                number_cell(counts.formulas - counts.answered),
                                accuracy_cell(answered)});
        }
      }
    }
  }
  return table;
}

}  // namespace

Section error_section(const Results& results) {
  Section section{.id = "errors", .title = "What goes wrong"};
  section.blocks.push_back(
      Paragraph{"Every formula without the right answer is in one class, that of its first wrong "
                "step: `missing` (the Selector wrote a leaf that is not in the formula), "
                "`malformed` (what it selected is no leaf), `solver` (a leaf got a wrong value, or "
                "one that was not sure enough), `other` (none of these)."});
  section.blocks.push_back(answer_table(results));
  Figure figure{.id = "errors-figure",
                .caption =
                    "Formulas without the right answer, as a share of all formulas of the "
                    "paper's test levels, by class; the numbers count them. Pale bars are "
                    "published. No bar: no error."};
  for (std::size_t i = 0; i < kErrorClasses.size(); ++i) {
    figure.legend.push_back({kErrorClasses[i], kColours[i]});
  }
  const ErrorChart charts[] = {error_chart(results, "FastNRS", section),
                               error_chart(results, "NRS", section)};
  for (const ErrorChart& errors : charts) figure.charts.push_back(draw(errors.chart));
  section.blocks.push_back(std::move(figure));
  for (const ErrorChart& errors : charts) section.blocks.push_back(errors.table);
  return section;
}

}  // namespace nrs
