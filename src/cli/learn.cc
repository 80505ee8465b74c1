#include "cli/learn.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "base/output_target.h"
#include "base/status_line.h"
#include "cli/console.h"
#include "cli/learn_text.h"
#include "examples/summary.h"
#include "induce/learn.h"
#include "induce/numbers.h"
#include "model/model_file.h"
#include "nrs/error.h"

namespace nrs::cli {
namespace {

namespace fs = std::filesystem;

// Patterns of leaves, and values by a table or a Solver.
int learn_patterns(const LearnOptions& options, Lesson lesson) {
  StatusLine status(stderr, errors_are_terminal());
  TextTeaching teaching{.solver = solver_training(options, options.out),
                        .kind_given = options.kind != "auto" || !lesson.before.empty()};
  teaching.solver.goes_on = lesson.before;
  teaching.visit_all = lesson.visit_all;
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
  if (!std::ranges::any_of(lesson.file.examples,
                           [](const examples::Example& example) { return example.complete; })) {
    complain(
        "no example says which formulas are final, so the model answers nothing; add some, one per "
        "line, and learn again");
  }
  if (2 * taught.system.explained < taught.system.steps) {
    complain(
        "most examples follow no pattern, and the model refuses them; chains that show every step "
        "would help most: t0 -> t1 -> ... -> tn");
  }
  return end_trainings(options.out, teaching.solver, taught.interrupted);
}

// Whether every step computes one number from others: (+ 7 8) becomes 5.
bool all_computed(induce::ChainFile& chains) {
  const induce::LearnedSystem system = induce::learn_system(chains);
  const term::Term number = term::computed_place(chains.terms, 1);
  const auto computes = [&](const induce::LearnedNumberRule& rule) {
    return rule.rule.rights == std::vector{number};
  };
  return system.learned.rules.empty() && !system.number_rules.empty() &&
         std::ranges::all_of(system.number_rules, computes);
}

// Whether rules explain nearly all steps, each of them several redexes.
bool rules_are_general(induce::ChainFile& chains) {
  const induce::Learned learned = induce::learn_rules(chains.terms, chains.chains);
  std::uint64_t general = 0;
  for (const induce::LearnedRule& rule : learned.rules) general += rule.guess ? 0 : rule.steps;
  return learned.steps > 0 && 10 * general >= 9 * learned.steps;
}

// Whether formulas that are terms follow rules with variables. What is computed, ((15+5)*2) or
// (+ 7 (* 6 3)), can be read as terms, too, but patterns find laws in it, and rules find none.
bool follow_rules(const examples::ExampleFile& file, const examples::TermsOrText& terms) {
  if (file.kind != examples::Kind::kSteps || terms.likely == examples::Likely::kText) return false;
  constexpr std::size_t kTried = 300;
  examples::ExampleFile some;
  const std::size_t count = std::min(kTried, file.examples.size());
  some.examples.assign(file.examples.begin(),
                       file.examples.begin() + static_cast<std::ptrdiff_t>(count));
  induce::ChainFile chains = induce::to_chains(std::move(some));
  return terms.likely == examples::Likely::kTerms ? !all_computed(chains)
                                                  : rules_are_general(chains);
}

// The file that is written if nobody names one: nothing that is there is replaced.
// A model that goes on is replaced by what it becomes.
std::string usual_file(const LearnOptions& options) {
  if (is_model_file(options.examples)) return options.examples;
  if (options.json) return {};
  if (options.examples == "-") {
    complain("examples from standard input have no name: --out names the file for the model");
    return {};
  }
  const fs::path file = fs::path(options.examples).stem().string() + ".nrs";
  if (!fs::exists(file)) return file;
  complain(file.string() + " already exists and is left unchanged (--out names another file)");
  return {};
}

Lesson read_lesson(const LearnOptions& options, const examples::Progress& progress) {
  if (is_model_file(options.examples)) {
    return lesson_of_model(options.examples, options.more, progress);
  }
  if (!options.more.empty()) {
    throw Error(ErrorKind::kUsage,
                options.examples + ": this is not a model, so it cannot learn more",
                "nrs learn --more FILE MODEL.nrs");
  }
  examples::ReadOptions how = read_options(options.kind, progress);
  how.seed = static_cast<std::uint64_t>(options.seed);
  return lesson_of_file(options.examples, how);
}

int teach(const LearnOptions& options, Lesson lesson) {
  if (options.architecture == kLearnRules) return learn_rules(options, std::move(lesson));
  return options.architecture == kLearnNetworks ? learn_networks(options, lesson)
                                                : learn_patterns(options, std::move(lesson));
}

}  // namespace

int learn(LearnOptions options) {
  StatusLine status(stderr, errors_are_terminal());
  const auto progress = [&](std::string_view doing, std::size_t done) {
    if (status.due()) status.show(fmt::format("{} {}", done, doing));
  };
  if (!options.out.empty()) find_target(options.out);  // rather now than after a long training
  Lesson lesson = read_lesson(options, progress);
  const auto seed = static_cast<std::uint64_t>(options.seed);
  const examples::Summary summary = examples::summarise(lesson.file, {seed, progress});
  status.clear();
  fmt::print(stderr, "{}", examples::to_text(summary));
  examples::require_teachable(summary);
  if (options.out.empty()) options.out = usual_file(options);
  if (options.architecture.empty()) options.architecture = lesson.architecture;
  if (options.architecture.empty()) {
    options.architecture = follow_rules(lesson.file, summary.terms) ? kLearnRules : kLearnPatterns;
  }
  const int code = teach(options, std::move(lesson));
  // People who did not name a file want to know which it is.
  if (!options.out.empty() && fs::exists(options.out)) {
    fmt::print(stderr, "written      {}\n", options.out);
  }
  return code;
}

}  // namespace nrs::cli
