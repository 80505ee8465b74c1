#include "report/report.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/output_target.h"
#include "report/parts.h"
#include "report/systems.h"
#include "report/texts.h"

namespace nrs::lab {
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
  table.header.insert(table.header.end(), kErrorClasses.begin(), kErrorClasses.end());
  for (const ResultFile& evaluation : results.of("eval")) {
    const Source& source = evaluation.source;
    for (const nlohmann::json& level : evaluation.data.at("levels")) {
      std::vector<Cell> row{{source.file},
                            {system_of(source)},
                            {source.recipe},
                            {source.recipe_seed ? std::to_string(*source.recipe_seed) : ""},
                            {source.protocol},
                            {source.checksum},
                            {maybe<std::string>(level, "domain").value_or("")}};
      for (const char* count : {"nesting", "formulas", "correct", "answered", "missing",
                                "malformed", "solver", "other"}) {
        row.push_back({std::to_string(level.at(count).get<std::uint64_t>())});
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

void build(PagePart part) {
  const std::string name = part.words.at("make");
  for (const auto& parts : {accuracy_parts(), training_parts(), other_parts()}) {
    for (const PartBuilder& builder : parts) {
      if (builder.name == name) return builder.build(part);
    }
  }
  throw std::logic_error("page.json: nothing makes " + name);
}

}  // namespace

Page make_report(const Results& results) {
  static const auto words = nlohmann::json::parse(report_texts::kPage);
  Section none;
  const PagePart page_words{results, words, none};
  Page page{
      .title = words.at("title"),
      .introduction = page_words.text("introduction", {{"paper", results.published.at("paper")}})};
  const PagePart tables_words{results, words.at("tables"), none};
  page.tables_title = tables_words.text("title");
  page.tables_introduction = tables_words.text("introduction");
  for (const nlohmann::json& entry : words.at("sections")) {
    Section& section =
        page.sections.emplace_back(Section{.id = entry.at("id"), .title = entry.at("title")});
    const bool there = !entry.contains("needs") || !results.of(entry.at("needs")).empty();
    for (const nlohmann::json& part : entry.at("parts")) {
      if (there) build({results, part, section});
    }
    if (section.blocks.empty()) section.blocks.push_back(Paragraph{"Nothing has been stored yet."});
  }
  return page;
}

void write_tables(const Results& results, const std::filesystem::path& file) {
  write_file(file, to_tables(make_report(results)));
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

}  // namespace nrs::lab
