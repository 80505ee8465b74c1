// nrs bench: how fast a model is on this machine, and how that compares with exact rewriting.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/rng.h"
#include "base/status_line.h"
#include "base/threads.h"
#include "cli/cmd_bench.h"
#include "cli/models.h"
#include "cli/options.h"
#include "cli/other_verbs.h"
#include "cli/rule_input.h"
#include "cli/self_run.h"
#include "data/paper_counts.h"
#include "nrs/domain.h"
#include "nrs/error.h"
#include "rewrite/modular.h"
#include "taught/kept_examples.h"
#include "taught/neighbourhoods.h"

namespace nrs::cli {

Spread Spread::of(std::vector<double> values) {
  std::ranges::sort(values);
  return {values[values.size() / 2], values.front(), values.back()};
}

nlohmann::ordered_json Spread::to_json() const {
  return {{"median", median}, {"least", least}, {"most", most}};
}

double wall_seconds() {
  return seconds_since({});
}

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

Spread measure(double budget, const std::function<void()>& work, double (*clock)()) {
  std::vector<double> seconds;
  for (double spent = 0; seconds.size() < 3 || spent < budget; spent += seconds.back()) {
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
  throw Error(ErrorKind::kUsage, "it is not known which formulas this model is for",
              "name a domain with --domain, or a file of examples");
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
    Json report = {{"model", path_.string()}, {"threads", thread_count(options_.threads)}};
    if (work_.domain != nullptr) report["domain"] = work_.domain->name();
    report["start"] = start();
    report["formulas"] = all_formulas({"--model", path_.string()});
    if (work_.domain != nullptr) {
      report["oracle"] = all_formulas({"--engine", "oracle"});
      const auto median = [&](const char* what) { return report[what]["seconds"]["median"]; };
      report["times_the_oracle"] =
          median("formulas").get<double>() / median("oracle").get<double>();
    }
    report["latency"] = latency();
    if (model_.rewriter().modular() != nullptr) {
      report["selector"] = selector();
      report["solver"] = solver();
    }
    print(options_.json ? report.dump(2) + "\n" : show(report));
    return kDone;
  }

 private:
  // The program from start to end for one atom: what a user waits for before anything happens.
  Json start() const {
    const NamelessFile input(work_.samples.front().value + "\n");
    double peak_mb = 0;
    std::vector<double> seconds;
    for (int i = 0; i < 7; ++i) {
      const ChildEnd run = run_self({"simplify", "--model", path_.string()}, input);
      seconds.push_back(run.seconds);
      peak_mb = std::max(peak_mb, run.peak_mb);
    }
    return {{"seconds", Spread::of(std::move(seconds)).to_json()}, {"peak_mb", peak_mb}};
  }

  // The program from start to end for all formulas.
  Json all_formulas(std::vector<std::string> how) const {
    how.insert(how.begin(), "simplify");
    if (work_.domain != nullptr) {
      how.insert(how.end(), {"--domain", std::string(work_.domain->name())});
    }
    how.insert(how.end(), {"--threads", std::to_string(options_.threads)});
    const NamelessFile input(lines_);
    ChildEnd run;
    const Spread seconds = measure(options_.seconds, [&] { run = run_self(how, input); });
    std::size_t right = 0, begin = 0;
    for (const Sample& sample : work_.samples) {
      const std::size_t end = std::min(run.output.find('\n', begin), run.output.size());
      right += run.output.compare(begin, end - begin, sample.value) == 0 ? 1 : 0;
      begin = std::min(end + 1, run.output.size());
    }
    return {{"count", work_.samples.size()},
            {"right", right},
            {"seconds", seconds.to_json()},
            {"per_second", static_cast<double>(work_.samples.size()) / seconds.median},
            {"peak_mb", run.peak_mb}};
  }

  // One of the longest formulas, alone; each is asked for once, so that nothing is remembered.
  Json latency() const {
    std::vector<double> seconds;
    for (std::size_t i = work_.samples.size() - work_.longest; i < work_.samples.size(); ++i) {
      const double begin = wall_seconds();
      model_.rewriter().rewrite(work_.samples[i].formula);
      seconds.push_back(wall_seconds() - begin);
    }
    return {{"of", work_.what}, {"seconds", Spread::of(std::move(seconds)).to_json()}};
  }

  Json selector() const {
    std::vector<std::string_view> formulas;
    double characters = 0;
    for (const Sample& sample : work_.samples) {
      formulas.push_back(sample.formula);
      characters += static_cast<double>(sample.formula.size());
    }
    std::vector<double> seconds;
    for (double spent = 0; seconds.size() < 3 || spent < options_.seconds;
         spent += seconds.back()) {
      const architectures::RunningModel fresh(model_.model());  // one that remembers nothing yet
      const double start = wall_seconds();
      fresh.modular().find(formulas);
      seconds.push_back(wall_seconds() - start);
    }
    return {{"characters_per_second", characters / Spread::of(std::move(seconds)).median}};
  }

  Json solver() const {
    const architectures::RunningModel forgetful(model_.model(), {.remember = false});
    std::vector<std::string_view> formulas, views;
    for (const Sample& sample : work_.samples) formulas.push_back(sample.formula);
    const auto found = forgetful.modular().find(formulas);
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      for (const Span span : found[i].leaves) views.push_back(span.of(formulas[i]));
    }
    views.resize(std::min<std::size_t>(views.size(), 2000));
    const Spread seconds =
        measure(options_.seconds, [&] { forgetful.modular().solver().solve(views); });
    return {{"leaves_per_second", static_cast<double>(views.size()) / seconds.median}};
  }

  static std::string show(const Json& report) {
    const auto time = [](const Json& seconds) {
      const double median = 1e3 * seconds["median"].get<double>();
      return fmt::format("{:.{}f} ms ({:.{}f} to {:.{}f})", median, median < 1 ? 3 : 1,
                         1e3 * seconds["least"].get<double>(), median < 1 ? 3 : 1,
                         1e3 * seconds["most"].get<double>(), median < 1 ? 3 : 1);
    };
    const auto all = [&](const Json& part) {
      return fmt::format("{}, {} of {} right, {:.0f} formulas/s, {:.0f} MB", time(part["seconds"]),
                         part["right"].get<std::size_t>(), part["count"].get<std::size_t>(),
                         part["per_second"].get<double>(), part["peak_mb"].get<double>());
    };
    std::string text;
    const auto line = [&](std::string_view what, const std::string& value) {
      text += fmt::format("{:<18} {}\n", what, value);
    };
    line("model", report["model"].get<std::string>());
    line("threads", report["threads"].dump());
    line("start to end",
         fmt::format("{}, {:.0f} MB, for one atom", time(report["start"]["seconds"]),
                     report["start"]["peak_mb"].get<double>()));
    line("all formulas", all(report["formulas"]));
    if (report.contains("oracle")) {
      line("the oracle", all(report["oracle"]));
      line("times the oracle", fmt::format("{:.1f}", report["times_the_oracle"].get<double>()));
    }
    line("one of " + report["latency"]["of"].get<std::string>(),
         time(report["latency"]["seconds"]));
    if (!report.contains("selector")) return text;
    line("Selector", fmt::format("{:.0f} characters/s on one thread",
                                 report["selector"]["characters_per_second"].get<double>()));
    line("Solver", fmt::format("{:.0f} leaves/s on one thread",
                               report["solver"]["leaves_per_second"].get<double>()));
    return text;
  }

  const BenchOptions& options_;
  std::filesystem::path path_;
  architectures::RunningModel model_;
  Work work_;
  std::string lines_;
};

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* verb = app.add_subcommand(kBenchVerb.name, kBenchVerb.purpose);
  verb->add_option("EXAMPLES", options->examples,
                   "a file of questions with answers, in any form that nrs learn reads; default: "
                   "formulas are generated, for a model of nrs learn from its examples");
  verb->add_option("--model", options->model, "name of a model (nrs info lists them), or its file")
      ->capture_default_str();
  verb->add_option(
          "--rules", options->rules,
          "a rule file instead of a model: the processor time of each term that it asks for")
      ->excludes("--model");
  verb->add_option("--domain", options->domain,
                   domain_names() + "; default: the first one that the model was trained on");
  verb->add_option("--count", options->count, "formulas of each level")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  verb->add_option("--seconds", options->seconds, "time for each measurement")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str();
  add_threads_option(*verb, options->threads);
  verb->add_flag("--json", options->json, "one JSON object");
  verb->footer(
      "Times are medians, with the least and the most; \"start to end\" and \"all formulas\" are "
      "runs\n"
      "of the whole program. example: nrs bench --model arithmetic");
  verb->callback([options, &action] {
    action = [options] {
      const bool rules = !options->rules.empty();
      return rules ? bench_rules(options->rules, options->seconds, options->json)
                   : Bench(*options).run();
    };
  });
}

}  // namespace nrs::cli
