#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/charts.h"
#include "report/sections.h"
#include "report/svg.h"
#include "report/systems.h"

namespace nrs {
namespace {

// A run that ends much earlier than another is seen only if steps are drawn by their logarithm.
constexpr double kMuchLonger = 6;
constexpr int kPaler = 6;  // of the palette

// Wrong validation examples by step: deeper formulas or unseen leaves, and those of the training.
std::vector<ChartLine> lines_of(const Source& source, const TrainedModule& module) {
  const std::string system = system_of(source);
  // Two shades of what most runs are of.
  const bool paler = system == "FastNRS" && variant_of(source) != Variant::kEveryLeaf;
  const int colour = paler ? kPaler : colour_of(system);
  std::vector<ChartLine> lines{{.label = label_of(source), .colour = colour, .markers = false},
                               {.colour = colour, .stroke = Stroke::kDotted, .markers = false}};
  for (const TrainingPoint& point : module.points) {
    if (point.beyond) lines[0].points.push_back({point.step, 1 - *point.beyond});
    if (point.known) lines[1].points.push_back({point.step, 1 - *point.known});
  }
  std::erase_if(lines, [](const ChartLine& line) { return line.points.empty(); });
  return lines;
}

LineChart chart_of(const Results& results, const std::string& module, const PublishedDomain& domain,
                   std::vector<Source>& sources) {
  LineChart chart{.id = fmt::format("training-{}-{}", module, domain.name),
                  .title = domain.title,
                  .description = "Share of validation examples that are wrong, by step.",
                  .x_label = "step",
                  .log_y = true,
                  .flat = "no error from the first validation on"};
  double first = INFINITY, last = 0;
  for (const TrainingRun& run : results.training) {
    if (module == "solver" && run.source.engine == "nrs") continue;  // it has that of the FastNRS
    if (domain_of(run.source) != domain.name) continue;
    for (const TrainedModule& trained : run.modules) {
      if (trained.module != module) continue;
      for (ChartLine& line : lines_of(run.source, trained)) {
        first = std::min(first, line.points.back().x);
        last = std::max(last, line.points.back().x);
        chart.lines.push_back(std::move(line));
      }
      add_sources(sources, {run.source});
    }
  }
  chart.log_x = last > kMuchLonger * first;
  return chart;
}

// How much training a model took, beside what the paper says of the same module.
Table effort_table(const Results& results) {
  Table table{
      .id = "training-effort",
      .caption =
          "Steps and examples per step of each module, beside the paper's. The paper gives no "
          "times of training.",
      .header = {"Model", "Module", "Steps", "Batch", "Steps, published", "Batch, published"}};
  for (const TrainingRun& run : results.training) {
    for (const TrainedModule& module : run.modules) {
      const PublishedTraining* row = find_training_in(results.published, run.source, module.module);
      table.rows.push_back({{"`" + run.source.recipe + "`"},
                            {module.module},
                            {show_number(static_cast<double>(module.steps))},
                            {show_number(static_cast<double>(module.batch))},
                            published_count(row ? row->steps : std::nullopt, ""),
                            published_count(row ? row->batch : std::nullopt, "")});
    }
  }
  return table;
}

}  // namespace

Section training_section(const Results& results) {
  Section section{.id = "training", .title = "Training"};
  if (results.training.empty()) return section;
  struct Part {
    const char* module;
    const char* caption;
  };
  for (const Part& part :
       {Part{
            "selector",
            "Selectors: share of validation formulas in which not every leaf is found (FastNRS) or "
            "not the last one is written (NRS), on a logarithmic scale whose bottom is none. "
            "Solid: deeper formulas than any of the training. Dotted: formulas as in the "
            "training. The paper draws the same two curves."},
        Part{"solver",
             "Solvers: share of validation leaves that get a wrong value. Solid: leaves that were "
             "held out. Dotted: leaves of the training."},
        Part{"router",
             "Neural Data Router: share of validation formulas with a wrong value. Solid: deeper "
             "than any of the training. Dotted: as in the training."}}) {
    Figure figure{.id = fmt::format("training-{}", part.module), .caption = part.caption};
    for (const PublishedDomain& domain : domains_and_all(results.published)) {
      const LineChart chart = chart_of(results, part.module, domain, section.sources);
      if (!chart.lines.empty()) figure.charts.push_back(draw(chart));
    }
    if (!figure.charts.empty()) section.blocks.push_back(std::move(figure));
  }
  section.blocks.push_back(effort_table(results));
  return section;
}

}  // namespace nrs
