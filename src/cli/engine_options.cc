#include "cli/engine_options.h"

#include <CLI/CLI.hpp>

namespace nrs {

void add_engine_options(CLI::App& verb, EngineChoice& choice) {
  verb.add_option(
          "--engine", choice.engine,
          "fastnrs: every leaf in each round; nrs: one written leaf at a time; ndr: the value "
          "at once, without steps; oracle: exact, no model; else what the model is made for")
      ->check(CLI::IsMember({"fastnrs", "nrs", "ndr", "oracle"}));
  verb.add_option(
          "--samples", choice.samples,
          "nrs: leaves drawn in each step, of which the surest that is there is taken; 0: "
          "the likeliest only; else the likeliest, or the surest of 100 if that is not there")
      ->check(CLI::Range(0, 100'000));
  verb.add_option("--window-threshold", choice.window_threshold,
                  "nrs: formulas of so many tokens are read in windows; 0: none; else as the model "
                  "says")
      ->check(CLI::Range(0, 1 << 30));
  verb.add_option("--sample-seed", choice.sample_seed, "nrs: fixes what is drawn")
      ->capture_default_str();
}

}  // namespace nrs
