#pragma once
// The parts of `nrs simplify`: how a formula is read and rewritten, and how its answer looks.
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/engine_choice.h"
#include "cli/trace.h"
#include "nrs/domain.h"
#include "nrs/rewriter.h"
#include "nrs/error.h"
#include "runtime/running_model.h"

namespace nrs {

struct SimplifyOptions {
  EngineChoice engine;
  std::string model;  // empty: the one that ships as the default
  std::string domain;
  std::string leaves = "all";
  bool trace = false;
  bool json = false;
  bool paper_notation = false;
  int threads = 0;
  std::vector<std::string> formulas;

  bool stream() const { return formulas.empty() || (formulas.size() == 1 && formulas[0] == "-"); }
};

// One formula and what has become of it.
struct Item {
  std::string text;                // as it was given
  std::string place;               // "line 3"; empty for a lone formula
  const Domain* domain = nullptr;  // whose notation it is in, if that of any
  std::string formula;             // as it was read
  Result result;
  std::optional<Error> error;
};

// Answers formulas by the engine of the options. A formula is read in the notation of the domain
// that was asked for, or of one that the model was trained on. A model of someone's own rewriting
// system takes it as it is: nothing about a domain is looked up for it. Const and thread-safe.
class Answerer {
 public:
  // Loads the model, if there is one. Throws Error.
  explicit Answerer(const SimplifyOptions& options);

  // Leaves alone what has an error already.
  void answer(std::span<Item> items) const;
  // Below which a value is not used; nothing without a model or with one that has no such.
  std::optional<double> threshold() const;

 private:
  using Formulas = std::span<const std::string_view>;
  using Runner = std::function<std::vector<Result>(Formulas formulas)>;

  void load(const SimplifyOptions& options);
  void read(Item& item) const;
  static void run(const Runner& runner, std::span<Item* const> items);

  std::vector<const Domain*> domains_;  // in whose notation formulas may be
  std::optional<RunningModel> model_;
  std::string unreadable_hint_;
  RunOptions engine_;
};

// The answer of a formula with its line end; nothing for a lone one that is bad, of which the
// complaint says everything.
std::string show_text(const Item& item, const SimplifyOptions& options, const TraceStyle& style);
// The same as one line of JSON.
std::string show_json(const Item& item, const SimplifyOptions& options,
                      std::optional<double> threshold);

}  // namespace nrs
