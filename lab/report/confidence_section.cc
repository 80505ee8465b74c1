#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/charts.h"
#include "report/sections.h"
#include "report/svg.h"
#include "report/systems.h"

namespace nrs {
namespace {

// Single lengths have few formulas each: neighbours are taken together.
constexpr double kLengthBins = 24;

ChartLine line_of(const ConfidenceStudy& study, const DomainConfidence& domain) {
  ChartLine line{.label = label_of(study.source) + (is_multi(study.source) ? ", multi" : ""),
                 .colour = colour_of(system_of(study.source)),
                 .stroke = is_multi(study.source) ? Stroke::kDashed : Stroke::kSolid,
                 .markers = false};
  double longest = 1;
  for (const ConfidenceAtLength& row : domain.selector) longest = std::max(longest, row.characters);
  struct Sum {
    double formulas = 0, characters = 0, confidence = 0;
  };
  std::map<int, Sum> bins;
  for (const ConfidenceAtLength& row : domain.selector) {
    Sum& sum = bins[static_cast<int>(row.characters / longest * kLengthBins)];
    sum.formulas += row.formulas;
    sum.characters += row.formulas * row.characters;
    sum.confidence += row.formulas * row.confidence;
  }
  for (const auto& [bin, sum] : bins) {
    if (sum.formulas <= 0) continue;
    line.points.push_back({sum.characters / sum.formulas, 1 - sum.confidence / sum.formulas});
  }
  return line;
}

std::string selector_chart(const Results& results, const PublishedDomain& domain) {
  LineChart chart{.id = "selector-confidence-" + domain.name,
                  .title = domain.title,
                  .description = "How unsure the Selector is on average, by length of the formula.",
                  .x_label = "characters",
                  .log_y = true,
                  .flat = "below 0.0001 %"};
  for (const ConfidenceStudy& study : results.confidence) {
    for (const DomainConfidence& part : study.domains) {
      if (part.domain != domain.name || part.selector.empty()) continue;
      ChartLine line = line_of(study, part);
      // Two models of one kind are told apart by their names.
      if (std::ranges::find(chart.lines, line.label, &ChartLine::label) != chart.lines.end()) {
        line.label = study.source.recipe;
        line.stroke = Stroke::kDotted;
      }
      chart.lines.push_back(std::move(line));
      if (part.longest_trained) {
        chart.trained_to = std::max(chart.trained_to.value_or(0), *part.longest_trained);
      }
    }
  }
  return chart.lines.empty() ? "" : draw(chart);
}

std::string solver_chart(const ConfidenceStudy& study, const DomainConfidence& part,
                         const std::string& title) {
  Histogram chart{
      .id = fmt::format("solver-confidence-{}-{}", study.source.recipe, part.domain),
      .title = fmt::format("{}: {}", title, study.source.recipe),
      .description = fmt::format(
          "Leaves by the joint log-probability of their value; {} of {} below the threshold.",
          part.unsure, part.leaves),
      .x_label = "joint log-probability of the value",
      .from = std::min(part.least_log_prob, -1e-6),
      .to = 0,
      .mark = study.threshold,
      .mark_label = fmt::format("threshold {:.3g}", study.threshold),
      .colour = colour_of(system_of(study.source))};
  for (const std::uint64_t count : part.solver) chart.counts.push_back(static_cast<double>(count));
  return draw(chart);
}

}  // namespace

Section confidence_section(const Results& results) {
  Section section{.id = "confidence", .title = "How sure the modules are"};
  if (results.confidence.empty()) return section;
  Figure selectors{
      .id = "selector-confidence",
      .caption =
          "Selector: how much the mean joint probability of what it selects lacks to 100 %, by "
          "length of the formula, on a logarithmic scale: lower is surer. The shaded lengths are "
          "those of training formulas. The paper applies its windows from the length on at which "
          "the probability falls."};
  Figure solvers{
      .id = "solver-confidence",
      .caption =
          "Solver: how many leaves have a value of which joint log-probability (counts on a "
          "logarithmic scale), on the leaves of the training. Values below the threshold "
          "are not used."};
  for (const PublishedDomain& domain : results.published.domains) {
    std::string chart = selector_chart(results, domain);
    if (!chart.empty()) selectors.charts.push_back(std::move(chart));
    for (const ConfidenceStudy& study : results.confidence) {
      // The NRS has the Solver of the FastNRS.
      if (study.source.engine == "nrs") continue;
      for (const DomainConfidence& part : study.domains) {
        if (part.domain == domain.name && !part.solver.empty()) {
          solvers.charts.push_back(solver_chart(study, part, domain.title));
        }
      }
    }
  }
  for (const ConfidenceStudy& study : results.confidence)
    add_sources(section.sources, {study.source});
  section.blocks.push_back(std::move(selectors));
  section.blocks.push_back(std::move(solvers));
  return section;
}

}  // namespace nrs
