#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/charts.h"
#include "report/sections.h"
#include "report/svg.h"
#include "report/systems.h"

namespace nrs {
namespace {

struct Spread {
  double mean = 0;
  double deviation = 0;  // of the sample; 0 for a single run
};

Spread spread_of(const std::vector<double>& values) {
  Spread spread;
  const double count = static_cast<double>(values.size());
  for (const double value : values) spread.mean += value / count;
  for (const double value : values)
    spread.deviation += (value - spread.mean) * (value - spread.mean);
  spread.deviation = values.size() > 1 ? std::sqrt(spread.deviation / (count - 1)) : 0;
  return spread;
}

std::vector<double> ends_of(const AblationVariant& variant) {
  std::vector<double> ends;
  for (const AblationRun& run : variant.runs) ends.push_back(run.points.back().second);
  return ends;
}

// Few runs tell two variants apart only if all of one are better than all of the other.
std::string beside(const AblationVariant& variant, const AblationVariant& first) {
  if (&variant == &first) return "";
  const auto [low, high] = std::ranges::minmax(ends_of(variant));
  const auto [first_low, first_high] = std::ranges::minmax(ends_of(first));
  return low > first_high ? "better" : high < first_low ? "worse" : "no difference shown";
}

std::string in_words(const Ablation& ablation) {
  const AblationVariant& first = ablation.variants.front();
  std::map<std::string, std::vector<std::string>> names;
  for (const AblationVariant& variant : ablation.variants) {
    if (&variant != &first) names[beside(variant, first)].push_back(variant.name);
  }
  std::string text = fmt::format("Beside \"{}\":", first.name);
  for (const auto& [outcome, variants] : names) {
    text +=
        fmt::format("{} {}: {}", text.back() == ':' ? "" : ";", outcome, fmt::join(variants, ", "));
  }
  return text + ".";
}

// Over the seeds, at each step that every run has.
ChartLine line_of(const AblationVariant& variant, int colour) {
  std::map<double, std::vector<double>> steps;
  for (const AblationRun& run : variant.runs) {
    for (const auto& [step, value] : run.points) steps[step].push_back(value);
  }
  ChartLine line{.label = variant.name, .colour = colour};
  for (const auto& [step, values] : steps) {
    if (values.size() != variant.runs.size()) continue;
    const Spread spread = spread_of(values);
    line.points.push_back({step, spread.mean, spread.deviation});
  }
  line.markers = line.points.size() <= 12;
  return line;
}

std::string chart_of(const Ablation& ablation, const std::string& domain, std::size_t number) {
  LineChart chart{.id = fmt::format("ablation-{}", number),
                  .title = fmt::format("{}, {}", domain, ablation.title),
                  .description = ablation.measure + ", mean and deviation over seeds",
                  .x_label = "step"};
  int colour = 0;
  for (const AblationVariant& variant : ablation.variants) {
    chart.lines.push_back(line_of(variant, colour++ % 8));
  }
  return draw(chart);
}

}  // namespace

Section ablation_section(const Results& results) {
  Section section{.id = "ablation-studies", .title = "Ablations"};
  if (results.ablations.empty()) return section;
  section.blocks.push_back(
      Paragraph{"One choice is varied at a time; everything else stays as in the recipe. Sizes and "
                "steps are reduced as the notes say. So these runs show how fast something is "
                "learnt. They do not show what a choice is worth in a run of full length."});
  Figure figure{.id = "ablations-figure",
                .caption =
                    "Accuracy during training. Lines are means over the seeds, bands one standard "
                    "deviation up and down."};
  Table table{.id = "ablations",
              .caption =
                  "At the end of these trainings: mean and standard deviation over the "
                  "seeds. Better or worse: every run is, than every run of the first "
                  "variant of the study. In the studies of our own choices the first "
                  "variant is our recipe, and each other one is without one choice: only "
                  "where that is worse do the runs speak for the choice.",
              .header = {"Study", "Variant", "Seeds", "Mean", "Deviation", "Beside the first"}};
  std::vector<Paragraph> notes;
  for (const Ablation& ablation : results.ablations) {
    const PublishedDomain* known = find_domain_in(results.published, ablation.domain);
    const std::string domain = known == nullptr ? ablation.domain : known->title;
    figure.charts.push_back(chart_of(ablation, domain, figure.charts.size() + 1));
    for (const AblationVariant& variant : ablation.variants) {
      const std::vector<double> ends = ends_of(variant);
      const Spread spread = spread_of(ends);
      table.rows.push_back({{fmt::format("{}, {}", domain, ablation.title)},
                            {variant.name},
                            {std::to_string(ends.size())},
                            {show_share(spread.mean)},
                            {show_share(spread.deviation)},
                            {beside(variant, ablation.variants.front())}});
    }
    notes.push_back({fmt::format("{}, {}: {}. {} {}", domain, ablation.title, ablation.measure,
                                 ablation.note, in_words(ablation))});
    add_sources(section.sources, {ablation.source});
  }
  section.blocks.push_back(std::move(figure));
  section.blocks.push_back(std::move(table));
  for (Paragraph& note : notes) section.blocks.push_back(std::move(note));
  return section;
}

}  // namespace nrs
