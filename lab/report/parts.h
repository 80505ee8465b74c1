#pragma once
// The parts that sections of the page consist of. page.json has their words and their order; of
// each kind a function here fills in the numbers. A result that is not there is said to be missing,
// and is no fault.
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/page.h"

namespace nrs::lab {

struct PagePart {
  const Results& results;
  const nlohmann::json& words;  // its entry in page.json
  Section& section;             // that it is added to

  using Names = std::vector<std::pair<std::string, std::string>>;
  // A field of its entry, with {names} replaced.
  std::string text(const char* field, const Names& names = {}) const;
  bool multi() const { return words.at("multi"); }
  std::vector<std::string> list(const char* field) const;
  // What the entry says of a table or figure. `suffix` makes the id of one of several.
  Table table(const Names& names = {}, const std::string& suffix = "") const;
  Figure figure() const { return {.id = words.at("id"), .caption = text("caption")}; }
  void add(Block block) { section.blocks.push_back(std::move(block)); }
};

struct PartBuilder {
  const char* name;  // as "make" has it
  void (*build)(PagePart& part);
};
std::span<const PartBuilder> accuracy_parts();
std::span<const PartBuilder> training_parts();
std::span<const PartBuilder> other_parts();

// Cells that are alike in every section: ours, and the paper's.
Cell number_cell(std::uint64_t count);
Cell accuracy_cell(const Counts& counts);
Cell not_measured();
Cell published_share(std::optional<double> share, const std::string& source);
Cell published_count(std::optional<std::uint64_t> count, const std::string& source);

}  // namespace nrs::lab
