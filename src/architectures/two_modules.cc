#include "architectures/two_modules.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/json_config.h"
#include "nrs/error.h"

namespace nrs::architectures {
namespace {

using Json = nlohmann::ordered_json;

// How far a mark can see; for a Solver there is no such limit.
Json radius_of(const nn::EncoderConfig& encoder) {
  const std::optional<int> radius = nn::receptive_radius(encoder);
  return radius ? Json(*radius) : Json(nullptr);
}

Json describe_selector(const model::Model& model) {
  if (!model.has(model::kSelectorModule)) return nullptr;
  const model::SelectorModel selector = model::selector_of(model);
  return {{"parameters", model::count_parameters(model.module(model::kSelectorModule))},
          {"weight_bits", selector.half ? 16 : 32},
          {"vocabulary", selector.tokens.size()},
          {"receptive_radius", radius_of(selector.config.encoder)},
          {"config", model::write_fields(selector.config)}};
}

Json describe_solver(const model::Model& model) {
  if (!model.has(model::kSolverModule)) return nullptr;
  const model::SolverModel solver = model::solver_of(model);
  return {{"parameters", model::count_parameters(model.module(model::kSolverModule))},
          {"weight_bits", solver.half ? 16 : 32},
          {"vocabulary", {{"input", solver.input.size()}, {"output", solver.output.size()}}},
          {"min_log_prob", solver.min_log_prob},
          {"config", model::write_fields(solver.config)}};
}

std::string show_encoder(const nn::EncoderConfig& encoder) {
  std::string text =
      fmt::format("width {}, {} layers, {} heads, {}-norm, {}, positions: {}", encoder.dim,
                  encoder.layers, encoder.heads, enum_name(encoder.norm),
                  enum_name(encoder.activation), enum_name(encoder.positions));
  if (encoder.relative_slots) text += ", relative slots";
  if (const auto radius = nn::receptive_radius(encoder)) {
    text += fmt::format(", sees {} tokens away", *radius);
  }
  return text;
}

std::string show_size(const model::Module& module) {
  return fmt::format("{} parameters of {} bits", model::count_parameters(module),
                     module.half ? 16 : 32);
}

std::string show_guard(const std::optional<model::LeafGuard>& guard) {
  if (!guard) return "any text";
  const model::LeafGuard::Table& table = guard->table();
  return table.width == model::LeafGuard::kWholeTexts
             ? "leaves and values that it was taught or that are made like those, and no other text"
             : fmt::format("texts whose parts of {} characters were all taught", table.width);
}

}  // namespace

Json describe_two_modules(const model::Model& model) {
  return {{"selector", describe_selector(model)}, {"solver", describe_solver(model)}};
}

std::vector<InfoLine> summarise_two_modules(
    const model::Model& model, std::string (*task)(const model::SelectorModel& selector)) {
  std::vector<InfoLine> lines;
  if (model.has(model::kSelectorModule)) {
    const model::SelectorModel selector = model::selector_of(model);
    lines.push_back({"Selector", fmt::format("{}, {} tokens, {}",
                                             show_size(model.module(model::kSelectorModule)),
                                             selector.tokens.size(), task(selector))});
    lines.push_back({"", show_encoder(selector.config.encoder)});
  }
  if (!model.has(model::kSolverModule)) return lines;
  const model::SolverModel solver = model::solver_of(model);
  lines.push_back(
      {"Solver", fmt::format("{}, {} tokens in, {} out, {} decoder layers, writes {}",
                             show_size(model.module(model::kSolverModule)), solver.input.size(),
                             solver.output.size(), solver.config.decoder.layers,
                             enum_name(solver.config.decoder.direction))});
  lines.push_back({"", show_encoder(solver.config.encoder)});
  lines.push_back({"answers", show_guard(solver.guard)});
  lines.push_back(
      {"threshold", fmt::format("{:.4g} (joint log-probability of a value)", solver.min_log_prob)});
  return lines;
}

CardNotes card_of_two_modules(const model::Model& model, std::string_view finding) {
  CardNotes notes{.how = fmt::format("{} Two small neural networks do this. {} A *Solver* gives "
                                     "the value of each leaf.",
                                     kByLeaves, finding)};
  if (!model.has(model::kSolverModule)) return notes;
  const model::SolverModel solver = model::solver_of(model);
  notes.limits.emplace_back(
      solver.guard ? "A leaf that is not made like those it was taught is refused (`unknown_leaf`)."
                   : "It has no guard: it gives values for leaves that it was never taught, too, "
                     "and these may be wrong.");
  notes.limits.push_back(fmt::format(
      "A value whose log-probability is below {:.4g} is not used, so that a formula may stay "
      "without an answer (`low_confidence`). That is no mistake, but no answer either.",
      solver.min_log_prob));
  return notes;
}

bool has_two_modules(const model::Model& model, nn::SelectorKind kind) {
  const bool selector = model.has(model::kSelectorModule), solver = model.has(model::kSolverModule);
  if (model.modules.empty() || model.modules.size() != std::size_t{selector} + solver) return false;
  // A Solver alone is one for FastNRS.
  return (selector ? model::selector_kind(model) : nn::SelectorKind::kSegment) == kind;
}

Compilable compilable_networks(const model::Model& model) {
  require_two_modules(model);
  const model::SelectorModel selector = model::selector_of(model);
  if (!selector.tokens.by_byte()) return {.hindrance = "its tokens are longer than a character"};
  constexpr std::size_t kMostLeaves = 4'000'000;
  Compilable what;
  const model::SolverModel solver = model::solver_of(model);
  if (solver.guard) what.leaves = solver.guard->texts(kMostLeaves);
  what.complete = what.leaves.has_value();
  what.kept.emplace_back(model::kSelectorModule);
  const bool marks = selector.config.kind == nn::SelectorKind::kSegment;
  if (!what.complete || !marks) what.kept.emplace_back(model::kSolverModule);
  return what;
}

runtime::SolverOptions solver_options(const RewriterOptions& options) {
  runtime::SolverOptions solver{.threads = options.threads};
  if (!options.remember) solver.remembered = 0;
  return solver;
}

void require_two_modules(const model::Model& model) {
  for (const auto& [module, title] :
       {std::pair{model::kSelectorModule, "Selector"}, std::pair{model::kSolverModule, "Solver"}}) {
    if (model.has(module)) continue;
    throw Error(ErrorKind::kInput,
                fmt::format("model '{}' has no {}: it cannot rewrite formulas", model.name, title),
                "train both modules into one file");
  }
}

}  // namespace nrs::architectures
