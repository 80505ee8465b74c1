#pragma once
// All verbs, in the order of `nrs --help`, and the programs that have them. `nrs` hands over those
// of the others.
#include <string_view>

namespace nrs::cli {

struct VerbName {
  std::string_view program;
  const char* name;
  const char* purpose;
};

inline constexpr VerbName kVerbs[] = {
    {"nrs", "simplify", "print the normal form of each formula"},
    {"nrs", "info", "tell what a model is and where it came from"},
    {"nrs", "join", "put the Selector of one model and the Solver of another into one file"},
    {"nrs", "train", "train the model that a recipe describes"},
    {"nrs-bulk", "bulk", "answer a long list of formulas in shards, on one machine or many"},
    {"nrs-teach", "learn", "learn a rewriting system from worked examples"},
    {"nrs-teach", "check",
     "prove that rules terminate and are confluent, or look through examples"},
    {"nrs-teach", "rules", "print rules, convert them, or write them as C++"},
    {"nrs-teach", "derive", "write chains t0 -> t1 -> ... of a rule file"},
    {"nrs-measure", "generate", "make formulas with their values"},
    {"nrs-measure", "dataset", "write training, validation and test sets"},
    {"nrs-measure", "eval", "measure how many formulas a model gets right"},
    {"nrs-measure", "verify", "check a model on every leaf that exists"},
    {"nrs-measure", "bench", "measure how fast a model is on this machine"},
    {"nrs-measure", "compile",
     "turn a model into automata and tables that say the same, and faster"},
    {"nrs-measure", "confidence", "print how confident a model is, as JSON"},
    {"nrs-serve", "serve", "answer formulas over HTTP, with a page"},
    {"nrs-lab", "report", "draw the paper's tables and figures from result files"},
    {"nrs-lab", "reproduce",
     "make data sets, models, results and the report, skipping what is done"},
    {"nrs-lab", "tune", "search for better values of a recipe's fields"},
    {"nrs-lab", "ablate", "train the variants of a study, for the report"},
    {"nrs-lab", "baseline", "ask a language model the same formulas"},
};

}  // namespace nrs::cli
