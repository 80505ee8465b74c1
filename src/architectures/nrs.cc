// NRS: a Selector that writes the last leaf, and a Solver.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "architectures/builtin.h"
#include "architectures/two_modules.h"
#include "runtime/leaf_writer.h"

namespace nrs::architectures {
namespace {

constexpr EngineSetting kSettings[] = {
    {"samples",
     "draw this many leaves in each step, and take the surest one that is in the formula; 0: take "
     "the likeliest leaf and draw none. Default: take the likeliest, and draw 100 only if it is "
     "not in the formula",
     0, 100'000},
    {"window-threshold",
     "also look at the ends of a formula, without its beginning, if it has this many tokens or "
     "more; 0: never. Default: the model's own number",
     0, 1 << 30},
    {"sample-seed", "the same seed draws the same leaves", 0, std::int64_t{1} << 62, "0"},
};

runtime::LeafWriterOptions writer_options(const RewriterOptions& options) {
  runtime::LeafWriterOptions writer{.threads = options.threads};
  if (options.unaided) writer.retry = 0, writer.window_threshold = 0;
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

std::string show_task(const model::SelectorModel& selector) {
  const nn::LeafWriterConfig& config = selector.config.writer;
  const std::string windows = selector.window_threshold > 0
                                  ? fmt::format("windows from {} tokens", selector.window_threshold)
                                  : "no windows";
  return fmt::format("writes the last leaf by {}, {} decoder layers, {}", enum_name(config.cross),
                     config.decoder.layers, windows);
}

class NrsArchitecture final : public Architecture {
 public:
  std::string_view name() const override { return "nrs"; }
  std::string_view purpose() const override { return "one leaf at a time"; }
  std::span<const EngineSetting> settings() const override { return kSettings; }

  bool recognises(const model::Model& model) const override {
    return has_two_modules(model, nn::SelectorKind::kLastLeaf);
  }
  std::unique_ptr<const Rewriter> make_rewriter(const model::Model& model,
                                                const RewriterOptions& options) const override {
    require_two_modules(model);
    return std::make_unique<NetworkRewriter<rewrite::Nrs, runtime::ModelLeafWriter>>(
        model, writer_options(options), solver_options(options));
  }

  Compilable compilable(const model::Model& model) const override {
    return compilable_networks(model);
  }

  nlohmann::ordered_json describe(const model::Model& model) const override {
    return describe_two_modules(model);
  }
  std::vector<InfoLine> summary(const model::Model& model) const override {
    return summarise_two_modules(model, show_task);
  }
  CardNotes card(const model::Model& model) const override {
    CardNotes notes = card_of_two_modules(
        model,
        "A *Selector* reads the formula and writes its last leaf, which is then looked for "
        "in the formula: one leaf in each step (NRS).");
    notes.limits.emplace_back(
        "One leaf at a time takes many times as long as all leaves of a round.");
    return notes;
  }
};

}  // namespace

const Architecture& nrs_architecture() {
  static const NrsArchitecture architecture;
  return architecture;
}

}  // namespace nrs::architectures
