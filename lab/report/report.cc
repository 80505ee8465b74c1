#include "report/report.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/output_target.h"
#include "report/sections.h"
#include "report/systems.h"

namespace nrs {
namespace {

void write_file(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

// Every level of every evaluation, for those who want to count on.
Table all_levels(const Results& results) {
  Table table{.id = "levels",
              .caption = "",
              .header = {"file", "system", "recipe", "recipe_seed", "protocol", "model_checksum",
                         "domain", "nesting", "formulas", "correct", "answered"}};
  for (const char* name : kErrorClasses) table.header.emplace_back(name);
  for (const Evaluation& evaluation : results.evaluations) {
    const Source& source = evaluation.source;
    for (const LevelCounts& level : evaluation.levels) {
      std::vector<Cell> row{{source.file},
                            {system_of(source)},
                            {source.recipe},
                            {source.recipe_seed ? std::to_string(*source.recipe_seed) : ""},
                            {source.protocol},
                            {source.checksum},
                            {level.domain},
                            {std::to_string(level.nesting)},
                            {std::to_string(level.counts.formulas)},
                            {std::to_string(level.counts.correct)},
                            {std::to_string(level.counts.answered)}};
      for (const std::uint64_t count : level.counts.errors) row.push_back({std::to_string(count)});
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace

Page make_report(const Results& results) {
  Page page{.title = "Learned rewriting, measured",
            .introduction = fmt::format(
                "The tables and figures of \"{}\", with what this program reaches beside what was "
                "published. Grey is published; \"not measured\" and \"not published\" mean what "
                "they say.",
                results.published.paper)};
  page.sections = {overview_section(results),
                   derivation_section(results),
                   accuracy_section(results, /*multi=*/false),
                   accuracy_section(results, /*multi=*/true),
                   error_section(results),
                   cost_section(results),
                   training_section(results),
                   ablation_section(results),
                   confidence_section(results),
                   data_section(results),
                   source_section(results)};
  for (Section& section : page.sections) {
    if (section.blocks.empty()) section.blocks.push_back(Paragraph{"Nothing has been stored yet."});
  }
  return page;
}

void write_report(const Results& results, const std::filesystem::path& folder) {
  const Page page = make_report(results);
  make_output_folder(folder);
  for (const Section& section : page.sections) {
    for (const Block& block : section.blocks) {
      if (const Table* table = std::get_if<Table>(&block)) {
        write_file(folder / (table->id + ".csv"), to_csv(*table));
      } else if (const Figure* figure = std::get_if<Figure>(&block)) {
        for (std::size_t i = 0; i < figure->charts.size(); ++i) {
          write_file(folder / "figures" / fmt::format("{}-{}.svg", figure->id, i + 1),
                     to_svg_file(figure->charts[i]));
        }
      }
    }
  }
  write_file(folder / "levels.csv", to_csv(all_levels(results)));
  write_file(folder / "report.md", to_markdown(page));
  // Last, so that a page that is there is complete.
  write_file(folder / "index.html", to_html(page));
}

}  // namespace nrs
