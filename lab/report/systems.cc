#include "report/systems.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "nrs/error.h"

namespace nrs {
namespace {

// In the order of the paper and of the palette.
constexpr std::array<const char*, 5> kSystems{"FastNRS", "NRS", "NDR", "GPT-4", "o1-preview"};
constexpr std::string_view kAsPublished = "-as-published";

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

bool is_of(const Source& source, const PublishedDomain& domain, bool multi) {
  if (source.engine == "oracle" || is_multi(source) != multi) return false;
  return source.domains.empty() ||
         std::ranges::find(source.domains, domain.name) != source.domains.end();
}

const PublishedDomain* find_domain_in(const Published& published, const std::string& name) {
  const auto found = std::ranges::find(published.domains, name, &PublishedDomain::name);
  return found == published.domains.end() ? nullptr : &*found;
}

std::vector<PublishedDomain> domains_and_all(const Published& published) {
  std::vector<PublishedDomain> domains = published.domains;
  domains.push_back({.name = "multi", .title = "All domains"});
  return domains;
}

const PublishedTraining* find_training_in(const Published& published, const Source& source,
                                          const std::string& module) {
  // The two architectures share their Solver.
  const std::string system = module == "solver" ? "FastNRS" : system_of(source);
  const auto found = std::ranges::find_if(published.training, [&](const PublishedTraining& row) {
    return row.system == system && row.domain == domain_of(source) && row.module == module;
  });
  return found == published.training.end() ? nullptr : &*found;
}

Counts Scored::total(int deepest) const {
  Counts sum;
  for (const auto& [nesting, counts] : levels) {
    if (nesting >= 1 && nesting <= deepest) sum += counts;
  }
  return sum;
}

std::vector<Scored> scored_models(const std::vector<Evaluation>& evaluations,
                                  const PublishedDomain& domain, bool multi) {
  std::vector<Scored> all;
  for (const Evaluation& evaluation : evaluations) {
    const Source& source = evaluation.source;
    if (!is_of(source, domain, multi)) continue;
    std::map<int, Counts> levels;
    for (const LevelCounts& level : evaluation.levels) {
      if (level.domain == domain.name) levels[level.nesting] += level.counts;
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

void add_sources(std::vector<Source>& all, const std::vector<Source>& more) {
  for (const Source& source : more) {
    if (std::ranges::find(all, source.file, &Source::file) == all.end()) all.push_back(source);
  }
}

}  // namespace nrs
