#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/charts.h"
#include "report/sections.h"
#include "report/svg.h"
#include "report/systems.h"

namespace nrs {
namespace {

double share_of(const Counts& counts) {
  return counts.formulas == 0
             ? 0
             : static_cast<double>(counts.correct) / static_cast<double>(counts.formulas);
}

std::string in_words(const Counts& counts) {
  std::string text = fmt::format("{} of {} right", show_number(static_cast<double>(counts.correct)),
                                 show_number(static_cast<double>(counts.formulas)));
  const std::uint64_t stopped = counts.formulas - counts.answered;
  if (stopped > 0) text += fmt::format(", {} without an answer", stopped);
  return text;
}

Cell measured_cell(const Scored& scored, int nesting) {
  const auto found = scored.levels.find(nesting);
  if (found == scored.levels.end()) return {"not measured", Tone::kMissing};
  const Counts& counts = found->second;
  return {show_share(share_of(counts)),
          counts.correct == counts.formulas ? Tone::kBest : Tone::kPlain, in_words(counts)};
}

Cell published_cell(const PublishedAccuracy& published, int nesting) {
  const auto index = static_cast<std::size_t>(nesting - 1);
  if (index >= published.values.size() || !published.values[index]) {
    return {"not published", Tone::kMissing, published.source};
  }
  return {show_share(*published.values[index]), Tone::kPublished, published.source};
}

class DomainAccuracy {
 public:
  DomainAccuracy(const Results& results, const PublishedDomain& domain, bool multi)
      : domain_(domain),
        id_(fmt::format("accuracy-{}-{}", multi ? "multi" : "single", domain.name)),
        models_(scored_models(results.evaluations, domain, multi)) {
    for (const PublishedAccuracy& row : results.published.accuracy) {
      if (row.domain == domain.name && row.multi == multi) published_.push_back(row);
    }
  }

  std::string chart() const {
    LineChart chart{.id = id_ + "-chart",
                    .title = domain_.title,
                    .description = "Share of formulas that come to their value, by nesting.",
                    .x_label = "nesting",
                    .trained_to = domain_.trained};
    for (int level = 1; level <= domain_.levels; ++level) chart.x_ticks.push_back(level);
    for (const Scored& model : models_) chart.lines.push_back(line_of(model));
    for (const PublishedAccuracy& row : published_) {
      ChartLine line = line_of(row);
      if (!line.points.empty()) chart.lines.push_back(std::move(line));
    }
    return draw(chart);
  }

  Table table() const {
    Table table{.id = id_,
                .caption = fmt::format("{}: sequence accuracy by nesting.", domain_.title),
                .header = {"Nesting"}};
    for (const Scored& model : models_) {
      table.header.push_back(
          fmt::format("{} `{}`", model.label,
                      model.source.recipe.empty() ? model.source.model : model.source.recipe));
    }
    for (const std::string& system : missing()) table.header.push_back(system);
    for (const PublishedAccuracy& row : published_) {
      table.header.push_back(row.system + ", published");
    }
    std::set<int> levels;
    for (int level = 1; level <= domain_.levels; ++level) levels.insert(level);
    for (const Scored& model : models_) {
      for (const auto& entry : model.levels) levels.insert(entry.first);
    }
    for (const int level : levels) table.rows.push_back(row_of(level));
    return table;
  }

  void add_sources_to(Section& section) const {
    for (const Scored& model : models_) add_sources(section.sources, model.sources);
  }

  // Systems of ours that the paper measures and no result file tells of.
  std::vector<std::string> missing() const {
    std::vector<std::string> names;
    for (const PublishedAccuracy& row : published_) {
      const bool ours = colour_of(row.system) < 3;
      const bool there = std::ranges::any_of(
          models_, [&](const Scored& model) { return system_of(model.source) == row.system; });
      if (ours && !there) names.push_back(row.system);
    }
    return names;
  }

 private:
  ChartLine line_of(const Scored& model) const {
    ChartLine line{.label = model.label,
                   .colour = colour_of(system_of(model.source)),
                   .hollow = model.label != system_of(model.source)};
    for (const auto& [nesting, counts] : model.levels) {
      if (nesting >= 1 && nesting <= domain_.levels) {
        line.points.push_back({static_cast<double>(nesting), share_of(counts)});
      }
    }
    return line;
  }

  static ChartLine line_of(const PublishedAccuracy& row) {
    ChartLine line{.label = row.system + " published",
                   .colour = colour_of(row.system),
                   .stroke = Stroke::kDashed};
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      if (row.values[i]) line.points.push_back({static_cast<double>(i + 1), *row.values[i]});
    }
    return line;
  }

  std::vector<Cell> row_of(int level) const {
    std::vector<Cell> cells{{std::to_string(level)}};
    for (const Scored& model : models_) cells.push_back(measured_cell(model, level));
    for (std::size_t i = 0; i < missing().size(); ++i) {
      cells.push_back({"not measured", Tone::kMissing});
    }
    for (const PublishedAccuracy& row : published_) cells.push_back(published_cell(row, level));
    return cells;
  }

  const PublishedDomain& domain_;
  std::string id_;
  std::vector<Scored> models_;
  std::vector<PublishedAccuracy> published_;
};

constexpr const char* kLegend =
    "Colour is the architecture. Solid with dots: measured here, trained on every leaf. Rings: "
    "measured "
    "here, trained on the paper's share of leaves or with the paper's recipe. Dashed: published. "
    "The "
    "shaded levels are those of the training formulas. Where lines coincide they lie on each "
    "other, "
    "thin on thick.";

}  // namespace

Section accuracy_section(const Results& results, bool multi) {
  Section section{.id = multi ? "accuracy-multi" : "accuracy-single",
                  .title = multi ? "One model for all domains" : "One model for each domain"};
  section.blocks.push_back(
      Paragraph{multi ? "A single Selector and a single Solver for all four domains, beside the "
                        "language models "
                        "that the paper quotes."
                      : "Accuracy by nesting of FastNRS, NRS and the Neural Data Router (NDR), "
                        "each trained on one "
                        "domain. An answer is right if the whole of it is, exactly."});
  Figure figure{.id = section.id + "-figure", .caption = kLegend};
  std::vector<Table> tables;
  for (const PublishedDomain& domain : results.published.domains) {
    const DomainAccuracy accuracy(results, domain, multi);
    figure.charts.push_back(accuracy.chart());
    tables.push_back(accuracy.table());
    accuracy.add_sources_to(section);
  }
  section.blocks.push_back(std::move(figure));
  for (Table& table : tables) section.blocks.push_back(std::move(table));
  return section;
}

}  // namespace nrs
