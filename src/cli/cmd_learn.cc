// nrs learn: rules from worked examples, and a Solver for what has to be computed.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "architectures/rule_model.h"
#include "base/files.h"
#include "base/status_line.h"
#include "check/check.h"
#include "cli/learned_model.h"
#include "cli/options.h"
#include "cli/train_solver.h"
#include "induce/show.h"
#include "nrs/error.h"

namespace nrs::cli {
namespace {

struct LearnOptions {
  std::string chains;
  std::string out;
  int seed = 1;
  double minutes = 10;
  int threads = 2;
  bool json = false;
};

// A name that ends like this is that of a rule file; anything else is a model.
bool names_rule_file(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 6> kEndings{".rules", ".txt", ".trs",
                                                     ".ari",   ".rec", ".maude"};
  return std::ranges::find(kEndings, path.extension().string()) != kEndings.end();
}

class Learn {
 public:
  explicit Learn(const LearnOptions& options) : options_(options) {}

  int run() {
    read_and_learn();
    if (system_.learned.rules.empty() && system_.number_rules.empty()) {
      throw Error(ErrorKind::kInput, options_.chains + ": no step of it follows a rule",
                  "a chain shows each rewrite: t0 -> t1 -> ... -> tn");
    }
    make_model();
    const std::string text =
        induce::to_text(file_, system_.learned, system_.number_rules) + proved_ + solver_;
    write(text);
    StandardOutput output;
    output.write(options_.json
                     ? induce::to_json(file_, system_.learned, system_.number_rules) + "\n"
                     : text);
    output.flush();
    return kDone;
  }

 private:
  bool to_model() const { return !options_.out.empty() && !names_rule_file(options_.out); }

  void read_and_learn() {
    StatusLine status(stderr, errors_are_terminal());
    const auto tell = [&](const std::string& text) {
      if (status.due()) status.show(text);
    };
    file_ = induce::read_chains(
        options_.chains, [&](std::size_t lines) { tell(fmt::format("{} lines read", lines)); });
    induce::LearnOptions how;
    how.seed = static_cast<std::uint64_t>(options_.seed);
    how.progress = tell;
    system_ = induce::learn_system(file_, how);
    status.clear();
  }

  void make_model() {
    model_ = learned_model(file_, system_);
    model_.name = options_.out.empty() ? "learned" : std::filesystem::path(options_.out).stem();
    model_.program = "nrs " NRS_VERSION;
    model_.seed = static_cast<std::uint64_t>(options_.seed);
    if (to_model() && needs_solver(system_)) teach_solver();
    prove();
  }

  // Where questions are met that the table does not have.
  void teach_solver() {
    const SolverTraining training{
        .minutes = options_.minutes, .seed = options_.seed, .threads = options_.threads};
    const std::vector<data::TaughtPair> pairs = questions_about_numbers(system_);
    complain(
        fmt::format("{} questions about numbers, {:.0f} % of those to come are new: a Solver "
                    "is trained, about {:g} minutes at most",
                    pairs.size(), 100 * induce::share_of_new_questions(system_.number_rules),
                    options_.minutes));
    const model::Model trained = train_solver(pairs, training);
    take_solver(model_, trained);
    const auto kept = nlohmann::json::parse(trained.results)["solver"]["kept"];
    solver_ = fmt::format("# Solver: {} of {} questions that were kept from it are right\n",
                          kept["right"].get<std::size_t>(), kept["pairs"].get<std::size_t>());
  }

  // Whether the rules terminate and are confluent: in words, and as the model's certificate.
  void prove() {
    term::RuleSet rules = architectures::rule_set_of(model_);
    if (rules.rules.empty()) return;
    const check::Checked checked = check::check_rules(rules);
    architectures::store_rule_certificate(model_, check::certificate(rules, checked));
    proved_ = fmt::format(
        "# terminating: {}\n# confluent: {}\n",
        checked.termination ? "yes, by " + check::show_orders(*checked.termination) : "not proved",
        checked.confluent() == check::Answer::kYes  ? "yes"
        : checked.confluent() == check::Answer::kNo ? "no, see nrs check"
                                                    : "not proved");
  }

  void write(const std::string& text) const {
    if (options_.out.empty()) return;
    if (to_model()) return model::save_model(options_.out, model_);
    if (!system_.number_rules.empty()) {
      complain(options_.out +
               ": a rule file cannot have rules about numbers; they are comments in it (a name "
               "that ends in .nrs gives a model, which has them)");
    }
    AtomicFile out(options_.out);
    out.write(text);
    out.commit();
  }

  const LearnOptions& options_;
  induce::ChainFile file_;
  induce::LearnedSystem system_;
  model::Model model_;
  std::string proved_;
  std::string solver_;
};

}  // namespace

void add_learn(CLI::App& app, Action& action) {
  auto options = std::make_shared<LearnOptions>();
  CLI::App* verb = app.add_subcommand("learn", "find rules with variables in worked examples");
  verb->add_option("CHAINS", options->chains,
                   "file of chains, one a line: t0 -> t1 -> ... -> tn; - is standard input")
      ->required();
  verb->add_option("--out", options->out,
                   "file for the model; a name that ends in .rules, .txt, .trs, .ari, .rec or "
                   ".maude is a rule file in our text form");
  verb->add_option("--seed", options->seed, "same seed and chains, same model")
      ->check(CLI::Range(0, 2'147'483'647))
      ->capture_default_str();
  verb->add_option("--minutes", options->minutes,
                   "about how long a Solver may be trained, if numbers have to be computed")
      ->check(CLI::Range(0.01, 1e5))
      ->capture_default_str();
  verb->add_option("--threads", options->threads, "threads of that training")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  verb->add_flag("--json", options->json, "rules, support and suspicious lines as one JSON object");
  verb->footer(
      "The last term of a chain is a normal form, unless the line ends in -> ... ; a line of one "
      "term is\n"
      "a normal form. Arrows may be ->, => or →; terms functional, S-expressions or bracketed "
      "infix.\n"
      "Each rule comes with the steps that it explains; guesses with the term that would decide.\n"
      "Steps that differ in numbers only and have computed results, as plus(15,5) -> 20, teach a "
      "Solver.\n"
      "example: nrs learn chains.txt --out learned.nrs");
  verb->callback([options, &action] { action = [options] { return Learn(*options).run(); }; });
}

}  // namespace nrs::cli
