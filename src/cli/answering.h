#pragma once
// How verbs answer formulas, and how they show the answers: what simplify, bulk and eval share.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "architectures/architecture.h"
#include "cli/options.h"
#include "cli/trace.h"
#include "service/answerer.h"

namespace nrs::cli {

// What rewrites.
struct EngineChoice {
  std::string engine;  // an architecture, or the oracle; empty: that of the model
  std::map<std::string, std::int64_t, std::less<>> settings;  // of architectures

  bool oracle() const { return engine == "oracle"; }
  // Loads a model to be rewritten with; nothing for the oracle, which needs none. Throws Error
  // (usage) if it is of another architecture.
  std::optional<architectures::RunningModel> load(const std::string& model, int threads) const;
};

void add_engine_options(CLI::App& verb, EngineChoice& choice);

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

  // As it was given; empty if exact rules or a rule file answer.
  std::string model_or_default() const;
};

// The options outlive the parsing.
void add_answering_options(CLI::App& verb, AnsweringOptions& options);

// `threads` are for one formula. With a rule file and without formulas, `formulas` becomes the list
// of terms that the file asks for. Throws Error.
service::Answerer make_answerer(const AnsweringOptions& options, int threads,
                                std::vector<std::string>& formulas);

// One answer as a line, a trace or JSON.
class AnswerText {
 public:
  // `drawn` is how traces look for people. The options outlive this.
  AnswerText(const AnsweringOptions& options, const service::Answerer& answerer, TraceStyle drawn);

  // Nothing for a lone formula that is bad: the complaint says everything.
  void operator()(const service::Answer& answer, std::string& text) const;
  // What is wrong with an answer that is not ok(), in a line; empty if the answer says it all.
  std::string complaint(const service::Answer& answer) const;

 private:
  const AnsweringOptions& options_;
  service::Style style_;  // of JSON
  TraceStyle drawn_;
};

}  // namespace nrs::cli
