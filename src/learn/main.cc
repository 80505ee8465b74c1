// nrs-learn: trains models. `nrs train` runs it; a program of its own, because libtorch takes half
// a second to load and nothing else needs it.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <filesystem>
#include <string>

#include "base/process.h"
#include "base/usage.h"
#include "learn/progress.h"
#include "learn/train.h"
#include "nrs/error.h"
#include "recipe/train_options.h"

namespace {

nrs::TrainRequest make_request(nrs::TrainOptions& options) {
  if (options.threads > 0) options.overrides.push_back(fmt::format("threads={}", options.threads));
  nrs::TrainRequest request;
  request.recipe = nrs::load_recipe(options.recipe, options.overrides);
  if (request.recipe.name.empty()) {
    request.recipe.name = std::filesystem::path(options.recipe).stem().string();
  }
  request.out = options.out.empty() ? request.recipe.name + ".nrs" : options.out;
  request.modules = options.only;
  if (!options.solver_from.empty()) {
    if (options.only == nrs::Modules::kSolver) {
      throw nrs::Error(nrs::ErrorKind::kUsage,
                       "--solver-from and --only solver exclude each other");
    }
    request.modules = nrs::Modules::kSelector;
    request.solver_from = options.solver_from;
  }
  request.device = options.device;
  request.resume = options.resume;
  return request;
}

int run(nrs::TrainOptions& options) {
  const nrs::TrainRequest request = make_request(options);
  nrs::ProgressLine line(stderr, isatty(STDERR_FILENO) != 0);
  nrs::TrainWatch watch;
  watch.stop = [] { return nrs::interrupted() != 0; };
  watch.on_note = [&line](const std::string& text) { line.note(text); };
  if (!options.quiet) {
    watch.on_step = [&line](const auto& progress) { line.step(progress); };
    watch.on_validation = [&line](const auto& progress) { line.validation(progress); };
  }
  if (nrs::train(request, watch) == nrs::RunEnd::kInterrupted) {
    line.note("interrupted; go on with --resume");
    return 128 + nrs::interrupted();
  }
  line.clear();
  fmt::print("{}\n", request.out.string());
  return 0;
}

}  // namespace

int main(int count, char** words) {
  CLI::App app(nrs::kTrainPurpose, "nrs train");
  nrs::TrainOptions options;
  nrs::declare_train(app, options);
  try {
    app.parse(count, words);
    nrs::notice_interrupts();
    return run(options);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // help
    fmt::print(stderr, "nrs train: {} (see --help)\n", nrs::usage_message(error.what()));
    return static_cast<int>(nrs::ErrorKind::kUsage);
  } catch (const nrs::Error& error) {
    fmt::print(stderr, "nrs train: {}\n", error.line());
    return static_cast<int>(error.kind());
  } catch (const std::exception& error) {
    fmt::print(stderr, "nrs train: internal error: {}\n", error.what());
    return 1;
  }
}
