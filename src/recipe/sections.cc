#include "recipe/sections.h"

#include <fmt/format.h>

#include "model/config_check.h"
#include "nrs/error.h"
#include "recipe/recipe.h"

namespace nrs::recipe {

std::string_view RewritingSections::architecture() const {
  return selector.kind == nn::SelectorKind::kLastLeaf ? "nrs" : "fastnrs";
}

std::vector<TrainSection> RewritingSections::trained() const {
  return {{"selector", &train.selector}, {"solver", &train.solver}};
}

void RewritingSections::check(const DataConfig& /*data*/) const {
  for (const TrainSection& module : trained()) {
    if (module.config->easy_first > 0) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("train.{}.easy_first: only a router can have it", module.name),
                  "leave it out");
    }
  }
  model::check(selector);
  model::check(solver);
}

void RouterSections::check(const DataConfig& data) const {
  model::check(router);
  if (!data.domains.empty() && data.protocol == data::Protocol::kPaper) {
    throw Error(ErrorKind::kUsage, "data.protocol: it concerns leaves, and a router learns none",
                "leave it out, or name a folder of `nrs dataset --protocol paper`");
  }
  if (!data.traces.empty() || !data.pairs.empty()) {
    throw Error(ErrorKind::kUsage, "data: a router learns no steps, but formulas with their values",
                "name domains, or a folder with train.csv");
  }
  if (!data.folder.empty() && train.router.easy_first > 0) {
    throw Error(ErrorKind::kUsage,
                "train.router.easy_first: a folder does not say which formulas are easy",
                "leave it out, or name domains");
  }
}

}  // namespace nrs::recipe
