// The sections that are no more than a table or a text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/sections.h"
#include "report/svg.h"
#include "report/systems.h"

namespace nrs {
namespace {

// The deepest level of the paper's tests: what this comes down to.
Cell best_cell(const Results& results, const PublishedDomain& domain, bool multi) {
  for (const Scored& model : scored_models(results.evaluations, domain, multi)) {
    const auto found = model.levels.find(domain.levels);
    if (found == model.levels.end() || found->second.formulas == 0) continue;
    const Counts& counts = found->second;
    return {fmt::format("{} of {}", show_number(static_cast<double>(counts.correct)),
                        show_number(static_cast<double>(counts.formulas))),
            counts.correct == counts.formulas ? Tone::kBest : Tone::kPlain,
            fmt::format("{} {}", model.label, model.source.recipe)};
  }
  return {"not measured", Tone::kMissing};
}

Cell published_cell(const Results& results, const PublishedDomain& domain, const char* system) {
  for (const PublishedAccuracy& row : results.published.accuracy) {
    if (row.domain != domain.name || row.system != system) continue;
    if (row.values.empty() || !row.values.back()) continue;
    return {show_share(*row.values.back()), Tone::kPublished, row.source};
  }
  return {"not published", Tone::kMissing};
}

std::string split_title(const SplitSize& split) {
  return fmt::format("{} {}", split.part == "whole" ? "formulas" : split.part, split.split);
}

}  // namespace

Section overview_section(const Results& results) {
  Section section{.id = "glance", .title = "At a glance"};
  Table table{.id = "overview",
              .caption =
                  "Right answers at the deepest nesting of the paper's tests. The models measured "
                  "here, NRS and NDR were trained on nesting 1 to 3.",
              .header = {"Domain", "Nesting", "One model per domain", "One model for all",
                         "NRS, published", "NDR, published", "GPT-4, published"}};
  for (const PublishedDomain& domain : results.published.domains) {
    table.rows.push_back({{domain.title},
                          {std::to_string(domain.levels)},
                          best_cell(results, domain, /*multi=*/false),
                          best_cell(results, domain, /*multi=*/true),
                          published_cell(results, domain, "NRS"),
                          published_cell(results, domain, "NDR"),
                          published_cell(results, domain, "GPT-4")});
  }
  section.blocks.push_back(std::move(table));
  return section;
}

Section data_section(const Results& results) {
  Section section{.id = "data", .title = "Data"};
  if (results.datasets.empty()) {
    section.blocks.push_back(Paragraph{"No statistics of datasets have been stored yet."});
  }
  Table table{.id = "datasets",
              .caption = "Distinct formulas and leaves of each split of the paper's protocol.",
              .header = {"Domain", "Split", "Here", "Published"}};
  for (const PublishedDomain& domain : results.published.domains) {
    for (const PublishedSplit& row : results.published.splits) {
      if (row.domain != domain.name) continue;
      Cell here{"not measured", Tone::kMissing};
      for (const Dataset& dataset : results.datasets) {
        if (dataset.domain != domain.name) continue;
        for (const SplitSize& split : dataset.splits) {
          if (split.part != row.part || split.split != row.split) continue;
          here = {show_number(static_cast<double>(split.rows))};
          add_sources(section.sources, {dataset.source});
        }
      }
      const Cell published =
          row.rows ? Cell{show_number(static_cast<double>(*row.rows)), Tone::kPublished, row.source}
                   : Cell{"not published", Tone::kMissing};
      table.rows.push_back(
          {{domain.title}, {split_title({row.part, row.split, 0})}, here, published});
    }
  }
  section.blocks.push_back(std::move(table));
  return section;
}

Section derivation_section(const Results& results) {
  Section section{.id = "derivation", .title = "A formula on its way"};
  if (results.traces.empty()) {
    section.blocks.push_back(Paragraph{"No derivation has been stored yet."});
  }
  for (const Trace& trace : results.traces) {
    const PublishedDomain* domain = find_domain_in(results.published, trace.domain);
    section.blocks.push_back(WorkedDerivation{
        .id = fmt::format("derivation-{}", section.blocks.size() + 1),
        .caption = fmt::format(
            "{}: what the Selector of `{}` marks in each round is blue; green is a value that the "
            "Solver has just put there.",
            domain == nullptr ? trace.domain : domain->title, trace.source.recipe),
        .rounds = trace.rounds});
    add_sources(section.sources, {trace.source});
  }
  return section;
}

Section source_section(const Results& results) {
  Section section{.id = "sources", .title = "Models and files"};
  Table models{
      .id = "models",
      .caption =
          "The models behind the numbers. A certificate is of `nrs verify`: the Solver on every "
          "leaf, the Selector on a million contexts.",
      .header = {"Model", "Trained on", "Leaves", "Seed", "Selector", "Solver", "Router",
                 "Certificate", "Checksum"}};
  for (const ModelInfo& model : results.models) {
    const auto size = [](std::optional<std::uint64_t> count) {
      return count ? Cell{show_number(static_cast<double>(*count))} : Cell{"none", Tone::kMissing};
    };
    models.rows.push_back(
        {{"`" + model.source.recipe + "`"},
         {fmt::format("{}", fmt::join(model.source.domains, ", "))},
         {model.source.protocol == "paper" ? "the paper's share" : "all"},
         {std::to_string(model.source.recipe_seed.value_or(0))},
         size(model.selector_parameters),
         size(model.solver_parameters),
         size(model.router_parameters),
         model.verdict.empty() ? Cell{"none", Tone::kMissing} : Cell{model.verdict},
         {"`" + model.source.checksum + "`"}});
    add_sources(section.sources, {model.source});
  }
  if (!results.models.empty()) section.blocks.push_back(std::move(models));
  section.blocks.push_back(Paragraph{
      "Every section ends with the result files it was made from and the commands that make them "
      "again. Each file "
      "names the program, the machine, the recipe with its seed, and the checksum of the model."});
  section.blocks.push_back(
      Paragraph{fmt::format("Published numbers are in `published.json`, each with its place: "
                            "tables of \"{}\", or the authors' result tables "
                            "of its conference version. What was only drawn is not guessed here: "
                            "it says \"not published\".",
                            results.published.paper)});
  return section;
}

}  // namespace nrs
