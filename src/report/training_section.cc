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
constexpr const char* kAllDomains = "All domains";

std::string title_of(const Published& published, const Source& source) {
  if (is_multi(source)) return kAllDomains;
  const PublishedDomain* domain = find_domain_in(published, source.domains.front());
  return domain == nullptr ? source.domains.front() : domain->title;
}

class Curves {
 public:
  Curves(const Published& published, const std::string& module)
      : published_(published), module_(module) {}

  void add(const TrainingRun& run) {
    for (const TrainedModule& module : run.modules) {
      if (module.module != module_ || module.points.empty()) continue;
      LineChart& chart = chart_of(title_of(published_, run.source));
      const std::string label = label_of(run.source);
      const std::string system = system_of(run.source);
      // Two shades of what most runs are of.
      const int colour = label != system && system == "FastNRS" ? kPaler : colour_of(system);
      ChartLine beyond{.label = label, .colour = colour, .markers = false};
      ChartLine known{.colour = colour, .stroke = Stroke::kDotted, .markers = false};
      for (const TrainingPoint& point : module.points) {
        if (point.known) known.points.push_back({point.step, *point.known});
        if (point.beyond) beyond.points.push_back({point.step, *point.beyond});
      }
      for (ChartLine* line : {&beyond, &known}) {
        if (!line->points.empty()) chart.lines.push_back(std::move(*line));
      }
      sources_.push_back(run.source);
    }
  }

  std::vector<std::string> draw_all() {
    std::vector<std::string> drawn;
    std::ranges::stable_sort(charts_, {}, [this](const LineChart& chart) {
      return std::ranges::find(published_.domains, chart.title, &PublishedDomain::title) -
             published_.domains.begin();
    });
    for (LineChart& chart : charts_) {
      double first = INFINITY, last = 0;
      for (const ChartLine& line : chart.lines) {
        first = std::min(first, line.points.back().x);
        last = std::max(last, line.points.back().x);
      }
      chart.log_x = last > kMuchLonger * first;
      drawn.push_back(draw(chart));
    }
    return drawn;
  }

  const std::vector<Source>& sources() const { return sources_; }

 private:
  LineChart& chart_of(const std::string& title) {
    const auto found = std::ranges::find(charts_, title, &LineChart::title);
    if (found != charts_.end()) return *found;
    return charts_.emplace_back(
        LineChart{.id = fmt::format("training-{}-{}", module_, charts_.size() + 1),
                  .title = title,
                  .description = "Validation accuracy during training, by step.",
                  .x_label = "step"});
  }

  const Published& published_;
  std::string module_;
  std::vector<LineChart> charts_;
  std::vector<Source> sources_;
};

Cell count_cell(std::optional<std::uint64_t> count, const std::string& missing, Tone tone) {
  return count ? Cell{show_number(static_cast<double>(*count)), tone}
               : Cell{missing, Tone::kMissing};
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
    const std::string domain = is_multi(run.source) ? "multi" : run.source.domains.front();
    for (const TrainedModule& module : run.modules) {
      // The two architectures share their Solver.
      const std::string system = module.module == "solver" ? "FastNRS" : system_of(run.source);
      const auto& rows = results.published.training;
      const auto found = std::ranges::find_if(rows, [&](const PublishedTraining& row) {
        return row.system == system && row.domain == domain && row.module == module.module;
      });
      const bool known = found != rows.end();
      table.rows.push_back(
          {{"`" + run.source.recipe + "`"},
           {module.module},
           count_cell(module.steps, "", Tone::kPlain),
           count_cell(module.batch, "", Tone::kPlain),
           count_cell(known ? found->steps : std::nullopt, "not published", Tone::kPublished),
           count_cell(known ? found->batch : std::nullopt, "not published", Tone::kPublished)});
    }
  }
  return table;
}

}  // namespace

Section training_section(const Results& results) {
  Section section{.id = "training", .title = "Training"};
  if (results.training.empty()) {
    section.blocks.push_back(Paragraph{"No training curves have been stored yet."});
    return section;
  }
  struct Part {
    const char* module;
    const char* caption;
  };
  for (const Part& part :
       {Part{"selector",
             "Selectors: share of validation formulas in which every leaf is found (FastNRS) or "
             "the last "
             "one is written (NRS). Solid: deeper formulas than any of the training. Dotted: "
             "formulas as in "
             "the training. The paper shows the same two curves, drawn only."},
        Part{"solver",
             "Solvers: share of validation leaves that get their value. Solid: leaves that were "
             "held out. "
             "Dotted: leaves of the training."},
        Part{"router",
             "Neural Data Router: share of validation formulas with the right value. Solid: deeper "
             "than any of the training. Dotted: as in the training."}}) {
    Curves curves(results.published, part.module);
    for (const TrainingRun& run : results.training) curves.add(run);
    std::vector<std::string> charts = curves.draw_all();
    if (charts.empty()) continue;
    section.blocks.push_back(Figure{.id = fmt::format("training-{}", part.module),
                                    .caption = part.caption,
                                    .charts = std::move(charts)});
    add_sources(section.sources, curves.sources());
  }
  section.blocks.push_back(effort_table(results));
  return section;
}

}  // namespace nrs
