#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/charts.h"
#include "report/sections.h"
#include "report/svg.h"
#include "report/systems.h"

namespace nrs {
namespace {

std::string show_seconds(double seconds) {
  if (seconds < 10) return fmt::format("{:.2g} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} m {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} m", whole / 3600, whole / 60 % 60);
}

// One system in one domain, or in all: published or measured.
struct Cost {
  PublishedCost row;
  std::string label;
  std::uint64_t formulas = 0;
  int threads = 0;
  bool published = false;
};

// The time of a run that has formulas of one domain only counts for that domain, else for "multi".
std::string domain_of(const Evaluation& evaluation) {
  std::string domain;
  for (const LevelCounts& level : evaluation.levels) {
    if (!domain.empty() && level.domain != domain) return "multi";
    domain = level.domain;
  }
  return domain;
}

Cost cost_of(const Evaluation& evaluation) {
  const Source& source = evaluation.source;
  Cost cost{.row = {.system = system_of(source),
                    .domain = domain_of(evaluation),
                    .parameters = source.parameters,
                    .seconds = evaluation.seconds,
                    .source = source.machine},
            .label = fmt::format("{}: `{}`", label_of(source),
                                 source.recipe.empty() ? source.model : source.recipe),
            .threads = evaluation.threads};
  for (const LevelCounts& level : evaluation.levels) cost.formulas += level.counts.formulas;
  return cost;
}

std::vector<Cost> costs_in(const Results& results, const std::string& domain) {
  std::vector<Cost> costs;
  for (const Evaluation& evaluation : results.timings) {
    Cost cost = cost_of(evaluation);
    if (cost.row.domain == domain) costs.push_back(std::move(cost));
  }
  std::ranges::stable_sort(costs, {}, [](const Cost& cost) {
    return std::pair(colour_of(cost.row.system), cost.label.find(',') != std::string::npos);
  });
  for (const PublishedCost& row : results.published.cost) {
    if (row.domain != domain) continue;
    costs.push_back({.row = row, .label = row.system + ", published", .published = true});
  }
  return costs;
}

std::vector<Cell> row_of(const std::string& domain, const Cost& cost) {
  const Tone tone = cost.published ? Tone::kPublished : Tone::kPlain;
  const std::string count =
      cost.row.parameters ? show_number(static_cast<double>(*cost.row.parameters)) : "not known";
  return {
      {domain},
      {cost.label, tone},
      {(cost.row.estimated ? "about " : "") + count, tone, cost.row.source},
      {cost.row.seconds ? show_seconds(*cost.row.seconds) : "not published", tone, cost.row.source},
      {cost.published ? "" : show_number(static_cast<double>(cost.formulas))},
      {cost.published ? "" : std::to_string(cost.threads)}};
}

Bar bar_of(const Cost& cost) {
  std::string label = cost.label;
  std::erase(label, '`');
  return {
      .label = label,
      .parts = {{*cost.row.seconds, colour_of(cost.row.system), show_seconds(*cost.row.seconds)}},
      .note = show_seconds(*cost.row.seconds),
      .published = cost.published};
}

}  // namespace

Section cost_section(const Results& results) {
  Section section{.id = "efficiency", .title = "Parameters and time"};
  std::string machines;
  for (const Evaluation& evaluation : results.timings) {
    add_sources(section.sources, {evaluation.source});
    const std::string& machine = evaluation.source.machine;
    if (!machine.empty() && machines.find(machine) == std::string::npos) {
      machines += (machines.empty() ? "" : "; ") + machine;
    }
  }
  section.blocks.push_back(Paragraph{fmt::format(
      "Parameters, and the time for a whole test set: 100 formulas per nesting level, as in the "
      "paper. Here: {}. Published: {}.",
      machines.empty() ? "nothing has been measured yet" : machines, results.published.hardware)});
  Figure figure{
      .id = "time-figure",
      .caption =
          "Seconds for a test set, on a logarithmic scale. Pale bars are published, measured on "
          "other hardware."};
  Table table{.id = "cost",
              .caption = "Parameters and time for a test set.",
              .header = {"Domain", "System", "Parameters", "Time", "Formulas", "Threads"}};
  for (const PublishedDomain& domain : domains_and_all(results.published)) {
    BarChart chart{.id = "time-" + domain.name,
                   .title = domain.title,
                   .description = "Time for a test set in seconds, by system.",
                   .x_label = "seconds",
                   .to = 1e6,
                   .log_from = 0.01};
    for (const Cost& cost : costs_in(results, domain.name)) {
      table.rows.push_back(row_of(domain.title, cost));
      if (cost.row.seconds && *cost.row.seconds > 0) chart.bars.push_back(bar_of(cost));
    }
    if (!chart.bars.empty()) figure.charts.push_back(draw(chart));
  }
  section.blocks.push_back(std::move(figure));
  section.blocks.push_back(std::move(table));
  return section;
}

}  // namespace nrs
