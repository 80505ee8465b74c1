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
    {"nrs", "info", "describe a model, or list all models"},
    {"nrs", "join", "combine the Selector of one model with the Solver of another"},
    {"nrs", "train", "train the model that a recipe describes"},
    {"nrs-bulk", "bulk", "simplify many formulas in shards, on one machine or several"},
    {"nrs-teach", "learn", "learn a rewriting system from worked examples"},
    {"nrs-teach", "check", "check examples for mistakes, and rules for termination and confluence"},
    {"nrs-teach", "rules", "print rules, convert them, or write them as C++"},
    {"nrs-teach", "derive", "derive chains t0 -> t1 -> ... by the rules of a file"},
    {"nrs-measure", "generate", "generate formulas with their values"},
    {"nrs-measure", "dataset", "write training, validation and test sets"},
    {"nrs-measure", "eval", "measure how many formulas a model gets right"},
    {"nrs-measure", "verify", "check a model on every leaf that exists"},
    {"nrs-measure", "bench", "measure how fast a model is on this machine"},
    {"nrs-measure", "compile",
     "turn a model into automata and tables that give the same answers faster"},
    {"nrs-measure", "confidence", "print how confident a model is, as JSON"},
    {"nrs-serve", "serve", "use and teach models over HTTP, with a web page"},
    {"nrs-lab", "report", "draw the paper's tables and figures from result files"},
    {"nrs-lab", "reproduce", "make data sets, models, results and the report; skip what is done"},
    {"nrs-lab", "tune", "search for better values of a recipe's fields"},
    {"nrs-lab", "ablate", "train the variants of a study, for the report"},
    {"nrs-lab", "baseline", "test a language model on the same formulas"},
};

}  // namespace nrs::cli
