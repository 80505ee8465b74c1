#include "model/provenance.h"

namespace nrs {

std::string engine_name(const Model& model) {
  if (model.router) return "ndr";
  return model.selector && model.selector->config.writes() ? "nrs" : "fastnrs";
}

std::uint64_t count_parameters(const WeightMap& weights) {
  std::uint64_t count = 0;
  for (const auto& entry : weights) count += entry.second.values.size();
  return count;
}

std::uint64_t count_parameters(const Model& model) {
  return (model.selector ? count_parameters(model.selector->weights) : 0) +
         (model.solver ? count_parameters(model.solver->weights) : 0) +
         (model.router ? count_parameters(model.router->weights) : 0);
}

}  // namespace nrs
