// The architectures of the paper: a network that finds leaves, and a Solver. FastNRS marks all
// leaves at once, NRS writes the last one.
#include "architectures/networks.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/json_config.h"
#include "model/networks.h"
#include "nrs/error.h"
#include "rewrite/modular.h"
#include "runtime/leaf_writer.h"
#include "runtime/selector.h"

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
             ? "leaves and values that were taught or have the same form, and no other text"
             : fmt::format("texts whose parts of {} characters were all taught", table.width);
}

template <class Finder>
struct Networks {
  template <class FinderOptions>
  Networks(const model::Model& model, const FinderOptions& finder_options,
           const runtime::SolverOptions& solver_options)
      : selector_model(model::selector_of(model)),
        solver_model(model::solver_of(model)),
        finder(selector_model, finder_options),
        solver(solver_model, solver_options) {}

  model::SelectorModel selector_model;
  model::SolverModel solver_model;
  Finder finder;
  runtime::ModelSolver solver;
};

// A Rewriter with the networks that it runs on: `Base` is FastNrs or Nrs, `Finder` its first
// module.
template <class Base, class Finder>
class NetworkRewriter final : private Networks<Finder>, public Base {
 public:
  template <class FinderOptions>
  NetworkRewriter(const model::Model& model, const FinderOptions& finder_options,
                  const runtime::SolverOptions& solver_options)
      : Networks<Finder>(model, finder_options, solver_options),
        Base(this->finder, Networks<Finder>::solver, this->solver_model.min_log_prob) {}

  void check(std::string_view formula) const override {
    this->selector_model.tokens.encode(formula);
  }
  std::vector<std::string> tokens() const override { return this->selector_model.tokens.tokens(); }
};

// Throws Error (input) unless both are there.
void require_two_modules(const model::Model& model) {
  for (const auto& [module, title] :
       {std::pair{model::kSelectorModule, "Selector"}, std::pair{model::kSolverModule, "Solver"}}) {
    if (model.has(module)) continue;
    throw Error(ErrorKind::kInput,
                fmt::format("model '{}' has no {}: it cannot rewrite formulas", model.name, title),
                "train both modules into one file");
  }
}

// What both have in common.
class NetworkArchitecture : public Architecture {
 public:
  explicit NetworkArchitecture(nn::SelectorKind kind) : kind_(kind) {}

  // No other module, and a Selector of this kind if there is one. A Solver alone is one for
  // FastNRS.
  bool recognises(const model::Model& model) const override {
    const bool selector = model.has(model::kSelectorModule);
    const bool solver = model.has(model::kSolverModule);
    if (model.modules.empty() || model.modules.size() != std::size_t{selector} + solver) {
      return false;
    }
    return (selector ? model::selector_kind(model) : nn::SelectorKind::kSegment) == kind_;
  }

  Compilable compilable(const model::Model& model) const override {
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

  Json describe(const model::Model& model) const override { return describe_networks(model); }

  std::vector<InfoLine> summary(const model::Model& model) const override {
    std::vector<InfoLine> lines;
    if (model.has(model::kSelectorModule)) {
      const model::SelectorModel selector = model::selector_of(model);
      lines.push_back({"Selector", fmt::format("{}, {} tokens, {}",
                                               show_size(model.module(model::kSelectorModule)),
                                               selector.tokens.size(), task(selector))});
      lines.push_back({"", show_encoder(selector.config.encoder)});
    }
    for (InfoLine& line : summarise_solver(model)) lines.push_back(std::move(line));
    return lines;
  }

  CardNotes card(const model::Model& model) const override {
    CardNotes notes{.how = fmt::format("{} Two small neural networks do this. {} A *Solver* gives "
                                       "the value of each leaf.",
                                       kByLeaves, finding())};
    if (!model.has(model::kSolverModule)) return notes;
    const model::SolverModel solver = model::solver_of(model);
    notes.limits.emplace_back(
        solver.guard
            ? "A leaf of another form than those it was taught is refused (`unknown_leaf`)."
            : "It has no guard: it also gives values for leaves that it was never taught, and "
              "these may be wrong.");
    notes.limits.push_back(
        fmt::format("A value whose log-probability is below {:.4g} is not used, so a formula may "
                    "get no answer (`low_confidence`).",
                    solver.min_log_prob));
    return notes;
  }

 private:
  // What the Selector does, in a few words and in a sentence.
  virtual std::string task(const model::SelectorModel& selector) const = 0;
  virtual std::string_view finding() const = 0;

  nn::SelectorKind kind_;
};

class FastNrsArchitecture final : public NetworkArchitecture {
 public:
  FastNrsArchitecture() : NetworkArchitecture(nn::SelectorKind::kSegment) {}
  std::string_view name() const override { return "fastnrs"; }
  std::string_view purpose() const override { return "rewrite all leaves in each round"; }

  std::unique_ptr<const Rewriter> make_rewriter(const model::Model& model,
                                                const RewriterOptions& options) const override {
    require_two_modules(model);
    return std::make_unique<NetworkRewriter<rewrite::FastNrs, runtime::ModelSelector>>(
        model, runtime::SelectorOptions{.threads = options.threads}, solver_options(options));
  }

 private:
  std::string task(const model::SelectorModel& selector) const override {
    return fmt::format("marks: {}", enum_name(selector.config.marks));
  }
  std::string_view finding() const override {
    return "A *Selector* marks all leaves of the formula at once, and all are rewritten in each "
           "round (FastNRS).";
  }
};

constexpr EngineSetting kSettings[] = {
    {"samples",
     "draw this many leaves in each step, and rewrite the most confident one that occurs in the "
     "formula; 0: only the likeliest leaf, without drawing. Default: the likeliest; draw 100 only "
     "if it does not occur",
     0, 100'000},
    {"window-threshold",
     "also read windows, which end with the formula, if it has at least this many tokens; 0: "
     "never. Default: the model's own number",
     0, 1 << 30},
    {"sample-seed", "the same seed draws the same leaves", 0, std::int64_t{1} << 62, "0"},
};

runtime::LeafWriterOptions writer_options(const RewriterOptions& options) {
  runtime::LeafWriterOptions writer{.threads = options.threads};
  if (options.unaided) {
    writer.retry = 0;
    writer.window_threshold = 0;
  }
  if (const auto samples = options.setting("samples")) {
    writer.samples = static_cast<int>(*samples);
    writer.retry = 0;
  }
  if (const auto threshold = options.setting("window-threshold")) {
    writer.window_threshold = static_cast<int>(*threshold);
  }
  writer.seed = static_cast<std::uint64_t>(options.setting("sample-seed").value_or(0));
  return writer;
}

class NrsArchitecture final : public NetworkArchitecture {
 public:
  NrsArchitecture() : NetworkArchitecture(nn::SelectorKind::kLastLeaf) {}
  std::string_view name() const override { return "nrs"; }
  std::string_view purpose() const override { return "rewrite one leaf at a time"; }
  std::span<const EngineSetting> settings() const override { return kSettings; }

  std::unique_ptr<const Rewriter> make_rewriter(const model::Model& model,
                                                const RewriterOptions& options) const override {
    require_two_modules(model);
    return std::make_unique<NetworkRewriter<rewrite::Nrs, runtime::ModelLeafWriter>>(
        model, writer_options(options), solver_options(options));
  }

  CardNotes card(const model::Model& model) const override {
    CardNotes notes = NetworkArchitecture::card(model);
    notes.limits.emplace_back(
        "Rewriting one leaf at a time takes many times as long as rewriting all leaves of a "
        "round.");
    return notes;
  }

 private:
  std::string task(const model::SelectorModel& selector) const override {
    const nn::LeafWriterConfig& config = selector.config.writer;
    const std::string windows =
        selector.window_threshold > 0
            ? fmt::format("windows from {} tokens", selector.window_threshold)
            : "no windows";
    return fmt::format("writes the last leaf by {}, {} decoder layers, {}", enum_name(config.cross),
                       config.decoder.layers, windows);
  }
  std::string_view finding() const override {
    return "A *Selector* reads the formula and writes its last leaf, which is then looked for in "
           "the formula: one leaf in each step (NRS).";
  }
};

}  // namespace

Json describe_networks(const model::Model& model) {
  return {{"selector", describe_selector(model)}, {"solver", describe_solver(model)}};
}

std::vector<InfoLine> summarise_solver(const model::Model& model) {
  if (!model.has(model::kSolverModule)) return {};
  const model::SolverModel solver = model::solver_of(model);
  return {
      {"Solver", fmt::format("{}, {} tokens in, {} out, {} decoder layers, writes {}",
                             show_size(model.module(model::kSolverModule)), solver.input.size(),
                             solver.output.size(), solver.config.decoder.layers,
                             enum_name(solver.config.decoder.direction))},
      {"", show_encoder(solver.config.encoder)},
      {"answers", show_guard(solver.guard)},
      {"threshold", fmt::format("{:.4g} (joint log-probability of a value)", solver.min_log_prob)}};
}

runtime::SolverOptions solver_options(const RewriterOptions& options) {
  runtime::SolverOptions solver{.threads = options.threads};
  if (!options.remember) solver.remembered = 0;
  return solver;
}

const Architecture& fastnrs_architecture() {
  static const FastNrsArchitecture architecture;
  return architecture;
}

const Architecture& nrs_architecture() {
  static const NrsArchitecture architecture;
  return architecture;
}

}  // namespace nrs::architectures
