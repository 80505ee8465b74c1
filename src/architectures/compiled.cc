// Compiled models: automata and tables instead of networks.
#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <mutex>
#include <nlohmann/json.hpp>

#include "architectures/compiled_model.h"
#include "architectures/networks.h"
#include "architectures/pattern_model.h"
#include "model/model_file.h"
#include "rewrite/modular.h"
#include "runtime/mark_selector.h"
#include "runtime/pool.h"
#include "runtime/selector.h"
#include "runtime/table_solver.h"

namespace nrs::architectures {
namespace {

using Json = nlohmann::ordered_json;

// What was compiled, if the model has kept it. It is built when it is first asked: most formulas
// need no more than the tables. Thread-safe.
class LateOriginal {
 public:
  // A model of patterns, or networks. `table` gives the values if the model has kept no Solver; it
  // must outlive this.
  LateOriginal(const model::Model& model, const Solver& table, const RewriterOptions& options)
      : table_(table), options_(options) {
    kept_.name = model.name;
    kept_.shared = model.shared;
    for (const auto& [name, module] : model.modules) {
      if (name != kMarksModule && name != kValuesModule) kept_.modules.emplace(name, module);
    }
  }

  // Null if there is none.
  const Rewriter* get() const {
    if (kept_.modules.empty() && kept_.shared.empty()) return nullptr;
    std::call_once(once_, [this] { build(); });
    return rewriter_.get();
  }

 private:
  void build() const {
    model::load_shared(kept_, options_.file);
    if (kept_.has(kPatternsModule)) {
      rewriter_ = patterns_architecture().make_rewriter(kept_, options_);
    } else if (kept_.has(model::kSolverModule)) {
      rewriter_ = architecture_of(kept_).make_rewriter(kept_, options_);
    } else {
      selector_model_.emplace(model::selector_of(kept_));
      selector_.emplace(*selector_model_, runtime::SelectorOptions{.threads = options_.threads});
      rewriter_ = std::make_unique<rewrite::FastNrs>(*selector_, table_);
    }
  }

  const Solver& table_;
  RewriterOptions options_;
  mutable model::Model kept_;
  mutable std::once_flag once_;
  mutable std::optional<model::SelectorModel> selector_model_;
  mutable std::optional<runtime::ModelSelector> selector_;
  mutable std::unique_ptr<const Rewriter> rewriter_;
};

// What the Rewriter runs on.
struct CompiledModules {
  CompiledModules(const model::Model& model, const RewriterOptions& options)
      : compiled(compiled_model_of(model)),
        tokenizer(model::TokenRules(), compiled.tokens, model::Specials::kInput),
        selector(compiled.parts.automata),
        solver(compiled.parts.table),
        original(model, solver, options) {
    for (const std::string& token : compiled.tokens) {
      known.set(static_cast<unsigned char>(token.front()));
    }
  }

  CompiledModel compiled;
  model::Tokenizer tokenizer;
  std::bitset<256> known;
  runtime::MarkSelector selector;
  runtime::LeafSolver solver;
  LateOriginal original;
};

class CompiledRewriter final : private CompiledModules, public rewrite::FastNrs {
 public:
  CompiledRewriter(const model::Model& model, const RewriterOptions& options)
      : CompiledModules(model, options),
        FastNrs(selector, CompiledModules::solver, compiled.min_log_prob, compiled.parts.habits) {}

  // A final answer is one of the tables. Any other end is that of the original, which begins anew:
  // what it says of formulas that nobody was taught follows no rule.
  std::vector<Result> run(Formulas formulas, const RunOptions& options) const override {
    std::vector<Result> results = run_tables(formulas, calibrated(options));
    std::vector<std::string_view> asked;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (results[i].ok()) continue;
      asked.push_back(formulas[i]);
      places.push_back(i);
    }
    const Rewriter* const late = asked.empty() ? nullptr : original.get();
    if (late == nullptr) return results;
    std::vector<Result> others = late->run(asked, calibrated(options));
    for (std::size_t i = 0; i < places.size(); ++i) results[places[i]] = std::move(others[i]);
    return results;
  }

  void check(std::string_view formula) const override {
    const Rewriter* const reader = compiled.tokens.empty() ? original.get() : nullptr;
    if (reader != nullptr) return reader->check(formula);
    const bool all_known = std::ranges::all_of(
        formula, [this](char c) { return known[static_cast<unsigned char>(c)]; });
    if (!all_known) tokenizer.encode(formula);  // which tells the place
  }
  std::vector<std::string> tokens() const override { return compiled.tokens; }
  std::size_t reach() const override { return compiled.reach; }
  Leaves wanted() const override { return compiled.last_leaf ? Leaves::kLast : Leaves::kAll; }

 private:
  // Rounds that are recorded, and leaves one by one, take the way of other Rewriters.
  std::vector<Result> run_tables(Formulas formulas, const RunOptions& options) const {
    if (options.keep_rounds || options.leaves != Leaves::kAll) {
      return FastNrs::run(formulas, options);
    }
    std::vector<Result> results;
    results.reserve(formulas.size());
    const auto loop = loops_.borrow();
    for (const std::string_view formula : formulas) {
      results.push_back(loop->run(compiled.parts, formula, options));
    }
    return results;
  }

  mutable runtime::Pool<runtime::MarkedRun> loops_;
};

class CompiledArchitecture final : public Architecture {
 public:
  std::string_view name() const override { return kCompiledArchitecture; }
  bool reads_late() const override { return true; }
  bool answers_like_another() const override { return true; }
  std::string_view purpose() const override {
    return "rewrite all leaves in each round, with automata and tables instead of networks";
  }
  std::unique_ptr<const Rewriter> make_rewriter(const model::Model& model,
                                                const RewriterOptions& options) const override {
    return std::make_unique<CompiledRewriter>(model, options);
  }

  Json describe(const model::Model& model) const override {
    const CompiledModel compiled = compiled_model_of(model);
    const runtime::MarkAutomata& automata = compiled.parts.automata;
    Json json = {{"marks",
                  {{"left_states", automata.left_states()},
                   {"right_states", automata.right_states()},
                   {"classes", automata.classes}}},
                 {"values",
                  {{"leaves", compiled.parts.table.size()},
                   {"complete", compiled.complete},
                   {"min_log_prob", compiled.min_log_prob.value_or(0)}}}};
    json.update(describe_networks(model));
    return json;
  }
  std::vector<InfoLine> summary(const model::Model& model) const override {
    const CompiledModel compiled = compiled_model_of(model);
    const runtime::MarkAutomata& automata = compiled.parts.automata;
    const runtime::LeafTable& table = compiled.parts.table;
    std::vector<InfoLine> lines = {
        {"automata", fmt::format("{} states from the left, {} from the right, {} kinds of "
                                 "characters",
                                 automata.left_states() - 1, automata.right_states() - 1,
                                 automata.classes - 1)},
        {"table", fmt::format("{} leaves and values in {} rows, {} of them different{}",
                              table.size(), table.parts().rows.size(), table.parts().cells.size(),
                              compiled.complete ? ", and no other text has a value" : "")}};
    if (compiled.min_log_prob) {
      lines.push_back({"threshold", fmt::format("{:.4g} (joint log-probability of a value)",
                                                *compiled.min_log_prob)});
    }
    for (const std::string_view module : {model::kSelectorModule, model::kSolverModule}) {
      if (!model.has(module)) continue;
      lines.push_back({"network", fmt::format("{} with {} parameters, asked where the tables have "
                                              "no answer",
                                              module, count_parameters(model.module(module)))});
    }
    return lines;
  }
  CardNotes card(const model::Model& model) const override {
    const bool alone = !model.has(model::kSelectorModule) && !model.has(kPatternsModule);
    return {.how =
                "Two automata mark the leaves of a formula, and a table has their values. They "
                "were made by asking another model, and compared with it on millions of "
                "characters.",
            .limits = {alone ? "What the automata and the table do not contain is refused."
                             : "What the automata and the table do not contain is given to the "
                               "model that they were made from, which is many times slower.",
                       "It is no better than that model."}};
  }
};

}  // namespace

const Architecture& compiled_architecture() {
  static const CompiledArchitecture architecture;
  return architecture;
}

}  // namespace nrs::architectures
