// nrs-learn: trains models. `nrs train` runs it; a program of its own, because libtorch takes half
// a second to load and nothing else needs it.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <string>

#include "base/process.h"
#include "base/status_line.h"
#include "base/usage.h"
#include "data/pair_file.h"
#include "learn/train/solver_recipe.h"
#include "learn/train/train.h"
#include "model/model_file.h"
#include "nrs/error.h"
#include "recipe/train_options.h"

namespace nrs::learn {
namespace {

TrainRequest make_request(recipe::TrainOptions& options) {
  if (options.threads > 0) options.overrides.push_back(fmt::format("threads={}", options.threads));
  TrainRequest request;
  request.recipe = recipe::load_recipe(options.recipe, options.overrides);
  request.recipe.name = recipe::recipe_name(request.recipe, options.recipe);
  request.out = options.out.empty() ? request.recipe.name + ".nrs" : options.out;
  request.only = options.only;
  if (!options.solver_from.empty()) {
    if (options.only == "solver") {
      throw Error(ErrorKind::kUsage, "--solver-from and --only solver exclude each other");
    }
    request.only = "selector";
    request.solver_from = options.solver_from;
  }
  request.resume = options.resume;
  return request;
}

// Whether a model would lose what it has. A file without the module that is trained gets it, and
// loses nothing.
bool replaces(const TrainRequest& request) {
  if (!std::filesystem::exists(request.out)) return false;
  if (request.only.empty() || !request.solver_from.empty()) return true;
  return model::load_model(request.out).has(request.only);
}

// Asks on a terminal; nobody else can answer.
bool agrees_to_replace(const std::string& file) {
  if (isatty(STDIN_FILENO) == 0 || isatty(STDERR_FILENO) == 0) return false;
  fmt::print(stderr, "nrs train: {} exists. Replace it? [y/N] ", file);
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

// Whoever names a file with --out means that file. The name of a recipe may hit one by accident.
// A run that is resumed has been through this.
void check_replacement(const recipe::TrainOptions& options, const TrainRequest& request) {
  if (!options.out.empty() || request.resume || !replaces(request)) return;
  const std::string file = request.out.string();
  if (agrees_to_replace(file)) return;
  throw Error(ErrorKind::kUsage, file + " exists",
              fmt::format("--out {} replaces it, another --out keeps it", file));
}

// "solver 1200/6000  loss 0.0312  in-distribution 99.80 %  out-of-distribution 98.12 %
//  35.1 steps/s  2:17 left", in one line.
std::string show_progress(const TrainingProgress& p) {
  std::string text = fmt::format("{} {}/{}", p.module, p.step, p.steps);
  // A resumed run may validate before its first step.
  const bool stepped = p.steps_per_second > 0;
  if (stepped) text += fmt::format("  loss {:.4g}", p.loss);
  if (p.in_distribution >= 0) {
    text += fmt::format("  in-distribution {:.2f} %  out-of-distribution {:.2f} %",
                        100 * p.in_distribution, 100 * p.out_of_distribution);
  }
  if (stepped) {
    text +=
        fmt::format("  {:.1f} steps/s  {} left", p.steps_per_second, show_duration(p.seconds_left));
  }
  return text;
}

// On a terminal one line that is always up to date, elsewhere a line per validation.
int run(const TrainRequest& request, bool quiet) {
  StatusLine line(stderr, isatty(STDERR_FILENO) != 0);
  TrainWatch watch;
  watch.stop = [] { return interrupted() != 0; };
  watch.on_note = [&line](const std::string& text) { line.note(text); };
  if (!quiet) {
    watch.on_step = [&line](const TrainingProgress& progress) {
      if (line.due()) line.show(show_progress(progress));
    };
    watch.on_validation = [&line](const TrainingProgress& progress) {
      line.note(show_progress(progress));
    };
  }
  if (train(request, watch) == RunEnd::kInterrupted) {
    if (!request.keep_best) line.note("interrupted; continue with --resume");
    return 128 + interrupted();
  }
  line.clear();
  fmt::print("{}\n", request.out.string());
  return 0;
}

int run_train(recipe::TrainOptions& options) {
  const TrainRequest request = make_request(options);
  check_replacement(options, request);
  return run(request, options.quiet);
}

int run_pairs(const recipe::PairsOptions& options) {
  const recipe::Recipe made = solver_recipe(data::read_pair_file(options.pairs), options);
  return run({.recipe = made,
              .out = options.out,
              .only = "solver",
              .resume = options.resume,
              .goes_on = options.goes_on,
              .keep_best = true},
             options.quiet);
}

// Reads the words and does what they ask for; `pairs` is a Solver from questions and answers.
int run_words(bool pairs, int count, char** words) {
  CLI::App app(pairs ? "Trains a Solver from questions and answers." : recipe::kTrainPurpose,
               pairs ? "nrs-learn pairs" : "nrs train");
  recipe::PairsOptions of_pairs;
  recipe::TrainOptions of_recipe;
  pairs ? recipe::declare_pairs(app, of_pairs) : recipe::declare_train(app, of_recipe);
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // help
    throw usage_error(error.what(), [&app](const std::string& name) {
      const CLI::Option* option = app.get_option_no_throw(name);
      return option == nullptr ? std::string() : option->get_type_name();
    });
  }
  notice_interrupts();
  return pairs ? run_pairs(of_pairs) : run_train(of_recipe);
}

}  // namespace
}  // namespace nrs::learn

int main(int count, char** words) {
  const bool pairs = count > 1 && std::string_view(words[1]) == nrs::recipe::kPairsVerb;
  const int skipped = pairs ? 1 : 0;
  return nrs::run_program(pairs ? "nrs learn" : "nrs train", [&] {
    return nrs::learn::run_words(pairs, count - skipped, words + skipped);
  });
}
