#include "cli/compile_model.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "architectures/compiled_model.h"
#include "architectures/running_model.h"
#include "base/threads.h"
#include "eval/certificate.h"
#include "eval/stages.h"
#include "model/networks.h"
#include "nrs/error.h"
#include "runtime/selector.h"
#include "runtime/solver.h"

namespace nrs::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostLeaves = 4'000'000;

void require_compilable(const model::Model& model) {
  if (architectures::architecture_of(model).name() == "fastnrs") return;
  throw Error(ErrorKind::kUsage,
              fmt::format("model '{}' cannot be compiled: its architecture is {}", model.name,
                          architectures::architecture_of(model).name()),
              "models of architecture fastnrs can");
}

class ModelCompiler {
 public:
  ModelCompiler(const model::Model& model, const CompileChoices& choices,
                const std::function<bool(const std::string&)>& progress)
      : model_(model),
        choices_(choices),
        progress_(progress),
        selector_model_(model::selector_of(model)),
        solver_model_(model::solver_of(model)),
        selector_(selector_model_),
        solver_(solver_model_, {.remembered = 0}),
        domains_(eval::domains_of(model)) {
    if (!selector_model_.tokens.by_byte()) {
      throw Error(ErrorKind::kUsage, fmt::format("model '{}' cannot be compiled: its tokens are "
                                                 "longer than a character",
                                                 model.name));
    }
    if (domains_.empty()) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("model '{}' does not tell its domain: there are no formulas to "
                              "compile it by",
                              model.name));
    }
  }

  Compilation run() {
    const compile::CompiledSelector selector = compile_the_selector();
    bool complete = false;
    compile::CompiledSolver solver = compile_the_solver(complete);
    Compilation done;
    done.model = model_;
    done.model.certificate.reset();
    done.model.modules.clear();
    done.model.shared.clear();
    if (!choices_.alone) {
      done.model.modules[std::string(model::kSelectorModule)] =
          model_.module(model::kSelectorModule);
      if (!complete) {
        done.model.modules[std::string(model::kSolverModule)] = model_.module(model::kSolverModule);
      }
    }
    architectures::CompiledModel compiled{
        .parts = {.automata = selector.automata, .table = std::move(solver.table)},
        .complete = complete,
        .tokens = selector_model_.tokens.tokens(),
        .reach = selector_.reach(),
        .min_log_prob = solver_model_.min_log_prob};
    architectures::store(compiled, done.model);
    done.equal = selector.comparison.different == 0;
    done.report = report(selector, compiled, solver.unsure);
    done.model.results = results(selector, compiled, solver.unsure);
    return done;
  }

 private:
  compile::CompiledSelector compile_the_selector() const {
    return compile::compile_selector({.selector = &selector_,
                                      .texts = eval::texts_of(domains_, choices_.seed),
                                      .sample = choices_.sample,
                                      .contexts = choices_.contexts,
                                      .threads = choices_.threads,
                                      .progress = progress_});
  }

  // The leaves that the guard accepts, or else those of the domains.
  compile::CompiledSolver compile_the_solver(bool& complete) const {
    std::optional<std::vector<std::string>> leaves;
    if (solver_model_.guard) leaves = compile::accepted_texts(*solver_model_.guard, kMostLeaves);
    complete = leaves.has_value();
    if (!complete) leaves = leaves_of_domains();
    return compile::compile_solver({.solver = &solver_,
                                    .leaves = std::move(*leaves),
                                    .min_log_prob = solver_model_.min_log_prob,
                                    .threads = choices_.threads,
                                    .progress = progress_});
  }

  std::vector<std::string> leaves_of_domains() const {
    std::vector<std::string> leaves;
    for (const Domain* domain : domains_) {
      domain->for_each_leaf(FormulaSpace::kWhole, [&](std::string_view leaf, std::string_view) {
        leaves.emplace_back(leaf);
      });
      domain->for_each_atom([&](std::string_view atom) { leaves.emplace_back(atom); });
    }
    std::ranges::sort(leaves);
    leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
    return leaves;
  }

  static std::string report(const compile::CompiledSelector& selector,
                            const architectures::CompiledModel& compiled, std::size_t unsure) {
    const runtime::MarkAutomata& automata = selector.automata;
    const compile::Comparison& compared = selector.comparison;
    const runtime::LeafTable& table = compiled.parts.table;
    std::string text = fmt::format(
        "Selector     {} states from the left, {} from the right, {} kinds of characters\n"
        "compared     on {} characters of {} formulas: {} different, the network is asked about {}\n",
        automata.left_states() - 1, automata.right_states() - 1, automata.classes - 1,
        compared.contexts, compared.formulas, compared.different, compared.asked);
    text += fmt::format(
        "Solver       {} leaves and values, {} of them unsure{}\n"
        "             {} rows, {} cells, {} values\n",
        table.size(), unsure, compiled.complete ? "; no other text has a value" : "",
        table.parts().rows.size(), table.parts().cells.size(), table.parts().values.size());
    for (const compile::Disagreement& one : compared.first) {
      text += fmt::format("different    column {} of {}\n", one.place + 1, one.text);
    }
    return text;
  }

  std::string results(const compile::CompiledSelector& selector,
                      const architectures::CompiledModel& compiled, std::size_t unsure) const {
    const compile::Comparison& compared = selector.comparison;
    Json json = Json::parse(model_.results);
    json["compiled"] = {{"from", model::model_checksum(model_)},
                        {"left_states", selector.automata.left_states() - 1},
                        {"right_states", selector.automata.right_states() - 1},
                        {"contexts", compared.contexts},
                        {"different", compared.different},
                        {"asked", compared.asked},
                        {"leaves", compiled.parts.table.size()},
                        {"unsure", unsure},
                        {"seed", choices_.seed}};
    return json.dump();
  }

  const model::Model& model_;
  const CompileChoices& choices_;
  const std::function<bool(const std::string&)>& progress_;
  model::SelectorModel selector_model_;
  model::SolverModel solver_model_;
  runtime::ModelSelector selector_;
  runtime::ModelSolver solver_;
  std::vector<const Domain*> domains_;
};

}  // namespace

Compilation compile_model(const model::Model& model, const CompileChoices& choices,
                          const std::function<bool(const std::string&)>& progress) {
  require_compilable(model);
  return ModelCompiler(model, choices, progress).run();
}

}  // namespace nrs::cli
