#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "report/charts.h"
#include "report/sections.h"
#include "report/svg.h"
#include "report/systems.h"

namespace nrs {
namespace {

std::string name_of(const Source& source) {
  return source.recipe.empty() ? source.model : source.recipe;
}

class DomainAccuracy {
 public:
  DomainAccuracy(const Results& results, const PublishedDomain& domain, bool multi)
      : results_(results),
        domain_(domain),
        id_(fmt::format("accuracy-{}-{}", multi ? "multi" : "single", domain.name)),
        models_(scored_models(results.evaluations, domain, multi)) {
    for (const PublishedAccuracy& row : results.published.accuracy) {
      if (row.domain != domain.name || row.multi != multi) continue;
      const auto same = [&](const Scored& model) { return system_of(model.source) == row.system; };
      // The first three are ours too.
      if (colour_of(row.system) < 3 && std::ranges::none_of(models_, same)) {
        missing_.push_back(row.system);
      }
      if (row.deepest() > 0) {
        published_.push_back(row);
      } else {
        drawn_only_.push_back(row.system);
      }
    }
  }

  std::string chart() const {
    LineChart chart{.id = id_ + "-chart",
                    .title = domain_.title,
                    .description = "Share of formulas without the right answer, by nesting.",
                    .x_label = "nesting",
                    .log_y = true,
                    .flat = "no error",
                    .trained_to = domain_.trained};
    for (int level = 1; level <= domain_.levels; ++level) chart.x_ticks.push_back(level);
    for (const Scored& model : models_) {
      ChartLine& line = chart.lines.emplace_back(
          ChartLine{.label = model.label,
                    .colour = colour_of(system_of(model.source)),
                    .hollow = variant_of(model.source) != Variant::kEveryLeaf});
      for (const auto& [nesting, counts] : model.levels) {
        if (nesting < 1 || nesting > domain_.levels) continue;
        line.points.push_back({static_cast<double>(nesting), 1 - counts.accuracy()});
      }
    }
    for (const PublishedAccuracy& row : published_) {
      ChartLine& line = chart.lines.emplace_back(ChartLine{.label = row.system + " published",
                                                           .colour = colour_of(row.system),
                                                           .stroke = Stroke::kDashed});
      for (int level = 1; level <= row.deepest(); ++level) {
        if (row.at(level)) line.points.push_back({static_cast<double>(level), 1 - *row.at(level)});
      }
    }
    return draw(chart);
  }

  Table table() const {
    Table table{.id = id_,
                .caption = fmt::format("{}: sequence accuracy by nesting.", domain_.title),
                .header = {"Nesting"}};
    std::set<int> levels;
    for (int level = 1; level <= domain_.levels; ++level) levels.insert(level);
    for (const Scored& model : models_) {
      table.header.push_back(fmt::format("{} `{}`", model.label, name_of(model.source)));
      for (const auto& entry : model.levels) levels.insert(entry.first);
    }
    for (const PublishedAccuracy& row : published_) {
      table.header.push_back(row.system + ", published");
    }
    for (const int level : levels) {
      std::vector<Cell>& cells = table.rows.emplace_back(1, Cell{std::to_string(level)});
      for (const Scored& model : models_) {
        const auto found = model.levels.find(level);
        cells.push_back(found == model.levels.end() ? Cell{"not measured", Tone::kMissing}
                                                    : accuracy_cell(found->second));
      }
      for (const PublishedAccuracy& row : published_) {
        cells.push_back(published_share(row.at(level), row.source));
      }
    }
    const auto add = [&](const char* text, const std::vector<std::string>& systems) {
      if (systems.empty()) return;
      table.caption += fmt::format(" {}: {}.", text, fmt::join(systems, ", "));
    };
    add("Not published as numbers", drawn_only_);
    add("Not measured here", missing_);
    return table;
  }

  // Models that stand for a published one and are smaller, or were not trained as long.
  void add_reduced_to(Section& section) const {
    for (const Scored& model : models_) {
      if (system_of(model.source) != "NDR" && variant_of(model.source) != Variant::kPaperRecipe) {
        continue;
      }
      const std::vector<std::string> parts = reductions(model, section.sources);
      if (parts.empty()) continue;
      std::vector<int> below;
      for (const PublishedAccuracy& row : published_) {
        if (row.system != system_of(model.source)) continue;
        for (const auto& [nesting, counts] : model.levels) {
          if (row.at(nesting) && counts.accuracy() < *row.at(nesting)) below.push_back(nesting);
        }
      }
      section.blocks.push_back(Paragraph{fmt::format(
          "`{}` is not the published {}: {}.{}", name_of(model.source), system_of(model.source),
          fmt::join(parts, ", and "),
          below.empty() ? ""
                        : fmt::format(" It is below the published accuracy at nesting {}.",
                                      fmt::join(below, ", ")))});
    }
  }

  void add_sources_to(Section& section) const {
    for (const Scored& model : models_) add_sources(section.sources, model.sources);
  }

 private:
  std::vector<std::string> reductions(const Scored& model, std::vector<Source>& sources) const {
    std::vector<std::string> parts;
    const auto count = [](std::uint64_t value) { return show_number(static_cast<double>(value)); };
    for (const PublishedCost& row : results_.published.cost) {
      if (row.system == system_of(model.source) && row.domain == domain_.name &&
          model.source.parameters.value_or(0) < row.parameters.value_or(0)) {
        parts.push_back(fmt::format("it has {} parameters, not {}", count(*model.source.parameters),
                                    count(*row.parameters)));
      }
    }
    for (const TrainingRun& run : results_.training) {
      if (run.source.recipe != model.source.recipe) continue;
      for (const TrainedModule& module : run.modules) {
        const PublishedTraining* row =
            find_training_in(results_.published, run.source, module.module);
        if (row == nullptr || module.steps >= row->steps.value_or(0)) continue;
        parts.push_back(fmt::format("{} was trained for {} steps of {} examples, not {} of {}",
                                    module.module == "router" ? "it" : "its " + module.module,
                                    count(module.steps), count(module.batch), count(*row->steps),
                                    count(row->batch.value_or(0))));
        add_sources(sources, {run.source});
      }
    }
    return parts;
  }

  const Results& results_;
  const PublishedDomain& domain_;
  std::string id_;
  std::vector<Scored> models_;
  std::vector<PublishedAccuracy> published_;  // with numbers
  std::vector<std::string> drawn_only_, missing_;
};

constexpr const char* kLegend =
    "Share of formulas without the right answer, on a logarithmic scale: lower is better, and the "
    "bottom is none. Colour is the architecture. Dots: measured here, trained on every leaf. "
    "Rings: measured here, trained on the paper's share of leaves or with the paper's recipe. "
    "Dashed: published, from other test formulas. The shaded levels are those of the training "
    "formulas. Where lines coincide they lie on each other, thin on thick.";

}  // namespace

Section accuracy_section(const Results& results, bool multi) {
  Section section{.id = multi ? "accuracy-multi" : "accuracy-single",
                  .title = multi ? "One model for all domains" : "One model for each domain"};
  section.blocks.push_back(Paragraph{
      multi ? "A single Selector and a single Solver for all four domains, beside the language "
              "models that the paper quotes."
            : "FastNRS, NRS and the Neural Data Router (NDR), each trained on one domain. An "
              "answer is right if the whole of it is, exactly."});
  Figure figure{.id = section.id + "-figure", .caption = kLegend};
  std::vector<DomainAccuracy> domains;
  for (const PublishedDomain& domain : results.published.domains) {
    domains.emplace_back(results, domain, multi);
    figure.charts.push_back(domains.back().chart());
  }
  section.blocks.push_back(std::move(figure));
  for (const DomainAccuracy& domain : domains) domain.add_reduced_to(section);
  for (const DomainAccuracy& domain : domains) {
    section.blocks.push_back(domain.table());
    domain.add_sources_to(section);
  }
  return section;
}

}  // namespace nrs
