#include "cli/learn.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "architectures/architecture.h"
#include "base/files.h"
#include "cli/console.h"
#include "cli/learn_text.h"
#include "cli/other_program.h"
#include "data/trace_file.h"
#include "examples/held_out.h"
#include "nrs/error.h"
#include "taught/neighbourhoods.h"

namespace nrs::cli {
namespace {

namespace fs = std::filesystem;

// Some of the examples of a file, by their numbers.
std::vector<examples::Example> pick(const examples::ExampleFile& file,
                                    const std::vector<std::uint32_t>& numbers) {
  std::vector<examples::Example> some;
  for (const std::uint32_t number : numbers) some.push_back(file.examples[number]);
  return some;
}

// Formulas with all their leaves, as the patterns see them.
class Traces {
 public:
  explicit Traces(const Rewriter& rewriter) : rewriter_(rewriter) {}

  void add(const std::string& question, const std::string* answer) {
    const Result result = rewriter_.rewrite(question, {.keep_rounds = true});
    if (!result.ok() || (answer && !taught::same_formula(result.formula, *answer))) return;
    const std::vector<std::string> formulas = replay(question, result.record);
    for (std::size_t i = 0; i < result.record.size() && i < formulas.size(); ++i) {
      add_round(formulas[i], result.record[i]);
    }
    examples_.try_emplace(result.formula, data::RewriteExample{result.formula, {}, /*final=*/true});
    longest_value_ = std::max(longest_value_, result.formula.size());
  }

  void write(const fs::path& path) const {
    AtomicFile file(path);
    for (const auto& [formula, example] : examples_) {
      file.write(data::to_json_line(example) + "\n");
    }
    file.commit();
  }

  std::size_t size() const { return examples_.size(); }
  std::size_t longest_leaf() const { return longest_leaf_; }
  std::size_t longest_value() const { return longest_value_; }
  double mean_length() const {
    double sum = 0;
    for (const auto& [formula, example] : examples_) sum += static_cast<double>(formula.size());
    return sum / static_cast<double>(examples_.size());
  }

 private:
  void add_round(const std::string& formula, const Round& round) {
    data::RewriteExample example{formula, {}, false};
    for (const Attempt& attempt : round) {
      if (!attempt.applied) continue;
      example.steps.push_back(attempt.step);
      longest_leaf_ = std::max(longest_leaf_, attempt.step.leaf.size());
      longest_value_ = std::max(longest_value_, attempt.step.value.size());
    }
    if (!example.steps.empty()) examples_.try_emplace(formula, std::move(example));
  }

  const Rewriter& rewriter_;
  std::map<std::string, data::RewriteExample> examples_;  // by formula
  std::size_t longest_leaf_ = 1, longest_value_ = 1;
};

// Dilations whose sum is at least `reach`.
std::vector<int> dilations_for(std::size_t reach) {
  std::vector<int> dilations{1, 2, 4, 8};
  while (std::accumulate(dilations.begin(), dilations.end(), std::size_t{1}) < reach) {
    dilations.push_back(16);
  }
  dilations.push_back(1);
  return dilations;
}

// Steps of a module that take about so many minutes: a step has a fixed cost, and one for each
// character of its batch.
int steps_for(double minutes, int batch, double characters, int most) {
  constexpr double kSecondsPerStep = 0.01, kSecondsPerCharacter = 30e-6;
  const double step = kSecondsPerStep + batch * kSecondsPerCharacter * characters;
  return std::clamp(static_cast<int>(60 * minutes / step), 100, most);
}

// Sizes follow from the leaves; all other fields are as usual, and nrs info --recipe shows them.
std::string recipe_for(const Traces& traces, const std::string& file, const LearnOptions& options) {
  constexpr int kBatch = 64;
  const std::vector<int> dilations = dilations_for(traces.longest_leaf() + 8);
  const auto leaf = static_cast<double>(traces.longest_leaf() + traces.longest_value());
  const int selector = steps_for(0.4 * options.minutes, kBatch, traces.mean_length(), 1500);
  const int solver = steps_for(0.6 * options.minutes, 2 * kBatch, leaf, 6000);
  return fmt::format(
      "# Written by nrs learn: sizes and reach follow from the examples.\n"
      "name = \"{}\"\nseed = {}\n\n"
      "[data]\ntraces = {}\n\n"
      "[selector.encoder]\nlayers = {}\ndilations = [{}]\n\n"
      "[solver.encoder]\nmax_positions = {}\n\n[solver.decoder]\nmax_length = {}\n\n"
      "[train.selector]\nsteps = {}\nbatch = {}\nvalidate_every = 50\npatience = 3\n\n"
      "[train.solver]\nsteps = {}\nbatch = {}\nvalidate_every = 100\npatience = 3\n"
      "average = 0.98\nwarmup = {}\n",
      fs::path(options.out).stem().string(), options.seed, nlohmann::json(file).dump(),
      dilations.size(), fmt::join(dilations, ", "),
      std::max(traces.longest_leaf(), traces.longest_value()) + 1, traces.longest_value() + 2,
      selector, kBatch, solver, 2 * kBatch, std::min(300, solver / 10));
}

class NetworkTeaching {
 public:
  NetworkTeaching(const LearnOptions& options, const Lesson& lesson)
      : options_(options), lesson_(lesson) {
    if (options.out.empty()) {
      throw Error(ErrorKind::kUsage, "networks need a file", "name one with --out");
    }
    refuse_to_go_on();
    const examples::Split split =
        examples::split_held_out(lesson.file.examples, static_cast<std::uint64_t>(options.seed));
    train_ = lesson.file;
    train_.examples = pick(lesson.file, split.train);
    held_out_ = pick(lesson.file, split.held_out);
  }

  int run() {
    find_program(trainer());  // before anything is done
    find_patterns();
    const Traces traces = make_traces();
    const fs::path out = options_.out;
    const std::string file = out.string() + ".traces.jsonl", recipe = out.string() + ".toml";
    traces.write(file);
    formulas_ = traces.size();
    write_file(recipe, recipe_for(traces, file, options_));
    complain(fmt::format("{} and {}: what the networks are trained on, and how", file, recipe));
    const int code = train(recipe);
    if (code != 0) return code;
    finish();
    return kDone;
  }

 private:
  // Another set of leaves has another recipe, so old weights need not fit. Nobody's networks are
  // replaced by new ones unasked.
  void refuse_to_go_on() const {
    if (lesson_.before.empty()) return;
    if (lesson_.before == fs::path(options_.out)) {
      throw Error(ErrorKind::kUsage,
                  options_.out + ": networks cannot continue from their weights with more examples",
                  "--out OTHER.nrs trains new networks on all examples; --architecture patterns "
                  "continues without networks");
    }
    complain("networks are trained anew, on all examples of " + lesson_.before.string());
  }

  void find_patterns() {
    TextTeaching teaching{.solver = solver_training(options_, ""),
                          .kind_given = options_.kind != "auto" || !lesson_.before.empty()};
    teaching.solver.minutes = 0;  // the table knows all leaves that were taught
    patterns_ = learn_text(train_, teaching);
    const text::PatternSet& set = patterns_.system.patterns;
    if (set.finals.open() || patterns_.system.erases || !set.balanced) {
      throw Error(ErrorKind::kInput,
                  "networks cannot learn this system: a value is empty, changes the balance of "
                  "brackets, or final formulas have any length",
                  "leave out --architecture");
    }
  }

  // The examples and what is on their way, and as many longer formulas spliced from them: networks
  // must see neighbourhoods that no end of the formula cuts.
  Traces make_traces() const {
    constexpr std::size_t kFewestSpliced = 2000, kMostSpliced = 20'000;
    const architectures::RunningModel model(patterns_.model);
    Traces traces(model.rewriter());
    for (const examples::Example& example : train_.examples) {
      traces.add(example.formulas.front(), example.complete ? &example.formulas.back() : nullptr);
    }
    const std::size_t count = std::clamp(train_.examples.size(), kFewestSpliced, kMostSpliced);
    for (const taught::KnownFormula& known : taught::spliced_formulas(
             model.rewriter(), train_.examples, count, static_cast<std::uint64_t>(options_.seed))) {
      traces.add(known.formula, &known.answer);
    }
    return traces;
  }

  int train(const std::string& recipe) const {
    const int code = run_trainer(
        {recipe, "--out=" + options_.out, fmt::format("--threads={}", options_.threads)},
        "the networks could not be trained");
    if (code != 0) {
      complain(fmt::format("interrupted; nrs train {} --out {} --resume continues", recipe,
                           options_.out));
    }
    return code;
  }

  void finish() const {
    TaughtText taught = patterns_;
    taught.model = model::load_model(options_.out);
    taught.model.architecture = architectures::architecture_of(taught.model).name();
    taught.held_out = taught::by_length(
        taught::replay_examples(architectures::RunningModel(taught.model).rewriter(), held_out_));
    taught.questions = {};
    write_card(lesson_.file, taught);
    keep_lesson(lesson_, taught.from_answers ? examples::Kind::kAnswer : examples::Kind::kSteps,
                taught.model);
    model::save_model(options_.out, taught.model);
    print(options_.json ? nlohmann::ordered_json::parse(taught.model.results).dump() + "\n"
                        : show(taught.held_out));
  }

  std::string show(const std::vector<taught::LengthScore>& held_out) const {
    return fmt::format(
        "networks, trained on {} formulas with all their leaves\n{}", formulas_,
        held_out.empty() ? "" : "on held-out examples:\n" + taught::to_text(held_out));
  }

  const LearnOptions& options_;
  const Lesson& lesson_;
  examples::ExampleFile train_;
  std::vector<examples::Example> held_out_;
  TaughtText patterns_;
  std::size_t formulas_ = 0;  // that the networks are trained on
};

}  // namespace

int learn_networks(const LearnOptions& options, const Lesson& lesson) {
  return NetworkTeaching(options, lesson).run();
}

}  // namespace nrs::cli
