// nrs compile: automata and tables that say what the networks of a model say.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/process.h"
#include "base/status_line.h"
#include "cli/compile_model.h"
#include "cli/models.h"
#include "cli/options.h"
#include "cli/other_verbs.h"
#include "model/join.h"
#include "model/networks.h"
#include "nrs/error.h"

namespace nrs::cli {
namespace {

struct CompileOptions {
  std::string model;
  std::string out;
  bool share = false;
  CompileChoices choices;
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
    Compilation compilation = compile_model(original, options.choices, progress);
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
  auto options = std::make_shared<CompileOptions>();
  CLI::App* verb = app.add_subcommand(kCompileVerb.name, kCompileVerb.purpose);
  verb->add_option("MODEL", options->model, "name of a model (nrs info lists them), or its file")
      ->required();
  verb->add_option("--out", options->out, "the compiled model; default: MODEL-compiled.nrs");
  verb->add_option("--contexts", options->choices.contexts,
                   "on how many characters in context the automata are compared with the Selector")
      ->capture_default_str();
  verb->add_option("--sample", options->choices.sample, "on how many characters they are learned")
      ->capture_default_str();
  verb->add_flag("--alone", options->choices.alone,
                 "leave the networks out of the file: what the tables do not know is refused");
  verb->add_flag("--share", options->share,
                 "name the file of MODEL instead of storing its networks again; it must be in the "
                 "folder of the compiled model")
      ->excludes("--alone");
  verb->add_option("--seed", options->choices.seed, "the same seed draws the same formulas")
      ->capture_default_str();
  add_threads_option(*verb, options->choices.threads);
  verb->footer(
      "exit status: 0 nothing differs, 4 the automata and the Selector differ somewhere\n"
      "example: nrs compile arithmetic --out arithmetic-compiled.nrs");
  verb->callback([options, &action] { action = [options] { return run_compile(*options); }; });
}

}  // namespace nrs::cli
