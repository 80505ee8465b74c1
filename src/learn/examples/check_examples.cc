#include "learn/examples/check_examples.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/text.h"
#include "model/tokenizer.h"
#include "nrs/error.h"

namespace nrs::learn {
namespace {

// The longest of some texts.
struct Longest {
  std::string_view text;
  std::size_t tokens = 0;

  void add(std::string_view other, const model::TokenRules& rules) {
    if (other.size() <= tokens) return;  // no more tokens than bytes
    const std::size_t size = rules.split(other).size();
    if (size > tokens) *this = {other, size};
  }
  std::string shown() const { return fmt::format("'{}', has {} tokens", excerpt(text), tokens); }
};

bool counts_positions(nn::Positions positions) {
  return positions == nn::Positions::kLearned || positions == nn::Positions::kSinusoid;
}

}  // namespace

// A span that is longer than the reach is not taken for a leaf: its beginning cannot see its end.
void check_examples(const nn::SelectorConfig& config,
                    const std::vector<data::RewriteExample>& examples,
                    const std::function<void(const std::string&)>& warn) {
  const std::optional<int> radius = nn::receptive_radius(config.encoder);
  if (!radius) return;
  const model::TokenRules rules(config.token_rules);
  const auto reach = static_cast<std::size_t>(*radius) + 1;
  Longest leaf;
  Longest final;
  for (const data::RewriteExample& example : examples) {
    if (example.final) final.add(example.formula, rules);
    for (const Step& step : example.steps) leaf.add(step.leaf.of(example.formula), rules);
  }
  if (leaf.tokens > reach) {
    throw Error(ErrorKind::kUsage,
                fmt::format("the longest leaf, {}, but the Selector finds none longer than {}",
                            leaf.shown(), reach),
                fmt::format("the sum of selector.encoder.dilations must be at least {}",
                            (leaf.tokens + static_cast<std::size_t>(config.encoder.window) - 1) /
                                static_cast<std::size_t>(config.encoder.window)));
  }
  if (final.tokens > reach && warn) {
    warn(
        fmt::format("the longest final formula, {}, but the Selector sees only {}: the model will "
                    "not know that formulas of more than {} are final",
                    final.shown(), reach, reach));
  }
}

void check_examples(const nn::SolverConfig& config,
                    const std::vector<data::RewriteExample>& examples) {
  const model::TokenRules rules(config.token_rules);
  Longest leaf;
  Longest value;
  for (const data::RewriteExample& example : examples) {
    if (example.final) leaf.add(example.formula, rules);
    for (const Step& step : example.steps) {
      leaf.add(step.leaf.of(example.formula), rules);
      value.add(step.value, rules);
    }
  }
  const auto most = static_cast<std::size_t>(config.encoder.max_positions);
  if (counts_positions(config.encoder.positions) && leaf.tokens > most) {
    throw Error(ErrorKind::kUsage,
                fmt::format("the longest leaf or final formula, {}, but the Solver reads only {}",
                            leaf.shown(), most),
                fmt::format("set solver.encoder.max_positions to {}", leaf.tokens));
  }
  const auto written = static_cast<std::size_t>(config.decoder.max_length) - 1;  // and its end
  if (value.tokens > written) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("the longest value, {}, but the Solver writes only {}", value.shown(), written),
        fmt::format("set solver.decoder.max_length to {}", value.tokens + 1));
  }
}

void check_final_examples(const std::vector<data::RewriteExample>& examples) {
  const auto is_final = [](const data::RewriteExample& example) { return example.final; };
  if (examples.empty() || std::any_of(examples.begin(), examples.end(), is_final)) return;
  throw Error(ErrorKind::kInput, "no example is final: the model could not learn when to stop",
              "add the formulas at which rewriting ends, with \"final\": true, or in CSV with an "
              "empty next");
}

}  // namespace nrs::learn
