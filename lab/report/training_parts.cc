// Training curves, ablations, and how sure the modules are.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/charts.h"
#include "report/parts.h"
#include "report/svg.h"
#include "report/systems.h"

namespace nrs::lab {
namespace {

using Json = nlohmann::json;

// A run that ends much earlier than another is seen only if steps are drawn by their logarithm.
constexpr double kMuchLonger = 6;
constexpr int kPaler = 6;  // of the palette
// Single lengths have few formulas each: neighbours are taken together.
constexpr double kLengthBins = 24;

// Wrong validation examples by step: deeper formulas or unseen leaves, and those of the training.
std::vector<ChartLine> training_lines(const Source& source, const Json& module) {
  const std::string system = system_of(source);
  // Two shades of what most runs are of.
  const bool paler = system == "FastNRS" && variant_of(source) != Variant::kEveryLeaf;
  const int colour = paler ? kPaler : colour_of(system);
  std::vector<ChartLine> lines{{.label = label_of(source), .colour = colour, .markers = false},
                               {.colour = colour, .stroke = Stroke::kDotted, .markers = false}};
  for (const Json& point : module.at("points")) {
    const double step = point.at("step");
    if (const auto share = maybe<double>(point, "beyond")) {
      lines[0].points.push_back({step, 1 - *share});
    }
    if (const auto share = maybe<double>(point, "known")) {
      lines[1].points.push_back({step, 1 - *share});
    }
  }
  std::erase_if(lines, [](const ChartLine& line) { return line.points.empty(); });
  return lines;
}

LineChart training_chart(PagePart& part, const std::string& module, const PublishedDomain& domain) {
  LineChart chart{.id = fmt::format("training-{}-{}", module, domain.name),
                  .title = domain.title,
                  .description = "Share of validation examples that are wrong, by step.",
                  .x_label = "step",
                  .log_y = true,
                  .flat = "no error from the first validation on"};
  double first = INFINITY, last = 0;
  for (const ResultFile& run : part.results.of("training")) {
    if (module == "solver" && run.source.engine == "nrs") continue;  // it has that of the FastNRS
    if (domain_of(run.source) != domain.name) continue;
    for (const Json& trained : run.data.at("modules")) {
      if (trained.at("module") != module) continue;
      for (ChartLine& line : training_lines(run.source, trained)) {
        first = std::min(first, line.points.back().x);
        last = std::max(last, line.points.back().x);
        chart.lines.push_back(std::move(line));
      }
      part.section.add_sources({run.source});
    }
  }
  chart.log_x = last > kMuchLonger * first;
  return chart;
}

void curves(PagePart& part) {
  Figure figure = part.figure();
  for (const PublishedDomain& domain : domains_and_all(part.results)) {
    const LineChart chart = training_chart(part, part.words.at("module"), domain);
    if (!chart.lines.empty()) figure.charts.push_back(draw(chart));
  }
  if (!figure.charts.empty()) part.add(std::move(figure));
}

// How much training a model took, beside what the paper says of the same module.
void effort(PagePart& part) {
  Table table = part.table();
  for (const ResultFile& run : part.results.of("training")) {
    for (const Json& module : run.data.at("modules")) {
      const Json* row = published_training(part.results, run.source, module.at("module"));
      const auto published = [&](const char* name) {
        return published_count(row ? maybe<std::uint64_t>(*row, name) : std::nullopt, "");
      };
      table.rows.push_back({{"`" + run.source.recipe + "`"},
                            {module.at("module")},
                            number_cell(module.at("steps")),
                            number_cell(module.at("batch")),
                            published("steps"),
                            published("batch")});
    }
  }
  part.add(std::move(table));
}

struct Spread {
  double mean = 0;
  double deviation = 0;  // of the sample; 0 for a single run
};

Spread spread_of(const std::vector<double>& values) {
  Spread spread;
  const double count = static_cast<double>(values.size());
  for (const double value : values) spread.mean += value / count;
  for (const double value : values) {
    spread.deviation += (value - spread.mean) * (value - spread.mean);
  }
  spread.deviation = values.size() > 1 ? std::sqrt(spread.deviation / (count - 1)) : 0;
  return spread;
}

std::vector<double> ends_of(const Json& variant) {
  std::vector<double> ends;
  for (const Json& run : variant.at("runs")) ends.push_back(run.at("points").back().at("value"));
  return ends;
}

// Few runs tell two variants apart only if all of one are better than all of the other.
std::string beside(const Json& variant, const Json& first) {
  if (&variant == &first) return "";
  const auto [low, high] = std::ranges::minmax(ends_of(variant));
  const auto [first_low, first_high] = std::ranges::minmax(ends_of(first));
  return low > first_high ? "better" : high < first_low ? "worse" : "no difference shown";
}

std::string in_words(const Json& variants) {
  const Json& first = variants.front();
  std::map<std::string, std::vector<std::string>> names;
  for (const Json& variant : variants) {
    if (&variant != &first) names[beside(variant, first)].push_back(variant.at("name"));
  }
  std::string text = fmt::format("Beside \"{}\":", first.at("name").get<std::string>());
  for (const auto& [outcome, same] : names) {
    text += fmt::format("{} {}: {}", text.back() == ':' ? "" : ";", outcome, fmt::join(same, ", "));
  }
  return text + ".";
}

// Over the seeds, at each step that every run has.
ChartLine ablation_line(const Json& variant, int colour) {
  std::map<double, std::vector<double>> steps;
  for (const Json& run : variant.at("runs")) {
    for (const Json& point : run.at("points")) steps[point.at("step")].push_back(point.at("value"));
  }
  ChartLine line{.label = variant.at("name"), .colour = colour};
  for (const auto& [step, values] : steps) {
    if (values.size() != variant.at("runs").size()) continue;
    const Spread spread = spread_of(values);
    line.points.push_back({step, spread.mean, spread.deviation});
  }
  line.markers = line.points.size() <= 12;
  return line;
}

std::string study_title(const PagePart& part, const Json& ablation) {
  return fmt::format("{}, {}", title_of(part.results, ablation.at("domain")),
                     ablation.at("title").get<std::string>());
}

void ablation_figure(PagePart& part) {
  Figure figure = part.figure();
  for (const ResultFile& study : part.results.of("ablations")) {
    LineChart chart{.id = fmt::format("ablation-{}", figure.charts.size() + 1),
                    .title = study_title(part, study.data),
                    .description = study.data.at("measure").get<std::string>() +
                                   ", mean and deviation over seeds",
                    .x_label = "step"};
    int colour = 0;
    for (const Json& variant : study.data.at("variants")) {
      chart.lines.push_back(ablation_line(variant, colour++ % 8));
    }
    figure.charts.push_back(draw(chart));
    part.section.add_sources({study.source});
  }
  part.add(std::move(figure));
}

void ablation_table(PagePart& part) {
  Table table = part.table();
  for (const ResultFile& study : part.results.of("ablations")) {
    const Json& variants = study.data.at("variants");
    for (const Json& variant : variants) {
      const std::vector<double> ends = ends_of(variant);
      const Spread spread = spread_of(ends);
      table.rows.push_back({{study_title(part, study.data)},
                            {variant.at("name")},
                            {std::to_string(ends.size())},
                            {show_share(spread.mean)},
                            {show_share(spread.deviation)},
                            {beside(variant, variants.front())}});
    }
  }
  part.add(std::move(table));
}

void ablation_notes(PagePart& part) {
  for (const ResultFile& study : part.results.of("ablations")) {
    part.add(Paragraph{fmt::format(
        "{}: {}. {} {}", study_title(part, study.data), study.data.at("measure").get<std::string>(),
        maybe<std::string>(study.data, "note").value_or(""), in_words(study.data.at("variants")))});
  }
}

ChartLine confidence_line(const Source& source, const Json& columns) {
  ChartLine line{.label = label_of(source) + (is_multi(source) ? ", multi" : ""),
                 .colour = colour_of(system_of(source)),
                 .stroke = is_multi(source) ? Stroke::kDashed : Stroke::kSolid,
                 .markers = false};
  const std::vector<double> characters = columns.at("characters"), counts = columns.at("formulas"),
                            confidence = columns.at("confidence");
  const double longest = std::max(1.0, std::ranges::max(characters));
  struct Sum {
    double formulas = 0, characters = 0, confidence = 0;
  };
  std::map<int, Sum> bins;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    Sum& sum = bins[static_cast<int>(characters[i] / longest * kLengthBins)];
    sum.formulas += counts[i];
    sum.characters += counts[i] * characters[i];
    sum.confidence += counts[i] * confidence[i];
  }
  for (const auto& [bin, sum] : bins) {
    if (sum.formulas <= 0) continue;
    line.points.push_back({sum.characters / sum.formulas, 1 - sum.confidence / sum.formulas});
  }
  return line;
}

LineChart selector_chart(const Results& results, const PublishedDomain& domain) {
  LineChart chart{.id = "selector-confidence-" + domain.name,
                  .title = domain.title,
                  .description = "How unsure the Selector is on average, by length of the formula.",
                  .x_label = "characters",
                  .log_y = true,
                  .flat = "below 0.0001 %"};
  for (const ResultFile& study : results.of("confidence")) {
    const auto found = maybe<Json>(study.data.at("domains"), domain.name.c_str());
    if (!found || found->at("selector").at("characters").empty()) continue;
    ChartLine line = confidence_line(study.source, found->at("selector"));
    // Two models of one kind are told apart by their names.
    if (std::ranges::find(chart.lines, line.label, &ChartLine::label) != chart.lines.end()) {
      line.label = study.source.recipe;
      line.stroke = Stroke::kDotted;
    }
    chart.lines.push_back(std::move(line));
    if (const auto trained = maybe<double>(*found, "longest_trained")) {
      chart.trained_to = std::max(chart.trained_to.value_or(0), *trained);
    }
  }
  return chart;
}

void selector_confidence_figure(PagePart& part) {
  Figure figure = part.figure();
  for (const PublishedDomain& domain : part.results.domains) {
    const LineChart chart = selector_chart(part.results, domain);
    if (!chart.lines.empty()) figure.charts.push_back(draw(chart));
  }
  for (const ResultFile& study : part.results.of("confidence")) {
    part.section.add_sources({study.source});
  }
  part.add(std::move(figure));
}

std::string solver_chart(const ResultFile& study, const Json& solver,
                         const PublishedDomain& domain) {
  const double threshold = study.data.at("threshold");
  return draw(Histogram{
      .id = fmt::format("solver-confidence-{}-{}", study.source.recipe, domain.name),
      .title = fmt::format("{}: {}", domain.title, study.source.recipe),
      .description = fmt::format(
          "Leaves by the joint log-probability of their value; {} of {} below the threshold.",
          solver.at("unsure").get<std::uint64_t>(), solver.at("leaves").get<std::uint64_t>()),
      .x_label = "joint log-probability of the value",
      .from = std::min(solver.at("least_log_prob").get<double>(), -1e-6),
      .to = 0,
      .counts = solver.at("counts"),
      .mark = threshold,
      .mark_label = fmt::format("threshold {:.3g}", threshold),
      .colour = colour_of(system_of(study.source))});
}

void solver_confidence_figure(PagePart& part) {
  Figure figure = part.figure();
  for (const PublishedDomain& domain : part.results.domains) {
    for (const ResultFile& study : part.results.of("confidence")) {
      if (study.source.engine == "nrs") continue;  // it has the Solver of the FastNRS
      const auto found = maybe<Json>(study.data.at("domains"), domain.name.c_str());
      if (!found || found->at("solver").at("counts").empty()) continue;
      figure.charts.push_back(solver_chart(study, found->at("solver"), domain));
    }
  }
  part.add(std::move(figure));
}

constexpr PartBuilder kTrainingParts[] = {{"curves", curves},
                                          {"effort", effort},
                                          {"ablation-figure", ablation_figure},
                                          {"ablation-table", ablation_table},
                                          {"ablation-notes", ablation_notes},
                                          {"selector-confidence", selector_confidence_figure},
                                          {"solver-confidence", solver_confidence_figure}};

}  // namespace

std::span<const PartBuilder> training_parts() {
  return kTrainingParts;
}

}  // namespace nrs::lab
