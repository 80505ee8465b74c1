#include "model/config_check.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "model/tokenizer.h"
#include "nrs/error.h"

namespace nrs::model {
namespace {

[[noreturn]] void refuse(std::string_view where, const std::string& message, std::string hint) {
  throw Error(ErrorKind::kUsage, std::string(where) + ": " + message, std::move(hint));
}

void check(const nn::DecoderConfig& config, const nn::EncoderConfig& shape,
           std::string_view where) {
  if (config.positions == nn::Positions::kLabel) {
    refuse(where, "label positions cannot tell which output symbol comes next",
           "choose sinusoid or learned");
  }
  if (config.positions == nn::Positions::kSinusoid && shape.dim % 2 != 0) {
    refuse(where, "sinusoid positions need an even dim", fmt::format("dim is {}", shape.dim));
  }
}

void check_heads(int dim, int heads, std::string_view where) {
  if (heads < 1 || dim % heads != 0) {
    refuse(where, fmt::format("dim {} is not a multiple of heads {}", dim, heads),
           "choose dim = heads times the width of a head");
  }
}

}  // namespace

void check(const nn::EncoderConfig& config, std::string_view where) {
  check_heads(config.dim, config.heads, where);
  const bool sinusoids =
      config.positions == nn::Positions::kSinusoid || config.positions == nn::Positions::kLabel;
  if (sinusoids && (config.dim % 2 != 0 || config.dim < 4)) {
    refuse(where, "sinusoid and label positions need an even dim of at least 4",
           fmt::format("dim is {}", config.dim));
  }
  const int dilations = static_cast<int>(config.dilations.size());
  if (dilations != 0 && dilations != config.layers) {
    refuse(where, fmt::format("{} dilations for {} layers", dilations, config.layers),
           "give one dilation per layer, or none for full attention");
  }
  if (config.relative_slots && dilations == 0) {
    refuse(where, "relative_slots without a window", "give dilations, one per layer");
  }
}

void check(const nn::SelectorConfig& config) {
  check(config.encoder, "selector.encoder");
  if (!config.leaf_rules.empty() && (config.writes() || config.marks != nn::Marks::kInside)) {
    refuse("selector", "leaf_rules without marks = \"inside\"",
           "other Selectors tell leaves apart by themselves");
  }
  static_cast<void>(TokenRules(config.leaf_rules));  // throws if one cannot be read
  if (config.writes()) check(config.writer.decoder, config.encoder, "selector.writer.decoder");
}

void check(const nn::SolverConfig& config) {
  check(config.encoder, "solver.encoder");
  check(config.decoder, config.encoder, "solver.decoder");
}

void check(const nn::RouterConfig& config) {
  check_heads(config.dim, config.heads, "router");
  if (config.readout == nn::Readout::kLast && config.columns != 1) {
    refuse("router", "the end column alone cannot hold a value of several tokens",
           "choose columns = 1, or readout = \"first\"");
  }
}

}  // namespace nrs::model
