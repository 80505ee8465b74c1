#pragma once
// Answers formulas: reads them, rewrites them by a model or by exact rules, and tells what was
// wrong with each that has no answer.
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "architectures/architecture.h"
#include "base/lines.h"
#include "nrs/domain.h"
#include "nrs/error.h"
#include "nrs/nrs.h"
#include "nrs/rewriter.h"
#include "rewrite/oracle.h"

namespace nrs::service {

// One formula and what has become of it.
struct Answer {
  std::string text;                // as it was asked
  std::string place{};             // "line 3"; empty for a lone formula
  const Domain* domain = nullptr;  // whose notation it is in, if that of any
  std::string formula{};           // as it was read
  Result result{};
  std::optional<Error> error{};  // instead of a result

  bool ok() const { return !error && result.ok(); }
};

enum class Notation {
  kDomain,  // as people write formulas of the domains that the model was trained on
  kModel,   // the model's own
};

struct Options {
  const Domain* domain = nullptr;  // in whose notation formulas are; null: any that fits
  Notation notation = Notation::kDomain;
  RunOptions run{};
};

// A model of someone's own rewriting system takes formulas as they are: nothing about a domain is
// looked up for it. Const and thread-safe.
class Answerer {
 public:
  // By a model.
  Answerer(architectures::RunningModel model, const Options& options);
  // By the exact rules of the domains.
  explicit Answerer(const Options& options);
  // By any Rewriter, in whose notation formulas are.
  Answerer(std::unique_ptr<const Rewriter> rewriter, const Options& options);

  // Fills in what is missing in each answer; leaves alone what has an error already.
  void answer(std::span<Answer> answers) const { answer(answers, options_.run); }

  // The same on several threads, and shows the answers, all in their order. Where memory is short
  // for one formula, that is an error in its place, and the others are answered. `show` adds to a
  // text.
  using Show = std::function<void(const Answer& answer, std::string& text)>;
  std::string answer(std::span<Answer> answers, int threads, const Show& show) const {
    return answer(answers, threads, show, options_.run);
  }
  // The same, for once with other options.
  std::string answer(std::span<Answer> answers, int threads, const Show& show,
                     const RunOptions& run) const;

  // Below which a value is not used; nothing without a model or with one that has no such.
  std::optional<double> threshold() const;
  // Null without a model.
  const architectures::RunningModel* model() const { return model_ ? &*model_ : nullptr; }
  // Throws Error (input) at what is wrong with a formula.
  void check(std::string_view text) const;

 private:
  // Null if the domains answer.
  const Rewriter* rewriter() const { return model_ ? &model_->rewriter() : rewriter_.get(); }
  void read(Answer& answer) const;
  void answer(std::span<Answer> answers, const RunOptions& run) const;
  std::string answer_and_show(std::span<Answer> answers, const Show& show,
                              const RunOptions& run) const;
  std::string show_one_by_one(std::span<Answer> answers, const Show& show,
                              const RunOptions& run) const;

  Options options_;
  std::optional<architectures::RunningModel> model_;
  std::unique_ptr<const Rewriter> rewriter_;  // instead of a model
  std::vector<const Domain*> domains_;        // in whose notation formulas may be
  std::optional<rewrite::Oracles> oracles_;
  std::vector<std::string> tokens_;  // that the model knows
  std::string unreadable_hint_;
};

// Gives an answer an error. A formula that is too long for us is not repeated beside it.
void fail(Answer& answer, Error error);

// Calls `process` with many short lines of a stream at a time, or a few long ones, all in order. A
// batch does not wait for lines that have not arrived. Each line has its number for a place, from
// `lines_before` + 1, and an error if it is too long.
using ProcessBatch = std::function<void(std::vector<Answer>& batch)>;
void for_each_batch(LineReader& lines, std::uint64_t lines_before, const ProcessBatch& process);

// Every rewrite of a record (RunOptions::keep_rounds) that began with this formula, as the library
// shows them.
std::vector<Rewrite> rewrites_of(std::string_view formula, std::span<const Round> record);

// JSON in a line, or indented. What is no UTF-8 is replaced.
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

// How an answer is shown.
struct Style {
  bool trace = false;
  bool paper_notation = false;
  std::optional<double> threshold = std::nullopt;  // see Answerer::threshold()
};
// The last formula.
std::string shown_result(const Answer& answer, const Style& style);
// One line for people: the result, or what went wrong.
void add_line(const Answer& answer, const Style& style, std::string& text);
// An object of JSON.
void add_json(const Answer& answer, const Style& style, std::string& text);
// The same as a line.
std::string to_json(const Answer& answer, const Style& style);
// {"message": ..., "column": ..., "hint": ...}, without what it does not have.
std::string to_json(const Error& error);

}  // namespace nrs::service
