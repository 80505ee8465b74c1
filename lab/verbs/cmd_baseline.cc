// nrs baseline: other people's models on the formulas that ours are asked.
#include <CLI/CLI.hpp>

#include "nrs/error.h"
#include "verbs/verbs.h"

namespace nrs {

void add_baseline(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(kBaselineVerb.name, kBaselineVerb.purpose);
#ifdef NRS_LLM
  verb->require_subcommand(1);
  add_baseline_llm(*verb, action);
#else
  verb->prefix_command();
  verb->callback([&action] {
    action = []() -> int {
      throw Error(ErrorKind::kUsage, "this build cannot ask a language model",
                  "build it with libcurl");
    };
  });
#endif
}

}  // namespace nrs
