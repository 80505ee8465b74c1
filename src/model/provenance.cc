#include "model/provenance.h"

namespace nrs {

// A recipe in a model file has been written by the trainer, field by field, so there is one way in
// which this list can look: no TOML reader is needed where models run.
std::vector<std::string> trained_domains(std::string_view recipe) {
  constexpr std::string_view kKey = "\ndomains = [";
  std::vector<std::string> names;
  const std::size_t key = recipe.find(kKey);
  if (key == std::string_view::npos) return names;
  std::string_view list = recipe.substr(key + kKey.size());
  list = list.substr(0, list.find(']'));
  for (std::size_t quote = list.find('\''); quote != std::string_view::npos;) {
    const std::size_t end = list.find('\'', quote + 1);
    if (end == std::string_view::npos) break;
    names.emplace_back(list.substr(quote + 1, end - quote - 1));
    quote = list.find('\'', end + 1);
  }
  return names;
}

std::string trained_protocol(std::string_view recipe) {
  constexpr std::string_view kKey = "\nprotocol = '";
  const std::size_t key = recipe.find(kKey);
  if (key == std::string_view::npos) return {};
  const std::string_view rest = recipe.substr(key + kKey.size());
  return std::string(rest.substr(0, rest.find('\'')));
}

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
