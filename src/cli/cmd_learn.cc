// nrs learn: a rewriting system from worked examples.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "base/files.h"
#include "base/status_line.h"
#include "cli/check_examples.h"
#include "cli/learn_networks.h"
#include "cli/learn_rules.h"
#include "cli/learn_text.h"
#include "cli/options.h"
#include "cli/other_verbs.h"
#include "examples/summary.h"
#include "induce/learn.h"
#include "model/model_file.h"
#include "nrs/error.h"

namespace nrs::cli {
namespace {

namespace fs = std::filesystem;

// What can be learned: names of architectures.
const std::string kRules = "rules", kPatterns = "patterns", kNetworks = "fastnrs";

// Patterns of leaves, and values by a table or a Solver.
int learn_patterns(const LearnOptions& options, const Lesson& lesson) {
  StatusLine status(stderr, errors_are_terminal());
  TextTeaching teaching{.solver = solver_training(options, options.out),
                        .kind_given = options.kind != "auto" || !lesson.before.empty()};
  teaching.solver.goes_on = lesson.before;
  teaching.progress = [&](const std::string& text) {
    if (status.due()) status.show(text);
  };
  TaughtText taught = learn_text(lesson.file, teaching);
  status.clear();
  keep_lesson(lesson, taught.from_answers ? examples::Kind::kAnswer : examples::Kind::kSteps,
              taught.model);
  taught.model.name = options.out.empty() ? "learned" : fs::path(options.out).stem();
  taught.model.program = "nrs " NRS_VERSION;
  taught.model.seed = static_cast<std::uint64_t>(options.seed);
  if (!options.out.empty()) model::save_model(options.out, taught.model);
  print(options.json ? to_json(taught) + "\n" : to_text(taught));
  return end_trainings(options.out, teaching.solver, taught.interrupted);
}

// Whether formulas that are terms follow rules with variables. What is computed, ((15+5)*2), can be
// read as terms, too, but then hardly any rule explains several redexes.
bool follow_rules(const examples::ExampleFile& file, const examples::TermsOrText& terms) {
  if (file.kind != examples::Kind::kSteps || terms.likely == examples::Likely::kText) return false;
  if (terms.likely == examples::Likely::kTerms) return true;
  constexpr std::size_t kTried = 300;
  examples::ExampleFile some = file;
  if (some.examples.size() > kTried) some.examples.resize(kTried);
  induce::ChainFile chains = induce::to_chains(std::move(some));
  const induce::Learned learned = induce::learn_rules(chains.terms, chains.chains);
  std::uint64_t general = 0;
  for (const induce::LearnedRule& rule : learned.rules) general += rule.guess ? 0 : rule.steps;
  return learned.steps > 0 && 10 * general >= 9 * learned.steps;
}

// The file that is written if nobody names one: nothing that is there is replaced.
// A model that goes on is replaced by what it becomes.
std::string usual_file(const LearnOptions& options) {
  if (is_model_file(options.examples)) return options.examples;
  if (options.json || options.examples == "-") return {};
  const fs::path file = fs::path(options.examples).stem().string() + ".nrs";
  if (!fs::exists(file)) return file;
  complain(file.string() + " is there already and stays as it is (--out names a file to write)");
  return {};
}

Lesson read_lesson(const LearnOptions& options, const examples::Progress& progress) {
  if (is_model_file(options.examples)) {
    return lesson_of_model(options.examples, options.more, progress);
  }
  if (!options.more.empty()) {
    throw Error(ErrorKind::kUsage, options.examples + ": this is no model that could go on",
                "nrs learn --more FILE MODEL.nrs");
  }
  Lesson lesson;
  lesson.file = read_examples_of_kind(options.examples, options.kind, progress);
  return lesson;
}

int teach(const LearnOptions& options, Lesson lesson) {
  if (options.architecture == kRules) return learn_rules(options, std::move(lesson));
  return options.architecture == kNetworks ? learn_networks(options, lesson)
                                           : learn_patterns(options, lesson);
}

int run(LearnOptions options) {
  StatusLine status(stderr, errors_are_terminal());
  const auto progress = [&](std::string_view doing, std::size_t done) {
    if (status.due()) status.show(fmt::format("{} {}", done, doing));
  };
  Lesson lesson = read_lesson(options, progress);
  const auto seed = static_cast<std::uint64_t>(options.seed);
  const examples::Summary summary = examples::summarise(lesson.file, {seed, progress});
  status.clear();
  fmt::print(stderr, "{}", examples::to_text(summary));
  examples::require_teachable(summary);
  if (options.out.empty()) options.out = usual_file(options);
  if (options.architecture.empty()) options.architecture = lesson.architecture;
  if (options.architecture.empty()) {
    options.architecture = follow_rules(lesson.file, summary.terms) ? kRules : kPatterns;
  }
  const int code = teach(options, std::move(lesson));
  // People who did not name a file want to know which it is.
  if (!options.out.empty() && fs::exists(options.out)) {
    fmt::print(stderr, "written      {}\n", options.out);
  }
  return code;
}

}  // namespace

void add_learn(CLI::App& app, Action& action) {
  auto options = std::make_shared<LearnOptions>();
  CLI::App* verb = app.add_subcommand(kLearnVerb.name, kLearnVerb.purpose);
  verb->add_option("EXAMPLES", options->examples,
                   "file of examples: chains t0 -> t1 -> ... -> tn, questions with answers, CSV, "
                   "TSV or JSON lines; - is standard input; or a model of nrs learn, which goes on")
      ->required();
  verb->add_option("--more", options->more,
                   "further examples for a model: EXAMPLES is the model, and what it becomes takes "
                   "its place unless --out names another file")
      ->type_name("FILE");
  verb->add_option("--out", options->out,
                   "file for the model, which simplify --model runs; default: the name of the "
                   "examples with .nrs. Rules can also go to a file that ends in .rules, .txt, "
                   ".trs, .ari, .rec or .maude, in our text form");
  verb->add_option("--kind", options->kind, "what pairs of formulas are; auto finds out")
      ->check(CLI::IsMember({"auto", "steps", "answers"}))
      ->capture_default_str();
  verb->add_option("--architecture", options->architecture,
                   "rules: rules with variables, of terms; patterns: leaves of any text; fastnrs: "
                   "networks that are trained on the leaves that patterns find; default: rules or "
                   "patterns, whichever fits the examples")
      ->check(CLI::IsMember({kRules, kPatterns, kNetworks}));
  verb->add_option("--minutes", options->minutes,
                   "about how long a Solver may be trained, if values have to be computed")
      ->check(CLI::Range(0.01, 1e5))
      ->capture_default_str();
  verb->add_option("--threads", options->threads, "threads of that training")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  verb->add_option("--seed", options->seed, "same seed and examples, same model")
      ->check(CLI::Range(0, 2'147'483'647))
      ->capture_default_str();
  verb->add_flag("--json", options->json, "what was learned, as one JSON object");
  verb->footer(
      "The last formula of a chain is final, unless the line ends in -> ... ; a line of one "
      "formula "
      "is final.\n"
      "Terms, f(a,g(b)) and the like, give rules with variables, each with the steps that it "
      "explains, and\n"
      "guesses with the term that would decide. Other text gives patterns of leaves, measured on "
      "the "
      "longest\n"
      "tenth of the examples. Values that have to be computed teach a Solver.\n"
      "example: nrs learn chains.txt --out mine.nrs");
  verb->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace nrs::cli
