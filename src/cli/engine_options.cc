#include "cli/engine_options.h"

#include <CLI/CLI.hpp>

namespace nrs {

void add_engine_options(CLI::App& verb, EngineChoice& choice) {
  verb.add_option("--engine", choice.engine,
                  "fastnrs: rewrite all leaves in each round; nrs: one leaf at a time; ndr: the "
                  "value at once, without steps; oracle: exact rules, no model. Default: the one "
                  "that the model was made for")
      ->check(CLI::IsMember({"fastnrs", "nrs", "ndr", "oracle"}));
  verb.add_option("--samples", choice.samples,
                  "with nrs: draw this many leaves in each step, and take the surest one that is "
                  "in the formula; 0: take the likeliest leaf and draw none. Default: take the "
                  "likeliest, and draw 100 only if it is not in the formula")
      ->check(CLI::Range(0, 100'000));
  verb.add_option("--window-threshold", choice.window_threshold,
                  "with nrs: also look at the ends of a formula, without its beginning, if it has "
                  "this many tokens or more; 0: never. Default: the model's own number")
      ->check(CLI::Range(0, 1 << 30));
  verb.add_option("--sample-seed", choice.sample_seed,
                  "with nrs: the same seed draws the same leaves")
      ->capture_default_str();
}

}  // namespace nrs
