#include "architectures/two_modules.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/json_config.h"
#include "nrs/error.h"

namespace nrs {
namespace {

using Json = nlohmann::ordered_json;

// How far a mark can see; for a Solver there is no such limit.
Json radius_of(const EncoderConfig& encoder) {
  const std::optional<int> radius = receptive_radius(encoder);
  return radius ? Json(*radius) : Json(nullptr);
}

Json describe_selector(const Model& model) {
  if (!model.has(kSelectorModule)) return nullptr;
  const SelectorModel selector = selector_of(model);
  return {{"parameters", count_parameters(model.module(kSelectorModule))},
          {"weight_bits", selector.half ? 16 : 32},
          {"vocabulary", selector.tokens.size()},
          {"receptive_radius", radius_of(selector.config.encoder)},
          {"config", JsonWriter::write(selector.config)}};
}

Json describe_solver(const Model& model) {
  if (!model.has(kSolverModule)) return nullptr;
  const SolverModel solver = solver_of(model);
  return {{"parameters", count_parameters(model.module(kSolverModule))},
          {"weight_bits", solver.half ? 16 : 32},
          {"vocabulary", {{"input", solver.input.size()}, {"output", solver.output.size()}}},
          {"min_log_prob", solver.min_log_prob},
          {"config", JsonWriter::write(solver.config)}};
}

std::string show_encoder(const EncoderConfig& encoder) {
  std::string text =
      fmt::format("width {}, {} layers, {} heads, {}-norm, {}, positions: {}", encoder.dim,
                  encoder.layers, encoder.heads, enum_name(encoder.norm),
                  enum_name(encoder.activation), enum_name(encoder.positions));
  if (encoder.relative_slots) text += ", relative slots";
  if (const auto radius = receptive_radius(encoder)) {
    text += fmt::format(", sees {} tokens away", *radius);
  }
  return text;
}

std::string show_size(const Module& module) {
  return fmt::format("{} parameters of {} bits", count_parameters(module), module.half ? 16 : 32);
}

std::string show_guard(const std::optional<LeafGuard>& guard) {
  if (!guard) return "any text";
  const LeafGuard::Table& table = guard->table();
  return table.width == LeafGuard::kWholeTexts
             ? "leaves and values that it was taught or that are made like those, and no other text"
             : fmt::format("texts whose parts of {} characters were all taught", table.width);
}

}  // namespace

Json describe_two_modules(const Model& model) {
  return {{"selector", describe_selector(model)}, {"solver", describe_solver(model)}};
}

std::vector<InfoLine> summarise_two_modules(const Model& model,
                                            std::string (*task)(const SelectorModel& selector)) {
  std::vector<InfoLine> lines;
  if (model.has(kSelectorModule)) {
    const SelectorModel selector = selector_of(model);
    lines.push_back(
        {"Selector", fmt::format("{}, {} tokens, {}", show_size(model.module(kSelectorModule)),
                                 selector.tokens.size(), task(selector))});
    lines.push_back({"", show_encoder(selector.config.encoder)});
  }
  if (!model.has(kSolverModule)) return lines;
  const SolverModel solver = solver_of(model);
  lines.push_back(
      {"Solver", fmt::format("{}, {} tokens in, {} out, {} decoder layers, writes {}",
                             show_size(model.module(kSolverModule)), solver.input.size(),
                             solver.output.size(), solver.config.decoder.layers,
                             enum_name(solver.config.decoder.direction))});
  lines.push_back({"", show_encoder(solver.config.encoder)});
  lines.push_back({"answers", show_guard(solver.guard)});
  lines.push_back(
      {"threshold", fmt::format("{:.4g} (joint log-probability of a value)", solver.min_log_prob)});
  return lines;
}

bool has_two_modules(const Model& model, SelectorKind kind) {
  const bool selector = model.has(kSelectorModule), solver = model.has(kSolverModule);
  if (model.modules.empty() || model.modules.size() != std::size_t{selector} + solver) return false;
  // A Solver alone is one for FastNRS.
  return (selector ? selector_kind(model) : SelectorKind::kSegment) == kind;
}

SolverOptions solver_options(const RewriterOptions& options) {
  SolverOptions solver{.threads = options.threads};
  if (!options.remember) solver.remembered = 0;
  return solver;
}

void require_two_modules(const Model& model) {
  for (const auto& [module, title] :
       {std::pair{kSelectorModule, "Selector"}, std::pair{kSolverModule, "Solver"}}) {
    if (model.has(module)) continue;
    throw Error(ErrorKind::kInput,
                fmt::format("model '{}' has no {}: it cannot rewrite formulas", model.name, title),
                "train both modules into one file");
  }
}

}  // namespace nrs
