// Compiled models: automata and tables instead of networks.
#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <mutex>
#include <nlohmann/json.hpp>

#include "architectures/builtin.h"
#include "architectures/compiled_model.h"
#include "architectures/two_modules.h"
#include "rewrite/modular.h"
#include "runtime/leaf_solver.h"
#include "runtime/mark_selector.h"
#include "runtime/pool.h"
#include "runtime/selector.h"

namespace nrs::architectures {
namespace {

using Json = nlohmann::ordered_json;

// The networks that are asked where the tables do not know enough. Each is built when it is first
// asked, for most formulas need none. Thread-safe.
class LateNetworks {
 public:
  LateNetworks(const model::Model& model, const RewriterOptions& options) : options_(options) {
    kept_.name = model.name;
    for (const std::string_view name : {model::kSelectorModule, model::kSolverModule}) {
      if (model.has(name)) kept_.modules.emplace(name, model.module(name));
    }
  }

  const Selector* selector() const {
    if (!kept_.has(model::kSelectorModule)) return nullptr;
    std::call_once(selector_once_, [this] {
      selector_model_.emplace(model::selector_of(kept_));
      selector_.emplace(*selector_model_, runtime::SelectorOptions{.threads = options_.threads});
    });
    return &*selector_;
  }
  const Solver* solver() const {
    if (!kept_.has(model::kSolverModule)) return nullptr;
    std::call_once(solver_once_, [this] {
      solver_model_.emplace(model::solver_of(kept_));
      solver_.emplace(*solver_model_, solver_options(options_));
    });
    return &*solver_;
  }

 private:
  RewriterOptions options_;
  model::Model kept_;
  mutable std::once_flag selector_once_, solver_once_;
  mutable std::optional<model::SelectorModel> selector_model_;
  mutable std::optional<model::SolverModel> solver_model_;
  mutable std::optional<runtime::ModelSelector> selector_;
  mutable std::optional<runtime::ModelSolver> solver_;
};

struct CompiledModules {
  CompiledModules(const model::Model& model, const RewriterOptions& options)
      : compiled(compiled_model_of(model)),
        tokenizer(model::TokenRules(), compiled.tokens, model::Specials::kInput),
        networks(model, options),
        selector(compiled.parts.automata, [this] { return networks.selector(); }),
        solver(compiled.parts.table, [this] { return networks.solver(); }) {
    for (const std::string& token : compiled.tokens) {
      known.set(static_cast<unsigned char>(token.front()));
    }
  }

  CompiledModel compiled;
  model::Tokenizer tokenizer;
  std::bitset<256> known;
  LateNetworks networks;
  runtime::MarkSelector selector;
  runtime::LeafSolver solver;
};

class CompiledRewriter final : public rewrite::FastNrs {
 public:
  explicit CompiledRewriter(std::unique_ptr<const CompiledModules> modules)
      : rewrite::FastNrs(modules->selector, modules->solver, modules->compiled.min_log_prob,
                         modules->compiled.parts.habits),
        modules_(std::move(modules)) {}

  // A final answer is one of the tables. Any other end is that of the network, which is asked again
  // from the beginning: what it says of formulas that nobody was taught follows no rule.
  std::vector<Result> run(Formulas formulas, const RunOptions& options) const override {
    std::vector<Result> results = run_tables(formulas, options);
    std::vector<std::string_view> asked;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (results[i].ok()) continue;
      asked.push_back(formulas[i]);
      places.push_back(i);
    }
    const Selector* const network = asked.empty() ? nullptr : modules_->networks.selector();
    if (network == nullptr) return results;
    std::vector<Result> others = run_with(*network, asked, options);
    for (std::size_t i = 0; i < places.size(); ++i) results[places[i]] = std::move(others[i]);
    return results;
  }

  void check(std::string_view formula) const override {
    const bool known = std::ranges::all_of(
        formula, [this](char c) { return modules_->known[static_cast<unsigned char>(c)]; });
    if (!known) modules_->tokenizer.encode(formula);  // which tells the place
  }
  std::vector<std::string> tokens() const override { return modules_->compiled.tokens; }
  std::size_t reach() const override { return modules_->compiled.reach; }

 private:
  // Rounds that are recorded, and leaves one by one, take the way of other Rewriters.
  std::vector<Result> run_tables(Formulas formulas, const RunOptions& options) const {
    if (options.keep_rounds || options.leaves != Leaves::kAll) {
      return FastNrs::run(formulas, options);
    }
    const RunOptions all = calibrated(options);
    std::vector<Result> results(formulas.size());
    const auto loop = loops_.borrow();
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      if (!loop->run(modules_->compiled.parts, formulas[i], all, results[i])) {
        results[i] = FastNrs::run(formulas.subspan(i, 1), options).front();
      }
    }
    return results;
  }

  std::unique_ptr<const CompiledModules> modules_;
  mutable runtime::Pool<runtime::MarkedRun> loops_;
};

class CompiledArchitecture final : public Architecture {
 public:
  std::string_view name() const override { return kCompiledArchitecture; }
  std::string_view purpose() const override {
    return "rewrite all leaves in each round, by automata and tables instead of networks";
  }
  std::unique_ptr<const Rewriter> make_rewriter(const model::Model& model,
                                                const RewriterOptions& options) const override {
    return std::make_unique<CompiledRewriter>(
        std::make_unique<const CompiledModules>(model, options));
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
                   {"complete", compiled.parts.complete},
                   {"min_log_prob", compiled.min_log_prob.value_or(0)}}}};
    json.update(describe_two_modules(model));
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
                              compiled.parts.complete ? ", and no other text has a value" : "")}};
    if (compiled.min_log_prob) {
      lines.push_back({"threshold", fmt::format("{:.4g} (joint log-probability of a value)",
                                                *compiled.min_log_prob)});
    }
    for (const std::string_view module : {model::kSelectorModule, model::kSolverModule}) {
      if (!model.has(module)) continue;
      lines.push_back({"network", fmt::format("{}, asked where the tables do not know, {} "
                                              "parameters",
                                              module, count_parameters(model.module(module)))});
    }
    return lines;
  }
};

}  // namespace

const Architecture& compiled_architecture() {
  static const CompiledArchitecture architecture;
  return architecture;
}

}  // namespace nrs::architectures
