// nrs bench: how fast a model is on this machine, and how that compares with exact rewriting.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/files.h"
#include "base/rng.h"
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

namespace nrs::cli {

Spread Spread::of(std::vector<double> values) {
  std::ranges::sort(values);
  return {values[values.size() / 2], values.front(), values.back()};
}

nlohmann::ordered_json Spread::to_json() const {
  return {{"median", median}, {"least", least}, {"most", most}};
}

Spread measure(double budget, const std::function<void()>& work) {
  std::vector<double> seconds;
  for (double spent = 0; seconds.size() < 3 || spent < budget; spent += seconds.back()) {
    const auto start = std::chrono::steady_clock::now();
    work();
    seconds.push_back(seconds_since(start));
  }
  return Spread::of(std::move(seconds));
}

namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

struct BenchOptions {
  std::string model = "multi";
  std::string rules;  // a file, instead of a model
  std::string domain;
  std::size_t count = 100;  // formulas of each level
  double seconds = 1;       // for each measurement
  int threads = 0;
  bool json = false;
};

class Bench {
 public:
  explicit Bench(const BenchOptions& options)
      : options_(options),
        path_(model_file(options.model)),
        model_(load_to_run(options.model)),
        domain_(choose_domain()) {
    const int levels = data::paper_counts(domain_).test_to;
    for (int nesting = 1; nesting <= levels; ++nesting) {
      for (std::size_t i = 0; i < options.count; ++i) {
        Rng rng(mix(kSeed, static_cast<std::uint64_t>(nesting)), i);
        domain_.generate({.nesting = nesting, .args = 2}, rng, samples_.emplace_back());
      }
    }
    for (const Sample& sample : samples_) lines_ += sample.formula + '\n';
  }

  int run() {
    Json report = {{"model", path_.string()},
                   {"domain", domain_.name()},
                   {"threads", thread_count(options_.threads)}};
    report["start"] = start();
    report["formulas"] = all_formulas({"--model", path_.string()});
    report["oracle"] = all_formulas({"--engine", "oracle"});
    const auto median = [&](const char* what) { return report[what]["seconds"]["median"]; };
    report["times_the_oracle"] = median("formulas").get<double>() / median("oracle").get<double>();
    report["latency"] = latency();
    if (model_.rewriter().modular() != nullptr) {
      report["selector"] = selector();
      report["solver"] = solver();
    }
    StandardOutput output;
    output.write(options_.json ? report.dump(2) + "\n" : show(report));
    output.flush();
    return kDone;
  }

 private:
  static constexpr std::uint64_t kSeed = 20260;

  const Domain& choose_domain() const {
    if (!options_.domain.empty()) return find_domain(options_.domain);
    const std::vector<std::string> known = model_.model().domains;
    if (!known.empty()) return find_domain(known.front());
    throw Error(ErrorKind::kUsage, "it is not known which formulas this model is for",
                "name a domain with --domain");
  }

  // The program from start to end for one atom: what a user waits for before anything happens.
  Json start() const {
    const NamelessFile input(samples_.front().value + "\n");
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
    how.insert(how.end(), {"--domain", std::string(domain_.name()), "--threads",
                           std::to_string(options_.threads)});
    const NamelessFile input(lines_);
    ChildEnd run;
    const Spread seconds = measure(options_.seconds, [&] { run = run_self(how, input); });
    std::size_t right = 0, begin = 0;
    for (const Sample& sample : samples_) {
      const std::size_t end = std::min(run.output.find('\n', begin), run.output.size());
      right += run.output.compare(begin, end - begin, sample.value) == 0 ? 1 : 0;
      begin = std::min(end + 1, run.output.size());
    }
    return {{"count", samples_.size()},
            {"right", right},
            {"seconds", seconds.to_json()},
            {"per_second", static_cast<double>(samples_.size()) / seconds.median},
            {"peak_mb", run.peak_mb}};
  }

  // One formula of the deepest level, alone; each is asked for once, so that nothing is remembered.
  Json latency() const {
    std::vector<double> seconds;
    for (std::size_t i = samples_.size() - options_.count; i < samples_.size(); ++i) {
      const auto begin = Clock::now();
      model_.rewriter().rewrite(samples_[i].formula);
      seconds.push_back(seconds_since(begin));
    }
    return {{"nesting", data::paper_counts(domain_).test_to},
            {"seconds", Spread::of(std::move(seconds)).to_json()}};
  }

  Json selector() const {
    std::vector<std::string_view> formulas;
    double characters = 0;
    for (const Sample& sample : samples_) {
      formulas.push_back(sample.formula);
      characters += static_cast<double>(sample.formula.size());
    }
    std::vector<double> seconds;
    for (double spent = 0; seconds.size() < 3 || spent < options_.seconds;
         spent += seconds.back()) {
      const architectures::RunningModel fresh(model_.model());  // one that remembers nothing yet
      const auto start = Clock::now();
      fresh.modular().find(formulas);
      seconds.push_back(seconds_since(start));
    }
    return {{"characters_per_second", characters / Spread::of(std::move(seconds)).median}};
  }

  Json solver() const {
    const architectures::RunningModel forgetful(model_.model(), {.remember = false});
    std::vector<std::string> leaves;
    for (const Sample& sample : samples_) {
      for (const Span span : domain_.leaves(sample.formula)) {
        leaves.emplace_back(span.of(sample.formula));
      }
    }
    leaves.resize(std::min<std::size_t>(leaves.size(), 2000));
    const std::vector<std::string_view> views(leaves.begin(), leaves.end());
    const Spread seconds =
        measure(options_.seconds, [&] { forgetful.modular().solver().solve(views); });
    return {{"leaves_per_second", static_cast<double>(leaves.size()) / seconds.median}};
  }

  static std::string show(const Json& report) {
    const auto time = [](const Json& seconds) {
      return fmt::format("{:.1f} ms ({:.1f} to {:.1f})", 1e3 * seconds["median"].get<double>(),
                         1e3 * seconds["least"].get<double>(), 1e3 * seconds["most"].get<double>());
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
    line("the oracle", all(report["oracle"]));
    line("times the oracle", fmt::format("{:.1f}", report["times_the_oracle"].get<double>()));
    line(fmt::format("one of nesting {}", report["latency"]["nesting"].get<int>()),
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
  const Domain& domain_;
  std::vector<Sample> samples_;
  std::string lines_;
};

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* verb = app.add_subcommand(kBenchVerb.name, kBenchVerb.purpose);
  verb->add_option("--model", options->model, "name of a model (nrs info lists them), or its file")
      ->capture_default_str();
  verb->add_option(
          "--rules", options->rules,
          "a rule file instead of a model: the processor time of each term that it asks for")
      ->excludes("--model");
  verb->add_option(
      "--domain", options->domain,
      "logic, listops, arithmetic or algebra; default: the first one that the model was "
      "trained on");
  verb->add_option("--count", options->count, "formulas of each level")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  verb->add_option("--seconds", options->seconds, "time for each measurement")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str();
  verb->add_option("--threads", options->threads, "threads; 0 uses every core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  verb->add_flag("--json", options->json, "one JSON object");
  verb->footer(
      "Times are medians, with the least and the most; \"start to end\" and \"all formulas\" are "
      "runs\n"
      "of the whole program. example: nrs bench --model arithmetic");
  verb->callback([options, &action] {
    action = [options] {
      const std::string rules = is_rule_model(options->model) ? options->model : options->rules;
      if (rules.empty()) return Bench(*options).run();
      return bench_rules(rules, options->seconds, options->json);
    };
  });
}

}  // namespace nrs::cli
