// Accuracy by nesting, and the errors.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "report/charts.h"
#include "report/parts.h"
#include "report/svg.h"
#include "report/systems.h"

namespace nrs::lab {
namespace {

using Json = nlohmann::json;

// Models of one domain, ours and the paper's.
struct DomainModels {
  std::vector<Scored> ours{};
  std::vector<Json> published{};                     // with numbers
  std::vector<std::string> drawn_only{}, missing{};  // systems
};

DomainModels models_in(const PagePart& part, const PublishedDomain& domain) {
  DomainModels models{.ours = scored_models(part.results.of("eval"), domain, part.multi())};
  for (const Json& row : published_accuracies(part.results, domain, part.multi())) {
    const std::string system = row.at("system");
    const auto same = [&](const Scored& model) { return system_of(model.source) == system; };
    // The first three are ours too.
    if (colour_of(system) < 3 && std::ranges::none_of(models.ours, same)) {
      models.missing.push_back(system);
    }
    if (deepest_published(row) > 0) {
      models.published.push_back(row);
    } else {
      models.drawn_only.push_back(system);
    }
  }
  return models;
}

std::string accuracy_chart(const PagePart& part, const PublishedDomain& domain) {
  const DomainModels models = models_in(part, domain);
  LineChart chart{
      .id = fmt::format("accuracy-{}-{}-chart", part.multi() ? "multi" : "single", domain.name),
      .title = domain.title,
      .description = "Share of formulas without the right answer, by nesting.",
      .x_label = "nesting",
      .log_y = true,
      .flat = "no error",
      .trained_to = domain.trained};
  for (int level = 1; level <= domain.levels; ++level) chart.x_ticks.push_back(level);
  for (const Scored& model : models.ours) {
    ChartLine& line = chart.lines.emplace_back(
        ChartLine{.label = model.label,
                  .colour = colour_of(system_of(model.source)),
                  .hollow = variant_of(model.source) != Variant::kEveryLeaf});
    for (const auto& [nesting, counts] : model.levels) {
      if (nesting < 1 || nesting > domain.levels) continue;
      line.points.push_back({static_cast<double>(nesting), 1 - counts.accuracy()});
    }
  }
  for (const Json& row : models.published) {
    const std::string system = row.at("system");
    ChartLine& line = chart.lines.emplace_back(ChartLine{
        .label = system + " published", .colour = colour_of(system), .stroke = Stroke::kDashed});
    for (int level = 1; level <= deepest_published(row); ++level) {
      const auto share = published_at(row, level);
      if (share) line.points.push_back({static_cast<double>(level), 1 - *share});
    }
  }
  return draw(chart);
}

void accuracy_figure(PagePart& part) {
  Figure figure = part.figure();
  for (const PublishedDomain& domain : part.results.domains) {
    figure.charts.push_back(accuracy_chart(part, domain));
  }
  part.add(std::move(figure));
}

Table accuracy_table(PagePart& part, const PublishedDomain& domain) {
  const DomainModels models = models_in(part, domain);
  Table table = part.table({{"domain", domain.title}}, "-" + domain.name);
  std::set<int> levels;
  for (int level = 1; level <= domain.levels; ++level) levels.insert(level);
  for (const Scored& model : models.ours) {
    table.header.push_back(fmt::format("{} `{}`", model.label, name_of(model.source)));
    for (const auto& entry : model.levels) levels.insert(entry.first);
    part.section.add_sources(model.sources);
  }
  for (const Json& row : models.published) {
    table.header.push_back(row.at("system").get<std::string>() + ", published");
  }
  for (const int level : levels) {
    std::vector<Cell>& cells = table.rows.emplace_back(1, Cell{std::to_string(level)});
    for (const Scored& model : models.ours) {
      const auto found = model.levels.find(level);
      cells.push_back(found == model.levels.end() ? not_measured() : accuracy_cell(found->second));
    }
    for (const Json& row : models.published) {
      cells.push_back(published_share(published_at(row, level), row.at("source")));
    }
  }
  const auto add = [&](const char* text, const std::vector<std::string>& systems) {
    if (systems.empty()) return;
    table.caption += fmt::format(" {}: {}.", text, fmt::join(systems, ", "));
  };
  add("Not published as numbers", models.drawn_only);
  add("Not measured here", models.missing);
  return table;
}

void accuracy_tables(PagePart& part) {
  for (const PublishedDomain& domain : part.results.domains) {
    part.add(accuracy_table(part, domain));
  }
}

// In what a model of ours is less than the published one that it stands for.
std::vector<std::string> reductions_of(PagePart& part, const Source& model,
                                       const PublishedDomain& domain) {
  std::vector<std::string> all;
  const auto shown = [](std::uint64_t value) { return number_cell(value).text; };
  for (const Json& row : part.results.published.at("cost")) {
    const auto parameters = maybe<std::uint64_t>(row, "parameters");
    if (row.at("system") == system_of(model) && row.at("domain") == domain.name &&
        model.parameters.value_or(0) < parameters.value_or(0)) {
      all.push_back(fmt::format("it has {} parameters, not {}", shown(*model.parameters),
                                shown(*parameters)));
    }
  }
  for (const ResultFile& run : part.results.of("training")) {
    if (run.source.recipe != model.recipe) continue;
    for (const Json& trained : run.data.at("modules")) {
      const std::string module = trained.at("module");
      const Json* row = published_training(part.results, run.source, module);
      const auto steps = row ? maybe<std::uint64_t>(*row, "steps") : std::nullopt;
      if (!steps || trained.at("steps") >= *steps) continue;
      all.push_back(fmt::format("{} was trained for {} steps of {} examples, not {} of {}",
                                module == "router" ? "it" : "its " + module,
                                shown(trained.at("steps")), shown(trained.at("batch")),
                                shown(*steps),
                                shown(maybe<std::uint64_t>(*row, "batch").value_or(0))));
      part.section.add_sources({run.source});
    }
  }
  return all;
}

// Models that stand for a published one and are smaller, or were not trained as long.
void reductions(PagePart& part) {
  for (const PublishedDomain& domain : part.results.domains) {
    const DomainModels models = models_in(part, domain);
    for (const Scored& model : models.ours) {
      const std::string system = system_of(model.source);
      if (system != "NDR" && variant_of(model.source) != Variant::kPaperRecipe) continue;
      const std::vector<std::string> less = reductions_of(part, model.source, domain);
      if (less.empty()) continue;
      std::vector<int> below;
      for (const Json& row : models.published) {
        if (row.at("system") != system) continue;
        for (const auto& [nesting, counts] : model.levels) {
          const auto share = published_at(row, nesting);
          if (share && counts.accuracy() < *share) below.push_back(nesting);
        }
      }
      part.add(Paragraph{fmt::format(
          "`{}` is not the published {}: {}.{}", name_of(model.source), system,
          fmt::join(less, ", and "),
          below.empty() ? ""
                        : fmt::format(" It is below the published accuracy at nesting {}.",
                                      fmt::join(below, ", ")))});
    }
  }
}

// Accuracy of the first of our systems that was measured at a level.
Cell glance_cell(const std::vector<Scored>& models, Variant variant, int nesting) {
  for (const Scored& model : models) {
    const auto found = model.levels.find(nesting);
    if (variant_of(model.source) != variant || found == model.levels.end()) continue;
    return accuracy_cell(found->second);
  }
  return not_measured();
}

Cell published_cell(const Results& results, const PublishedDomain& domain,
                    const std::string& system, int nesting) {
  for (const Json& row : results.published.at("accuracy")) {
    if (row.at("domain") == domain.name && row.at("system") == system &&
        published_at(row, nesting)) {
      return published_share(published_at(row, nesting), row.at("source"));
    }
  }
  return published_share(std::nullopt, "");
}

void overview(PagePart& part) {
  Table table = part.table();
  const std::vector<std::string> systems = part.list("published");
  for (const std::string& system : systems) table.header.push_back(system + ", published");
  for (const std::string& name : part.list("header_end")) table.header.push_back(name);
  for (const PublishedDomain& domain : part.results.domains) {
    const auto single = scored_models(part.results.of("eval"), domain, /*multi=*/false);
    const auto multi = scored_models(part.results.of("eval"), domain, /*multi=*/true);
    std::set<int> levels{domain.levels};
    for (const Json& row : part.results.published.at("accuracy")) {
      if (row.at("domain") == domain.name && deepest_published(row) > 0) {
        levels.insert(deepest_published(row));
      }
    }
    for (const int level : levels) {
      std::vector<Cell> row{{domain.title},
                            {std::to_string(level)},
                            glance_cell(single, Variant::kPaperLeaves, level),
                            glance_cell(multi, Variant::kPaperLeaves, level)};
      for (const std::string& system : systems) {
        row.push_back(published_cell(part.results, domain, system, level));
      }
      row.push_back(glance_cell(single, Variant::kEveryLeaf, level));
      row.push_back(glance_cell(multi, Variant::kEveryLeaf, level));
      table.rows.push_back(std::move(row));
    }
  }
  part.add(std::move(table));
}

// Colours that no system has would be too alike; classes are in other figures than systems.
constexpr std::array<int, kErrorClasses.size()> kColours{2, 3, 0, 5};

// A model, ours or the paper's: a bar of a chart and a row of a table.
struct ErrorRow {
  Bar bar{};
  std::vector<Cell> cells{};
  double share = 0;  // of all formulas
};

void add_share(ErrorRow& row, std::size_t error, double share) {
  row.share += share;
  row.bar.parts.push_back(
      {share, kColours[error], fmt::format("{}: {}", kErrorClasses[error], show_share(share))});
}

ErrorRow error_row(const Scored& model, const Counts& counts, const PublishedDomain& domain) {
  ErrorRow row{.cells = {{fmt::format("{}: `{}`", domain.title, model.source.recipe)},
                         number_cell(counts.formulas),
                         accuracy_cell(counts)}};
  row.bar = {.label = model.source.recipe,
             .note = fmt::format("{} of {}", number_cell(counts.formulas - counts.correct).text,
                                 row.cells[1].text)};
  for (std::size_t i = 0; i < kErrorClasses.size(); ++i) {
    row.cells.push_back(number_cell(counts.errors[i]));
    add_share(row, i, static_cast<double>(counts.errors[i]) / static_cast<double>(counts.formulas));
  }
  return row;
}

ErrorRow error_row(const Json& published, const PublishedDomain& domain) {
  ErrorRow row{.bar = {.label = "published", .published = true},
               .cells = {{domain.title + ": published"}, {}, {}}};
  for (std::size_t i = 0; i < kErrorClasses.size(); ++i) {
    const auto share = maybe<double>(published, kErrorClasses[i]);
    row.cells.push_back(published_share(share, published.at("source")));
    if (share) add_share(row, i, *share);
  }
  row.bar.note = show_share(row.share);
  return row;
}

std::vector<ErrorRow> error_rows(PagePart& part, const std::string& system,
                                 const PublishedDomain& domain) {
  std::vector<ErrorRow> rows;
  for (const bool multi : {false, true}) {
    for (const Scored& model : scored_models(part.results.of("eval"), domain, multi)) {
      if (system_of(model.source) != system) continue;
      const Counts counts = model.total(domain.levels);
      if (counts.formulas > 0) rows.push_back(error_row(model, counts, domain));
      part.section.add_sources(model.sources);
    }
    for (const Json& row : part.results.published.at("errors")) {
      const bool known = std::ranges::any_of(
          kErrorClasses, [&](const char* name) { return maybe<double>(row, name).has_value(); });
      if (known && row.at("system") == system && row.at("domain") == domain.name &&
          (row.at("setting") == "multi") == multi) {
        rows.push_back(error_row(row, domain));
      }
    }
  }
  return rows;
}

void error_figure(PagePart& part) {
  Figure figure = part.figure();
  for (std::size_t i = 0; i < kErrorClasses.size(); ++i) {
    figure.legend.push_back({kErrorClasses[i], kColours[i]});
  }
  for (const std::string& system : part.list("systems")) {
    BarChart chart{.id = "errors-" + system,
                   .title = system,
                   .description = "Share of formulas with errors, by class.",
                   .x_label = "% of all formulas",
                   .to = 0.001,
                   .percent = true};
    for (const PublishedDomain& domain : part.results.domains) {
      chart.bars.push_back({.label = domain.title, .note = "", .heading = true});
      for (ErrorRow& row : error_rows(part, system, domain)) {
        if (row.share > 0) chart.to = std::max(chart.to, round_up(row.share));
        chart.bars.push_back(std::move(row.bar));
      }
    }
    figure.charts.push_back(draw(chart));
  }
  part.add(std::move(figure));
}

void error_tables(PagePart& part) {
  for (const std::string& system : part.list("systems")) {
    Table table = part.table({{"system", system}}, "-" + system);
    table.header.insert(table.header.end(), kErrorClasses.begin(), kErrorClasses.end());
    for (const PublishedDomain& domain : part.results.domains) {
      for (ErrorRow& row : error_rows(part, system, domain)) {
        table.rows.push_back(std::move(row.cells));
      }
    }
    part.add(std::move(table));
  }
}

// Wrong answers are what a user pays for; an unsure model should rather give none.
void answers(PagePart& part) {
  Table table = part.table();
  for (const PublishedDomain& domain : part.results.domains) {
    for (const bool multi : {false, true}) {
      for (const Scored& model : scored_models(part.results.of("eval"), domain, multi)) {
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
  part.add(std::move(table));
}

constexpr PartBuilder kAccuracyParts[] = {
    {"overview", overview},        {"accuracy-figure", accuracy_figure},
    {"reductions", reductions},    {"accuracy-tables", accuracy_tables},
    {"answers", answers},          {"error-figure", error_figure},
    {"error-tables", error_tables}};

}  // namespace

std::span<const PartBuilder> accuracy_parts() {
  return kAccuracyParts;
}

}  // namespace nrs::lab
