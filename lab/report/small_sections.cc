// The sections that are no more than a table or a text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "report/sections.h"
#include "report/svg.h"
#include "report/systems.h"

namespace nrs {
namespace {

// Accuracy of the first of our systems that was measured at a level.
Cell glance_cell(const std::vector<Scored>& models, Variant variant, int nesting) {
  for (const Scored& model : models) {
    const auto found = model.levels.find(nesting);
    if (variant_of(model.source) != variant || found == model.levels.end()) continue;
    return accuracy_cell(found->second);
  }
  return {"not measured", Tone::kMissing};
}

Cell published_cell(const Published& published, const PublishedDomain& domain,
                    std::string_view system, int nesting) {
  for (const PublishedAccuracy& row : published.accuracy) {
    if (row.domain == domain.name && row.system == system && row.at(nesting)) {
      return published_share(row.at(nesting), row.source);
    }
  }
  return published_share(std::nullopt, "");
}

}  // namespace

Cell accuracy_cell(const Counts& counts) {
  return {show_share(counts.accuracy()),
          counts.correct == counts.formulas ? Tone::kBest : Tone::kPlain,
          fmt::format("{} of {} right, {} without an answer", counts.correct, counts.formulas,
                      counts.formulas - counts.answered)};
}

Cell published_share(std::optional<double> share, const std::string& source) {
  return share ? Cell{show_share(*share), Tone::kPublished, source}
               : Cell{"not published", Tone::kMissing, source};
}

Cell published_count(std::optional<std::uint64_t> count, const std::string& source) {
  return count ? Cell{show_number(static_cast<double>(*count)), Tone::kPublished, source}
               : Cell{"not published", Tone::kMissing, source};
}

Section overview_section(const Results& results) {
  constexpr const char* kSystems[] = {"NRS", "NDR", "GPT-4"};
  Section section{.id = "glance", .title = "At a glance"};
  Table table{.id = "overview",
              .caption =
                  "Accuracy at the deepest nesting of the paper's tests, and at the deepest of "
                  "which a number is published. All but GPT-4 were trained on formulas of "
                  "nesting 1 to 3. Ours to compare with the published ones saw the paper's "
                  "share of the leaves. The last two columns are of models that saw every "
                  "leaf: they are not like for like.",
              .header = {"Domain", "Nesting", "The paper's leaves: one model per domain",
                         "The paper's leaves: one model for all"}};
  for (const char* system : kSystems) table.header.push_back(fmt::format("{}, published", system));
  table.header.insert(table.header.end(),
                      {"Every leaf: one model per domain", "Every leaf: one model for all"});
  for (const PublishedDomain& domain : results.published.domains) {
    const auto single = scored_models(results.evaluations, domain, /*multi=*/false);
    const auto multi = scored_models(results.evaluations, domain, /*multi=*/true);
    std::set<int> levels{domain.levels};
    for (const PublishedAccuracy& row : results.published.accuracy) {
      if (row.domain == domain.name && row.deepest() > 0) levels.insert(row.deepest());
    }
    for (const int level : levels) {
      std::vector<Cell> row{{domain.title},
                            {std::to_string(level)},
                            glance_cell(single, Variant::kPaperLeaves, level),
                            glance_cell(multi, Variant::kPaperLeaves, level)};
      for (const char* system : kSystems) {
        row.push_back(published_cell(results.published, domain, system, level));
      }
      row.push_back(glance_cell(single, Variant::kEveryLeaf, level));
      row.push_back(glance_cell(multi, Variant::kEveryLeaf, level));
      table.rows.push_back(std::move(row));
    }
  }
  section.blocks.push_back(std::move(table));
  section.blocks.push_back(Paragraph{results.published.provenance});
  return section;
}

Section data_section(const Results& results) {
  Section section{.id = "data", .title = "Data"};
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
      table.rows.push_back(
          {{domain.title},
           {fmt::format("{} {}", row.part == "whole" ? "formulas" : row.part, row.split)},
           here,
           published_count(row.rows, row.source)});
    }
  }
  section.blocks.push_back(std::move(table));
  return section;
}

Section derivation_section(const Results& results) {
  Section section{.id = "derivation", .title = "A formula on its way"};
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
      Paragraph{"Published numbers are in `published.json`, each with its place. What was only "
                "drawn is not guessed: it is left out, or says \"not published\"."});
  return section;
}

}  // namespace nrs
