#include "report/systems.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "nrs/error.h"

namespace nrs::lab {
namespace {

// In the order of the paper and of the palette.
constexpr std::array<const char*, 5> kSystems{"FastNRS", "NRS", "NDR", "GPT-4", "o1-preview"};
constexpr std::string_view kAsPublished = "-as-published";

bool is_of(const Source& source, const PublishedDomain& domain, bool multi) {
  if (source.engine == "oracle" || is_multi(source) != multi) return false;
  return source.domains.empty() ||
         std::ranges::find(source.domains, domain.name) != source.domains.end();
}

}  // namespace

Variant variant_of(const Source& source) {
  if (source.recipe.ends_with(kAsPublished)) return Variant::kPaperRecipe;
  return source.protocol == "paper" ? Variant::kPaperLeaves : Variant::kEveryLeaf;
}

std::string system_of(const Source& source) {
  if (source.engine == "fastnrs") return "FastNRS";
  if (source.engine == "nrs") return "NRS";
  if (source.engine == "ndr") return "NDR";
  return source.model.empty() ? source.engine : source.model;
}

std::string label_of(const Source& source) {
  constexpr const char* kVariants[] = {"", ", paper data", ", paper recipe"};
  return system_of(source) + kVariants[static_cast<int>(variant_of(source))];
}

std::string name_of(const Source& source) {
  return source.recipe.empty() ? source.model : source.recipe;
}

int colour_of(const std::string& system) {
  const auto found = std::ranges::find(kSystems, system);
  return static_cast<int>(found - kSystems.begin());
}

bool is_multi(const Source& source) {
  return source.domains.size() != 1;
}

std::string domain_of(const Source& source) {
  return is_multi(source) ? "multi" : source.domains.front();
}

std::string title_of(const Results& results, const std::string& domain) {
  const auto found = std::ranges::find(results.domains, domain, &PublishedDomain::name);
  return found == results.domains.end() ? domain : found->title;
}

std::vector<PublishedDomain> domains_and_all(const Results& results) {
  std::vector<PublishedDomain> domains = results.domains;
  domains.push_back({.name = "multi", .title = "All domains"});
  return domains;
}

const nlohmann::json* published_training(const Results& results, const Source& source,
                                         const std::string& module) {
  // The two architectures share their Solver.
  const std::string system = module == "solver" ? "FastNRS" : system_of(source);
  for (const nlohmann::json& row : results.published.at("training")) {
    if (row.at("system") == system && row.at("domain") == domain_of(source) &&
        row.at("module") == module) {
      return &row;
    }
  }
  return nullptr;
}

std::vector<nlohmann::json> published_accuracies(const Results& results,
                                                 const PublishedDomain& domain, bool multi) {
  std::vector<nlohmann::json> rows;
  for (const nlohmann::json& row : results.published.at("accuracy")) {
    if (row.at("domain") == domain.name && (row.at("setting") == "multi") == multi) {
      rows.push_back(row);
    }
  }
  return rows;
}

std::optional<double> published_at(const nlohmann::json& accuracy, int nesting) {
  const nlohmann::json& values = accuracy.at("by_nesting");
  const auto index = static_cast<std::size_t>(nesting - 1);
  if (index >= values.size() || values[index].is_null()) return std::nullopt;
  return values[index].get<double>();
}

int deepest_published(const nlohmann::json& accuracy) {
  int level = static_cast<int>(accuracy.at("by_nesting").size());
  while (level > 0 && !published_at(accuracy, level)) --level;
  return level;
}

Counts Scored::total(int deepest) const {
  Counts sum;
  for (const auto& [nesting, counts] : levels) {
    if (nesting >= 1 && nesting <= deepest) sum += counts;
  }
  return sum;
}

std::vector<Scored> scored_models(const std::vector<ResultFile>& evaluations,
                                  const PublishedDomain& domain, bool multi) {
  std::vector<Scored> all;
  for (const ResultFile& evaluation : evaluations) {
    const Source& source = evaluation.source;
    if (!is_of(source, domain, multi)) continue;
    std::map<int, Counts> levels;
    for (const nlohmann::json& level : evaluation.data.at("levels")) {
      if (maybe<std::string>(level, "domain") == domain.name) {
        levels[level.at("nesting")] += counts_of(level);
      }
    }
    if (levels.empty()) continue;
    auto same = std::ranges::find_if(all, [&](const Scored& scored) {
      return scored.source.checksum == source.checksum && scored.source.engine == source.engine &&
             scored.source.model == source.model;
    });
    if (same == all.end()) same = all.insert(all.end(), Scored{source, label_of(source), {}, {}});
    for (const auto& [nesting, counts] : levels) {
      if (same->levels.contains(nesting)) {
        throw Error(ErrorKind::kInput,
                    fmt::format("{}: nesting {} of this model is in another file too: one of {}",
                                source.file, nesting, same->sources.front().file),
                    "delete one of them");
      }
      same->levels[nesting] = counts;
    }
    same->sources.push_back(source);
  }
  std::ranges::stable_sort(all, {}, [](const Scored& scored) {
    return std::pair(colour_of(system_of(scored.source)), variant_of(scored.source));
  });
  // Two models of one kind are told apart by their names.
  for (Scored& scored : all) {
    const auto alike = std::ranges::count(
        all, label_of(scored.source), [](const Scored& other) { return label_of(other.source); });
    if (alike > 1) scored.label = system_of(scored.source) + ", " + scored.source.recipe;
  }
  return all;
}

}  // namespace nrs::lab
