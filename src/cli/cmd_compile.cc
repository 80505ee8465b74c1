// nrs compile: automata and tables that say what the networks of a model say.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "architectures/compiled_model.h"
#include "base/files.h"
#include "base/process.h"
#include "base/status_line.h"
#include "cli/models.h"
#include "cli/options.h"
#include "compile/compile_solver.h"
#include "compile/grown_texts.h"
#include "eval/origin.h"
#include "eval/stages.h"
#include "model/join.h"
#include "model/networks.h"
#include "nrs/error.h"

namespace nrs::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CompileOptions {
  std::string model;
  std::string out;
  std::uint64_t contexts = 10'000'000;
  std::uint64_t sample = 1'000'000;
  std::uint64_t seed = 0;
  bool alone = false;  // without the networks
  bool share = false;
  int threads = 0;
};

struct Compilation {
  model::Model model;
  std::string report;  // for people
  bool equal = false;  // no disagreement was found
};

// The Selector of any Rewriter that has one. Leaves that the Solver refuses are left out: nothing
// becomes of them in a formula that has a value, and what a network says there follows no rule.
class FoundBy final : public Selector {
 public:
  // `known` are all texts that the Solver answers; null: it may answer others.
  FoundBy(const rewrite::ModularRewriter& rewriter, const runtime::LeafTable* known)
      : rewriter_(rewriter), known_(known) {}

  std::vector<std::vector<SelectedLeaf>> select(
      std::span<const Fragment> fragments) const override {
    std::vector<std::string_view> texts;
    for (const Fragment& fragment : fragments) texts.push_back(fragment.text);
    std::vector<std::vector<SelectedLeaf>> leaves;
    for (const auto& found : rewriter_.find(texts)) {
      const std::string_view text = texts[leaves.size()];
      std::vector<SelectedLeaf>& selected = leaves.emplace_back();
      for (const Span span : found.leaves) {
        if (usable(span.of(text))) selected.push_back({span, 0});
      }
    }
    return leaves;
  }

 private:
  bool usable(std::string_view leaf) const {
    std::string_view copied;
    return known_ == nullptr || known_->find(leaf, copied) != nullptr;
  }

  const rewrite::ModularRewriter& rewriter_;
  const runtime::LeafTable* known_;
};

[[noreturn]] void refuse(const model::Model& model, const std::string& why) {
  throw Error(ErrorKind::kUsage, fmt::format("model '{}' cannot be compiled: {}", model.name, why));
}

architectures::Compilable what_to_compile(const architectures::RunningModel& running) {
  architectures::Compilable what = running.architecture().compilable(running.model());
  if (!what.hindrance.empty()) refuse(running.model(), what.hindrance);
  return what;
}

// Finds out what the modules of a model say, and puts that into the modules of a compiled one.
class ModelCompiler {
 public:
  // Throws Error (usage) if the model is of an architecture that is not compiled.
  ModelCompiler(const model::Model& model, const CompileOptions& options,
                const std::function<bool(const std::string&)>& progress)
      : options_(options),
        progress_(progress),
        running_(model, {.remember = false}),
        model_(running_.model()),
        what_(what_to_compile(running_)),
        rewriter_(running_.modular()),
        domains_(eval::domains_of(model_)) {
    if (!what_.leaves && domains_.empty()) {
      refuse(model_, "neither a guard nor a domain says what its leaves are");
    }
  }

  // Throws Error (input) if it would become too large; compile::Interrupted if `progress` returns
  // false.
  Compilation run() {
    compile::CompiledSolver solver = compile_the_solver();
    const compile::CompiledSelector selector = compile_the_selector(solver.table);
    Compilation done;
    done.model = model_;
    done.model.certificate.reset();
    done.model.modules.clear();
    done.model.shared.clear();
    for (const std::string& name : what_.kept) {
      const bool network = name == model::kSelectorModule || name == model::kSolverModule;
      if (!network || !options_.alone) done.model.modules[name] = model_.module(name);
    }
    const architectures::CompiledModel compiled{.parts = {.automata = selector.automata,
                                                          .table = std::move(solver.table),
                                                          .habits = what_.habits},
                                                .complete = what_.complete,
                                                .tokens = rewriter_.tokens(),
                                                .reach = rewriter_.reach(),
                                                .last_leaf = rewriter_.wanted() == Leaves::kLast,
                                                .min_log_prob = rewriter_.threshold()};
    architectures::store(compiled, done.model);
    done.equal = selector.comparison.different == 0;
    done.report = report(selector, compiled, solver.unsure);
    done.model.results = results(selector, compiled, solver.unsure);
    return done;
  }

 private:
  // From the domains, if the model tells them; else from its leaves.
  compile::Texts texts() const {
    if (!domains_.empty()) return eval::texts_of(domains_, options_.seed);
    return compile::grown_texts(rewriter_, compile::solve_leaves(rewriter_.solver(), *what_.leaves),
                                options_.seed);
  }

  compile::CompiledSelector compile_the_selector(const runtime::LeafTable& table) const {
    const FoundBy selector(rewriter_, what_.complete ? &table : nullptr);
    return compile::compile_selector({.selector = &selector,
                                      .texts = texts(),
                                      .last_leaf = rewriter_.wanted() == Leaves::kLast,
                                      .sample = options_.sample,
                                      .contexts = options_.contexts,
                                      .threads = options_.threads,
                                      .progress = progress_});
  }

  compile::CompiledSolver compile_the_solver() const {
    return compile::compile_solver(
        {.solver = &rewriter_.solver(),
         .leaves = what_.leaves ? *what_.leaves : leaves_of_domains(),
         .min_log_prob = rewriter_.threshold().value_or(std::numeric_limits<double>::lowest()),
         .threads = options_.threads,
         .progress = progress_});
  }

  std::vector<std::string> leaves_of_domains() const {
    std::set<std::string> leaves;
    for (const Domain* domain : domains_) {
      domain->for_each_leaf(FormulaSpace::kWhole,
                            [&](std::string_view leaf, std::string_view) { leaves.emplace(leaf); });
      domain->for_each_atom([&](std::string_view atom) { leaves.emplace(atom); });
    }
    return {leaves.begin(), leaves.end()};
  }

  static std::string report(const compile::CompiledSelector& selector,
                            const architectures::CompiledModel& compiled, std::size_t unsure) {
    const runtime::MarkAutomata& automata = selector.automata;
    const compile::Comparison& compared = selector.comparison;
    const runtime::LeafTable& table = compiled.parts.table;
    std::string text = fmt::format(
        "Selector     {} states from the left, {} from the right, {} kinds of characters\n"
        "compared     on {} characters of {} formulas: {} different, the network is asked about "
        "{}\n",
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
                        {"seed", options_.seed}};
    return json.dump();
  }

  const CompileOptions& options_;
  const std::function<bool(const std::string&)>& progress_;
  architectures::RunningModel running_;
  const model::Model& model_;
  architectures::Compilable what_;
  const rewrite::ModularRewriter& rewriter_;
  std::vector<const Domain*> domains_;
};

// The networks stay in the files where they are.
void share_networks(model::Model& compiled, const model::Model& original,
                    const std::filesystem::path& file, const std::filesystem::path& out) {
  for (const std::string_view name : {model::kSelectorModule, model::kSolverModule}) {
    if (!compiled.has(name)) continue;
    const auto elsewhere = original.shared.find(std::string(name));
    const bool own = elsewhere == original.shared.end();
    model::share_module(compiled, std::string(name),
                        own ? file : file.parent_path() / elsewhere->second.file, out);
  }
}

int run_compile(const CompileOptions& options) {
  const std::filesystem::path path = model_file(options.model);
  const std::filesystem::path out =
      options.out.empty() ? path.stem().string() + "-compiled.nrs" : options.out;
  AtomicFile(out).write("");  // found out now, not after minutes of work
  notice_interrupts();
  StatusLine status(stderr, errors_are_terminal());
  const auto progress = [&](const std::string& what) {
    if (status.due()) status.show(what);
    return interrupted() == 0;
  };
  try {
    const model::Model original = model::load_model(path);
    Compilation compilation = ModelCompiler(original, options, progress).run();
    status.clear();
    compilation.model.name = out.stem().string();
    if (options.share) share_networks(compilation.model, original, path, out);
    model::save_model(out, compilation.model);
    print(compilation.report +
          fmt::format("model        {} ({:.2f} MB)\n", out.string(),
                      static_cast<double>(std::filesystem::file_size(out)) / 1e6));
    return compilation.equal ? kDone : kNotNormal;
  } catch (const compile::Interrupted&) {
    status.clear();
    complain("interrupted: nothing was written");
    return 128 + interrupted();
  }
}

}  // namespace

void add_compile(CLI::App& app, Action& action) {
  const auto [verb, options] = add_verb<CompileOptions>(app, action, "compile", run_compile);
  add_model_option(*verb, options->model, "MODEL")->required();
  verb->add_option("--out", options->out,
                   "file for the compiled model; default: MODEL-compiled.nrs");
  verb->add_option("--contexts", options->contexts,
                   "characters in context on which the automata are compared with the Selector");
  verb->add_option("--sample", options->sample, "characters from which the automata are learned");
  verb->add_flag("--alone", options->alone,
                 "leave the networks out of the file: what the tables do not contain is refused");
  verb->add_flag("--share", options->share,
                 "refer to the file of MODEL instead of storing its networks again; the file must "
                 "be in the folder of the compiled model")
      ->excludes("--alone");
  verb->add_option("--seed", options->seed, "random seed; the same seed gives the same formulas");
  add_threads_option(*verb, options->threads);
  verb->footer(
      "exit status: 0 nothing differs, 4 the automata and the Selector differ somewhere\n"
      "example: nrs compile arithmetic --out arithmetic-compiled.nrs");
}

}  // namespace nrs::cli
