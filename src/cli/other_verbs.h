#pragma once
// The verbs of the programs nrs-bulk, nrs-teach, nrs-measure, nrs-serve and nrs-lab, which `nrs`
// hands over to them.
#include <array>

namespace nrs::cli {

struct OtherVerb {
  const char* name;
  const char* purpose;
};

inline constexpr OtherVerb kLearnVerb{"learn", "learn a rewriting system from worked examples"};
inline constexpr OtherVerb kCheckVerb{
    "check", "prove that rules terminate and are confluent, or look through examples"};
inline constexpr OtherVerb kRulesVerb{"rules", "print rules, convert them, or write them as C++"};
inline constexpr OtherVerb kDeriveVerb{"derive", "write chains t0 -> t1 -> ... of a rule file"};

inline constexpr std::array kTeachVerbs{kLearnVerb, kCheckVerb, kRulesVerb, kDeriveVerb};

inline constexpr OtherVerb kBulkVerb{
    "bulk", "answer a long list of formulas in shards, on one machine or many"};

inline constexpr std::array kBulkVerbs{kBulkVerb};

inline constexpr OtherVerb kGenerateVerb{"generate", "make formulas with their values"};
inline constexpr OtherVerb kDatasetVerb{"dataset", "write training, validation and test sets"};
inline constexpr OtherVerb kEvalVerb{"eval", "measure how many formulas a model gets right"};
inline constexpr OtherVerb kVerifyVerb{"verify", "check a model on every leaf that exists"};
inline constexpr OtherVerb kCompileVerb{
    "compile", "turn a model into automata and tables that say the same, and faster"};
inline constexpr OtherVerb kBenchVerb{"bench", "measure how fast a model is on this machine"};

inline constexpr OtherVerb kConfidenceVerb{"confidence", "print how confident a model is, as JSON"};

inline constexpr std::array kMeasureVerbs{kGenerateVerb, kDatasetVerb, kEvalVerb,      kVerifyVerb,
                                          kBenchVerb,    kCompileVerb, kConfidenceVerb};

inline constexpr OtherVerb kServeVerb{"serve", "answer formulas over HTTP, with a page"};

inline constexpr std::array kServeVerbs{kServeVerb};

inline constexpr OtherVerb kReportVerb{"report",
                                       "draw the paper's tables and figures from result files"};
inline constexpr OtherVerb kReproduceVerb{
    "reproduce", "make data sets, models, results and the report, skipping what is done"};
inline constexpr OtherVerb kTuneVerb{"tune", "search for better values of a recipe's fields"};
inline constexpr OtherVerb kAblateVerb{"ablate", "train the variants of a study, for the report"};
inline constexpr OtherVerb kBaselineVerb{"baseline", "ask a language model the same formulas"};

inline constexpr std::array kLabVerbs{kReportVerb, kReproduceVerb, kTuneVerb, kAblateVerb,
                                      kBaselineVerb};

}  // namespace nrs::cli
