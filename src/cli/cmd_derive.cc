// nrs derive: chains from a rule file, one per line.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <unordered_set>

#include "base/files.h"
#include "base/lines.h"
#include "base/rng.h"
#include "cli/options.h"
#include "cli/rule_input.h"
#include "nrs/error.h"
#include "nrs/formula.h"
#include "term/chain.h"
#include "term/random_term.h"
#include "term/sorts.h"

namespace nrs::cli {
namespace {

struct DeriveOptions {
  std::string rules;
  std::string terms;
  std::size_t count = 10;
  std::string depth = "2-5";
  std::uint64_t seed = 0;
  std::optional<std::size_t> constants;
  std::string strategy = "innermost";
  std::string notation;
  term::ChainLimits limits;
};

term::RuleSet rules_to_derive_by(const std::string& file) {
  RuleInput input = read_rule_input(file);
  refuse_number_rules(input, file + ": no chains can be derived from it");
  return std::move(input.rules);
}

class Derive {
 public:
  explicit Derive(const DeriveOptions& options)
      : options_(options),
        rules_(rules_to_derive_by(options.rules)),
        strategy_(options.strategy == "outermost" ? term::Strategy::kOutermost
                                                  : term::Strategy::kInnermost) {
    if (!options.notation.empty()) rules_.notation = *enum_value<term::Notation>(options.notation);
  }

  int run() {
    options_.terms.empty() ? derive_random() : derive_given();
    output_.flush();
    return failed_ ? static_cast<int>(ErrorKind::kInput) : kDone;
  }

 private:
  // Draws for one chain before it is given up: terms that were drawn before, or with derivations
  // that are too long.
  static constexpr std::size_t kTries = 200;

  void derive_random() {
    const IntRange depth = parse_range(options_.depth, "--depth", {1, 1'000'000});
    const bool declared = !rules_.sorts.empty();
    term::infer_sorts(rules_);
    // In a file with sorts of its own all constants are declared.
    const std::optional<std::size_t> none = declared ? std::optional<std::size_t>(0) : std::nullopt;
    term::RandomTerms random(rules_, options_.constants ? options_.constants : none);
    if (rules_.signature.empty()) {
      throw Error(ErrorKind::kInput, options_.rules + ": there are no symbols to make terms of");
    }
    term::Reducer reducer(rules_.terms, rules_.rules);
    const std::size_t base = rules_.terms.count();
    std::unordered_set<std::string> seen;
    for (std::size_t made = 0; made < options_.count; ++made) {
      Rng rng(options_.seed, made);
      if (!draw_chain(random, reducer, depth, rng, seen)) {
        complain(
            fmt::format("{} chains instead of {}: there are hardly any other terms of this depth "
                        "with a derivation of "
                        "at most {} steps",
                        made, options_.count, options_.limits.max_steps));
        return;
      }
      rules_.terms.shrink(base);
      reducer.forget_from(base);
    }
  }

  bool draw_chain(term::RandomTerms& random, term::Reducer& reducer, IntRange depth, Rng& rng,
                  std::unordered_set<std::string>& seen) {
    for (std::size_t i = 0; i < kTries; ++i) {
      const auto deep = static_cast<std::size_t>(rng.between(depth.from, depth.to));
      const term::Term term = random.draw(deep, rng);
      if (rules_.terms.size(term) > options_.limits.max_size) continue;
      std::string text = term::to_string(rules_.terms, term, rules_.notation);
      if (seen.contains(text)) continue;
      const term::Chain chain = term::derive(rules_, reducer, term, strategy_, options_.limits);
      if (!chain.finished) continue;
      seen.insert(std::move(text));
      output_.write(term::to_string(rules_.terms, chain, rules_.notation) + "\n");
      return true;
    }
    return false;
  }

  // One chain for each line; a bad line is told and passed over.
  void derive_given() {
    LineReader lines(options_.terms, kMaxFormulaLength);
    term::Reducer reducer(rules_.terms, rules_.rules);
    const std::size_t base = rules_.terms.count();
    std::string line;
    while (lines.next(line)) {
      if (line.find_first_not_of(" \t") == std::string::npos) continue;
      try {
        if (lines.too_long()) throw Error(ErrorKind::kInput, "the line is too long");
        const term::Term term = term::read_term(rules_, line);
        const term::Chain chain = term::derive(rules_, reducer, term, strategy_, options_.limits);
        output_.write(term::to_string(rules_.terms, chain, rules_.notation) + "\n");
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::kInput) throw;
        complain(error.in(fmt::format("{}:{}", options_.terms, lines.number())).line());
        failed_ = true;
      }
      rules_.terms.shrink(base);
      reducer.forget_from(base);
    }
  }

  const DeriveOptions& options_;
  term::RuleSet rules_;
  term::Strategy strategy_;
  StandardOutput output_;
  bool failed_ = false;
};

}  // namespace

void add_derive(CLI::App& app, Action& action) {
  const auto [verb, options] = add_verb<DeriveOptions>(
      app, action, "derive", [](const DeriveOptions& given) { return Derive(given).run(); });
  verb->add_option(
          "FILE", options->rules,
          "rule file: .ari, .trs, .rec, or our own text form with another extension; or a model of "
          "learned rules, .nrs")
      ->required();
  verb->add_option("--count", options->count, "number of distinct terms to start from");
  verb->add_option("--depth", options->depth,
                   "depth of these terms, such as 4 or 2-5; a constant has depth 1");
  verb->add_option("--seed", options->seed,
                   "random seed; the same seed gives the same chains on every machine");
  verb->add_option(
      "--constants", options->constants,
      "constants to add to each sort that has finitely many constructor terms; default: two if "
      "there is at most one such term, none if the file declares sorts");
  verb->add_option("--terms", options->terms,
                   "file with terms to start from, one per line; - is standard input")
      ->excludes("--count", "--depth", "--seed", "--constants");
  verb->add_option("--strategy", options->strategy,
                   "rewrite the leftmost innermost or the leftmost outermost redex")
      ->check(CLI::IsMember({"innermost", "outermost"}));
  verb->add_option("--notation", options->notation,
                   "functional, sexpr or infix; default: that of the file, or functional")
      ->check(CLI::IsMember({"functional", "sexpr", "infix"}));
  verb->add_option("--max-steps", options->limits.max_steps,
                   "most steps of a chain; random terms with longer chains are drawn again, chains "
                   "of given terms are cut off with ...");
  verb->add_option("--max-size", options->limits.max_size,
                   "most symbols of a term, with the same effect");
  verb->footer("example: nrs derive differentiation.trs --count 300 --depth 2-5 --seed 7");
}

}  // namespace nrs::cli
