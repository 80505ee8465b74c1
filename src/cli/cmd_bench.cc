// nrs bench: how fast a model is on this machine, and how that compares with exact rewriting.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/child.h"
#include "base/files.h"
#include "base/rng.h"
#include "base/status_line.h"
#include "base/text.h"
#include "base/threads.h"
#include "cli/cmd_bench.h"
#include "cli/models.h"
#include "cli/options.h"
#include "data/paper_counts.h"
#include "nrs/domain.h"
#include "nrs/error.h"
#include "rewrite/modular.h"
#include "service/models.h"
#include "taught/kept_examples.h"
#include "taught/neighbourhoods.h"

namespace nrs::cli {

Spread Spread::of(std::vector<double> values) {
  std::ranges::sort(values);
  return {values[values.size() / 2], values.front(), values.back()};
}

void to_json(nlohmann::ordered_json& json, const Spread& spread) {
  json = {{"median", spread.median}, {"least", spread.least}, {"most", spread.most}};
}

double wall_seconds() {
  return seconds_since({});
}

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

Spread measure(double budget, const std::function<void()>& work, double (*clock)(),
               const std::function<void()>& before) {
  std::vector<double> seconds;
  for (double spent = 0; seconds.size() < 3 || spent < budget; spent += seconds.back()) {
    before();
    const double start = clock();
    work();
    seconds.push_back(clock() - start);
  }
  return Spread::of(std::move(seconds));
}

namespace {

using Json = nlohmann::ordered_json;

struct BenchOptions {
  std::string examples;  // formulas to ask, in any form that nrs learn reads
  std::string model = "multi";
  std::string rules;  // a file, instead of a model
  std::string domain;
  std::size_t count = 100;  // formulas of each level
  double seconds = 1;       // for each measurement
  int threads = 0;
  bool json = false;
};

constexpr std::uint64_t kSeed = 20260;

// What a model is asked.
struct Work {
  const Domain* domain = nullptr;  // null: a system that is known from examples only
  std::vector<Sample> samples;     // the longest last
  std::size_t longest = 0;         // so many of them are asked one by one
  std::string what;                // these are, in a few words
};

Work of_domain(const Domain& domain, std::size_t count) {
  const int levels = data::paper_counts(domain).test_to;
  Work work{&domain, {}, count, fmt::format("nesting {}", levels)};
  for (int nesting = 1; nesting <= levels; ++nesting) {
    for (std::size_t i = 0; i < count; ++i) {
      Rng rng(mix(kSeed, static_cast<std::uint64_t>(nesting)), i);
      domain.generate({.nesting = nesting, .args = 2}, rng, work.samples.emplace_back());
    }
  }
  return work;
}

Work of_questions(std::vector<taught::KnownFormula> questions, std::size_t count) {
  if (questions.empty()) {
    throw Error(ErrorKind::kInput, "there are no questions with answers to ask",
                "name a file with some");
  }
  std::ranges::stable_sort(questions, {}, [](const auto& q) { return q.formula.size(); });
  Work work{nullptr, {}, std::min(count, questions.size()), "the longest"};
  for (taught::KnownFormula& question : questions) {
    work.samples.push_back(
        {.formula = std::move(question.formula), .value = std::move(question.answer)});
  }
  return work;
}

Work of_file(const std::string& file, std::size_t count) {
  std::vector<taught::KnownFormula> questions;
  for (examples::Example& example : examples::read_examples(file).examples) {
    if (!example.complete || example.formulas.size() < 2) continue;
    questions.push_back({std::move(example.formulas.front()), std::move(example.formulas.back())});
  }
  return of_questions(std::move(questions), count);
}

Work make_work(const BenchOptions& options, const architectures::RunningModel& model) {
  if (!options.examples.empty()) return of_file(options.examples, options.count);
  if (!options.domain.empty()) return of_domain(find_domain(options.domain), options.count);
  const std::vector<std::string> known = model.model().domains;
  if (!known.empty()) return of_domain(find_domain(known.front()), options.count);
  if (taught::keeps_examples(model.model())) {
    constexpr std::size_t kLevels = 6;
    return of_questions(
        taught::spliced_formulas(model.rewriter(), taught::require_examples(model.model()).examples,
                                 kLevels * options.count, kSeed),
        options.count);
  }
  throw Error(ErrorKind::kUsage, "this model does not say which domain it is for",
              "name a domain with --domain, or a file of examples");
}

// A run of the program nrs, measured from outside. Throws Error (I/O) if it fails; formulas without
// a normal form are no failure.
ChildEnd run_nrs(std::vector<std::string> arguments, const NamelessFile& input) {
  arguments.insert(arguments.begin(), "nrs");
  // What it complains of is shown once, if at all, and not in each of many runs.
  ChildEnd end = run_child({.program = service::program_folder() / "nrs",
                            .words = arguments,
                            .input = &input,
                            .keep_errors = true});
  if (end.code != kDone && end.code != kNotNormal) {
    throw Error(ErrorKind::kIo, "nrs " + arguments[1] + " failed: " + last_line(end.errors));
  }
  return end;
}

class Bench {
 public:
  explicit Bench(const BenchOptions& options)
      : options_(options),
        path_(model_file(options.model)),
        model_(load_to_run(options.model)),
        work_(make_work(options, model_)) {
    for (const Sample& sample : work_.samples) lines_ += sample.formula + '\n';
  }

  int run() {
    const int threads = thread_count(options_.threads);
    tell("model", "model", path_.string(), path_.string());
    tell("threads", "threads", threads, std::to_string(threads));
    if (work_.domain != nullptr) report_["domain"] = work_.domain->name();
    start();
    const double median = all_formulas("formulas", "all formulas", {"--model", path_.string()});
    if (work_.domain != nullptr) {
      const double times = median / all_formulas("oracle", "the oracle", {"--engine", "oracle"});
      tell("times_the_oracle", "times the oracle", times, fmt::format("{:.1f}", times));
    }
    latency();
    if (model_.rewriter().modular() != nullptr) {
      selector();
      solver();
    }
    print(options_.json ? report_.dump(2) + "\n" : text_);
    return kDone;
  }

 private:
  void tell(const char* key, std::string_view heading, Json json, const std::string& text) {
    report_[key] = std::move(json);
    text_ += fmt::format("{:<18} {}\n", heading, text);
  }

  static std::string show(const Spread& seconds) {
    return fmt::format("{0:.{3}f} ms ({1:.{3}f} to {2:.{3}f})", 1e3 * seconds.median,
                       1e3 * seconds.least, 1e3 * seconds.most, seconds.median < 1e-3 ? 3 : 1);
  }

  // The program from start to end for one atom: what a user waits for before anything happens.
  void start() {
    const NamelessFile input(work_.samples.front().value + "\n");
    double peak_mb = 0;
    std::vector<double> runs;
    for (int i = 0; i < 7; ++i) {
      const ChildEnd run = run_nrs({"simplify", "--model", path_.string()}, input);
      runs.push_back(run.seconds);
      peak_mb = std::max(peak_mb, run.peak_mb);
    }
    const Spread seconds = Spread::of(std::move(runs));
    tell("start", "start to end", {{"seconds", seconds}, {"peak_mb", peak_mb}},
         fmt::format("{}, {:.0f} MB, for one atom", show(seconds), peak_mb));
  }

  // The program from start to end for all formulas. Returns the median of the seconds.
  double all_formulas(const char* key, const char* heading, std::vector<std::string> how) {
    how.insert(how.begin(), "simplify");
    if (work_.domain != nullptr) {
      how.insert(how.end(), {"--domain", std::string(work_.domain->name())});
    }
    how.insert(how.end(), {"--threads", std::to_string(options_.threads)});
    const NamelessFile input(lines_);
    ChildEnd run;
    const Spread seconds = measure(options_.seconds, [&] { run = run_nrs(how, input); });
    const std::size_t count = work_.samples.size(), right = count_right(run.output);
    const double per_second = static_cast<double>(count) / seconds.median;
    tell(key, heading,
         {{"count", count},
          {"right", right},
          {"seconds", seconds},
          {"per_second", per_second},
          {"peak_mb", run.peak_mb}},
         fmt::format("{}, {} of {} right, {:.0f} formulas/s, {:.0f} MB", show(seconds), right,
                     count, per_second, run.peak_mb));
    return seconds.median;
  }

  std::size_t count_right(const std::string& answers) const {
    std::size_t right = 0, begin = 0;
    for (const Sample& sample : work_.samples) {
      const std::size_t end = std::min(answers.find('\n', begin), answers.size());
      right += answers.compare(begin, end - begin, sample.value) == 0 ? 1 : 0;
      begin = std::min(end + 1, answers.size());
    }
    return right;
  }

  // One of the longest formulas, alone; each is asked for once, so that nothing is remembered.
  void latency() {
    std::vector<double> runs;
    for (std::size_t i = work_.samples.size() - work_.longest; i < work_.samples.size(); ++i) {
      const double begin = wall_seconds();
      model_.rewriter().rewrite(work_.samples[i].formula);
      runs.push_back(wall_seconds() - begin);
    }
    const Spread seconds = Spread::of(std::move(runs));
    tell("latency", "one of " + work_.what, {{"of", work_.what}, {"seconds", seconds}},
         show(seconds));
  }

  std::vector<std::string_view> formulas() const {
    std::vector<std::string_view> formulas;
    for (const Sample& sample : work_.samples) formulas.push_back(sample.formula);
    return formulas;
  }

  void selector() {
    const std::vector<std::string_view> formulas = this->formulas();
    const std::size_t characters = lines_.size() - formulas.size();
    std::optional<architectures::RunningModel> fresh;  // which remembers nothing yet
    const Spread seconds = measure(
        options_.seconds, [&] { fresh->modular().find(formulas); }, wall_seconds,
        [&] { fresh.emplace(model_.model()); });
    const double speed = static_cast<double>(characters) / seconds.median;
    tell("selector", "Selector", {{"characters_per_second", speed}},
         fmt::format("{:.0f} characters/s on one thread", speed));
  }

  void solver() {
    const architectures::RunningModel forgetful(model_.model(), {.remember = false});
    const std::vector<std::string_view> formulas = this->formulas();
    std::vector<std::string_view> views;
    const auto found = forgetful.modular().find(formulas);
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      for (const Span span : found[i].leaves) views.push_back(span.of(formulas[i]));
    }
    views.resize(std::min<std::size_t>(views.size(), 2000));
    const Spread seconds =
        measure(options_.seconds, [&] { forgetful.modular().solver().solve(views); });
    const double speed = static_cast<double>(views.size()) / seconds.median;
    tell("solver", "Solver", {{"leaves_per_second", speed}},
         fmt::format("{:.0f} leaves/s on one thread", speed));
  }

  const BenchOptions& options_;
  std::filesystem::path path_;
  architectures::RunningModel model_;
  Work work_;
  std::string lines_;
  Json report_;
  std::string text_;  // the same for people
};

int run_bench(const BenchOptions& options) {
  const bool rules = !options.rules.empty();
  return rules ? bench_rules(options.rules, options.seconds, options.json) : Bench(options).run();
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  const auto [verb, options] = add_verb<BenchOptions>(app, action, "bench", run_bench);
  verb->add_option(
      "EXAMPLES", options->examples,
      "file of questions with answers, in any form that nrs learn reads; default: formulas are "
      "generated, or spliced from the examples of a model made by nrs learn");
  add_model_option(*verb, options->model);
  verb->add_option(
          "--rules", options->rules,
          "rule file instead of a model: measure the processor time of each term to evaluate in it")
      ->excludes("--model");
  verb->add_option("--domain", options->domain,
                   domain_names() + "; default: the first one that the model was trained on");
  verb->add_option("--count", options->count, "formulas per level")->check(CLI::Range(1, 100000));
  verb->add_option("--seconds", options->seconds, "time for each measurement")
      ->check(CLI::Range(0.0, 3600.0));
  add_threads_option(*verb, options->threads);
  verb->add_flag("--json", options->json, "one JSON object");
  verb->footer(
      "Times are medians, with minimum and maximum; \"start to end\" and \"all formulas\" are "
      "runs\n"
      "of the whole program. example: nrs bench --model arithmetic");
}

}  // namespace nrs::cli
