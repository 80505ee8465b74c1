#pragma once
// How verbs answer formulas, and how they show the answers: what simplify and bulk share.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/engine_options.h"
#include "cli/trace.h"
#include "service/answerer.h"

namespace nrs::cli {

struct AnsweringOptions {
  EngineChoice engine;
  std::string model;  // empty: the one that ships as the default
  std::string rules;  // a rule file instead
  std::optional<std::size_t> max_steps;
  std::string domain;
  std::string leaves = "all";
  bool trace = false;
  bool json = false;
  bool paper_notation = false;

  // Where the model is; empty if exact rules or a rule file answer.
  std::string model_or_default() const;
};

// The options outlive the parsing.
void add_answering_options(CLI::App& verb, AnsweringOptions& options);

// `threads` of each formula. By a rule file, `formulas` become the terms that it asks for, if there
// are no others. Throws Error.
service::Answerer make_answerer(const AnsweringOptions& options, int threads,
                                std::vector<std::string>& formulas);

// One answer as a line, a trace or JSON.
class AnswerText {
 public:
  // `drawn` is how traces look for people.
  AnswerText(const AnsweringOptions& options, const service::Answerer& answerer, TraceStyle drawn);

  // Nothing for a lone formula that is bad: the complaint says everything.
  void operator()(const service::Answer& answer, std::string& text) const;
  // What is wrong with an answer that is not ok(), in a line; empty if the answer says it all.
  std::string complaint(const service::Answer& answer) const;

 private:
  bool trace_;
  bool json_;
  std::int64_t max_memory_;  // in MB
  service::Style style_;     // of JSON
  TraceStyle drawn_;
};

}  // namespace nrs::cli
