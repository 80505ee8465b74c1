// nrs bench --rules: how fast the terms of a rule file are rewritten.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/rng.h"
#include "base/text.h"
#include "cli/cmd_bench.h"
#include "cli/console.h"
#include "cli/rule_input.h"
#include "nrs/error.h"
#include "rewrite/rules/machine.h"
#include "term/random_term.h"
#include "term/sorts.h"

namespace nrs::cli {
namespace {

using Json = nlohmann::ordered_json;

// Adds a term to the report, and the same for people to `text`.
void bench_term(rewrite::rules::Machine& machine, term::RuleSet& set, term::Term term,
                double budget, Json& report, std::string& text) {
  const std::size_t base = set.terms.count();
  const auto work = [&] {
    machine.normal_form(set.terms, term);
    set.terms.shrink(base);
  };
  const Spread seconds = measure(budget, work, processor_seconds);
  if (machine.ended() != rewrite::rules::Ended::kNormalForm) {
    throw Error(ErrorKind::kInput,
                "no normal form found for " + excerpt(term::to_string(set.terms, term)),
                "the rules do not terminate on it, or it outgrows the memory");
  }
  const std::string shown = excerpt(term::to_string(set.terms, term), 60);
  const double speed = static_cast<double>(machine.steps()) / seconds.median;
  report["terms"].push_back({{"term", shown},
                             {"steps", machine.steps()},
                             {"seconds", seconds},
                             {"steps_per_second", speed}});
  text += fmt::format("{:>10} steps in {:.2f} ms ({:.2f} to {:.2f}), {:.1f} million a second: {}\n",
                      machine.steps(), 1e3 * seconds.median, 1e3 * seconds.least,
                      1e3 * seconds.most, speed / 1e6, shown);
}

// A model asks for no terms.
void add_random_terms(term::RuleSet& set) {
  constexpr std::size_t kTerms = 20, kDepth = 8;
  term::infer_sorts(set);
  term::RandomTerms random(set);
  for (std::size_t i = 0; i < kTerms; ++i) {
    Rng rng(1, i);
    set.evals.push_back(random.draw(kDepth, rng));
  }
}

}  // namespace

int bench_rules(const std::string& file, double seconds, bool json) {
  RuleInput input = read_rule_input(file);
  refuse_number_rules(input, file + ": only rules are measured");
  term::RuleSet& set = input.rules;
  if (input.model) add_random_terms(set);
  if (set.evals.empty()) {
    throw Error(ErrorKind::kInput, file + ": there are no terms to rewrite",
                "put them after EVAL in a .rec file");
  }
  const rewrite::rules::Program program(set);
  rewrite::rules::Machine machine(program, {});
  Json report = {{"rules", file}, {"terms", Json::array()}};
  const std::vector<term::Term> evals = set.evals;
  std::string text;
  for (const term::Term term : evals) bench_term(machine, set, term, seconds, report, text);
  print(json ? report.dump(2) + "\n" : text);
  return kDone;
}

}  // namespace nrs::cli
