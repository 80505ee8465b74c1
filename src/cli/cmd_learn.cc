// nrs learn: rules from worked examples.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/files.h"
#include "base/status_line.h"
#include "check/check.h"
#include "cli/options.h"
#include "induce/learn.h"
#include "induce/show.h"
#include "nrs/error.h"
#include "term/rule_file.h"

namespace nrs::cli {
namespace {

struct LearnOptions {
  std::string chains;
  std::string out;
  std::uint64_t seed = 1;
  bool json = false;
};

// Whether the rules terminate and are confluent, as comments of a rule file.
std::string what_is_proved(const induce::ChainFile& file, const induce::Learned& learned) {
  term::RuleSet rules =
      term::read_rules(induce::rules_text(file, learned), term::RuleFormat::kText, "learned rules");
  const check::Checked checked = check::check_rules(rules);
  return fmt::format(
      "# terminating: {}\n# confluent: {}\n",
      checked.termination ? "yes, by " + check::show_orders(*checked.termination) : "not proved",
      checked.confluent() == check::Answer::kYes  ? "yes"
      : checked.confluent() == check::Answer::kNo ? "no, see nrs check"
                                                  : "not proved");
}

int run(const LearnOptions& options) {
  StatusLine status(stderr, errors_are_terminal());
  const auto tell = [&](const std::string& text) {
    if (status.due()) status.show(text);
  };
  induce::ChainFile file = induce::read_chains(
      options.chains, [&](std::size_t lines) { tell(fmt::format("{} lines read", lines)); });
  induce::LearnOptions how;
  how.seed = options.seed;
  how.progress = tell;
  const induce::Learned learned = induce::learn_rules(file.terms, file.chains, how);
  status.clear();
  if (learned.rules.empty()) {
    throw Error(ErrorKind::kInput, options.chains + ": no step of it follows a rule",
                "a chain shows each rewrite: t0 -> t1 -> ... -> tn");
  }
  const std::string text = induce::to_text(file, learned) + what_is_proved(file, learned);
  if (!options.out.empty()) {
    AtomicFile out(options.out);
    out.write(text);
    out.commit();
  }
  StandardOutput output;
  output.write(options.json ? induce::to_json(file, learned) + "\n" : text);
  output.flush();
  return kDone;
}

}  // namespace

void add_learn(CLI::App& app, Action& action) {
  auto options = std::make_shared<LearnOptions>();
  CLI::App* verb = app.add_subcommand("learn", "find rules with variables in worked examples");
  verb->add_option("CHAINS", options->chains,
                   "file of chains, one a line: t0 -> t1 -> ... -> tn; - is standard input")
      ->required();
  verb->add_option("--out", options->out, "file to write the rules to; simplify --model runs it");
  verb->add_option("--seed", options->seed, "same seed and chains, same rules")
      ->capture_default_str();
  verb->add_flag("--json", options->json, "rules, support and suspicious lines as one JSON object");
  verb->footer(
      "The last term of a chain is a normal form, unless the line ends in -> ... ; a line of one "
      "term is\n"
      "a normal form. Arrows may be ->, => or →; terms functional, S-expressions or bracketed "
      "infix.\n"
      "Each rule comes with the steps that it explains; guesses with the term that would decide.\n"
      "example: nrs learn chains.txt --out learned.rules");
  verb->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace nrs::cli
