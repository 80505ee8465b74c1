#include "cli/learn.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "architectures/architecture.h"
#include "architectures/rule_model.h"
#include "base/files.h"
#include "base/status_line.h"
#include "check/check.h"
#include "cli/console.h"
#include "data/pair_file.h"
#include "induce/numbers.h"
#include "induce/show.h"
#include "model/checksum.h"
#include "model/networks.h"
#include "nrs/error.h"
#include "taught/kept_examples.h"
#include "taught/open_questions.h"

namespace nrs::cli {
namespace {

using Results = nlohmann::ordered_json;

// A closed set of questions is answered by the table; of an open one at least so many are new.
constexpr double kOpenShare = 0.005;

architectures::StoredRule stored(const induce::ChainFile& file, const induce::LearnedRule& support,
                                 term::Term left, const std::vector<term::Term>& rights) {
  const auto text = [&](term::Term term) {
    return term::to_string(file.terms, term, file.notation);
  };
  architectures::StoredRule rule{
      text(left), {}, {support.steps, support.redexes, support.lines, support.guess}};
  for (const term::Term right : rights) rule.rights.push_back(text(right));
  if (support.question) rule.support.question = text(*support.question);
  return rule;
}

// Of the chains as terms: blanks and comments of the file do not count.
std::string hash_of(const induce::ChainFile& file) {
  std::uint32_t crc = 0;
  for (std::uint32_t s = 0; s < file.terms.symbol_count(); ++s) {
    crc = model::crc32(file.terms.name(static_cast<term::Symbol>(s)) + "\n", crc);
  }
  for (const induce::Chain& chain : file.chains) {
    for (const term::Term term : chain.terms) {
      crc = model::crc32(std::to_string(number(term)) + " ", crc);
    }
    crc = model::crc32(chain.complete ? "\n" : "...\n", crc);
  }
  return fmt::format("crc32:{:08x}", crc);
}

// What a Solver would have to learn, and what the table has: all questions about numbers that were
// answered.
std::vector<data::TaughtPair> questions_about_numbers(const induce::LearnedSystem& system) {
  std::vector<data::TaughtPair> pairs;
  for (std::size_t i = 0; i < system.number_rules.size(); ++i) {
    for (const auto& [numbers, taught] : system.number_rules[i].answers) {
      pairs.push_back({term::question_of(i, numbers), taught.answer, taught.times});
    }
  }
  return pairs;
}

// Whether a table of them is not enough: many questions that will be asked are not in it, and there
// are enough of them to learn from.
bool needs_solver(const induce::LearnedSystem& system) {
  return questions_about_numbers(system).size() >= kFewestPairs &&
         induce::share_of_new_questions(system.number_rules) > kOpenShare;
}

// A model of the rules with the table; without a Solver and a certificate.
model::Model learned_model(const induce::ChainFile& file, const induce::LearnedSystem& system) {
  architectures::RuleModel rules{
      .notation = file.notation, .rules = {}, .number_rules = {}, .table = {}};
  for (const induce::LearnedRule& rule : system.learned.rules) {
    rules.rules.push_back(stored(file, rule, rule.rule.left, {rule.rule.right}));
  }
  for (const induce::LearnedNumberRule& rule : system.number_rules) {
    rules.number_rules.push_back(stored(file, rule.support, rule.rule.left, rule.rule.rights));
  }
  for (const data::TaughtPair& pair : questions_about_numbers(system)) {
    rules.table.emplace(pair.text, *pair.value);
  }
  model::Model model;
  model.architecture = architectures::kRulesArchitecture;
  model.modules[std::string(architectures::kRulesModule)] = architectures::to_module(rules);
  model.data_hash = hash_of(file);
  model.results = Results{{"rules",
                           {{"chains", file.chains.size()},
                            {"steps", system.learned.steps},
                            {"suspicious", system.learned.suspicious.size()}}}}
                      .dump();
  return model;
}

// Gives the model the Solver of another one, with what is known of its training.
void take_solver(model::Model& model, const model::Model& solver) {
  const std::string name(model::kSolverModule);
  model.modules[name] = solver.module(name);
  model.recipe = solver.recipe;
  model.seed = solver.seed;
  Results results = Results::parse(model.results);
  results.update(Results::parse(solver.results));
  model.results = results.dump();
}

// A name that ends like this is that of a rule file; anything else is a model.
bool names_rule_file(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 6> kEndings{".rules", ".txt", ".trs",
                                                     ".ari",   ".rec", ".maude"};
  return std::ranges::find(kEndings, path.extension().string()) != kEndings.end();
}

class RuleTeaching {
 public:
  RuleTeaching(const LearnOptions& options, Lesson lesson)
      : options_(options), before_(lesson.before) {
    keep_lesson(lesson, examples::Kind::kSteps, kept_);
    file_ = induce::to_chains(std::move(lesson.file));
  }

  int run() {
    learn();
    if (system_.learned.rules.empty() && system_.number_rules.empty()) {
      throw Error(ErrorKind::kInput, options_.examples + ": no step follows a rule",
                  "a chain shows each rewrite: t0 -> t1 -> ... -> tn");
    }
    make_model();
    const std::string solver = teach_solver();
    const std::string proved = prove();  // of the model with its Solver
    const std::string text = induce::to_text(file_, system_.learned, system_.number_rules) +
                             proved + solver + open_questions();
    write(text);
    print(options_.json ? induce::to_json(file_, system_.learned, system_.number_rules) + "\n"
                        : text);
    return end_trainings(to_model() ? options_.out : "", solver_training(options_, ""),
                         interrupted_);
  }

 private:
  bool to_model() const { return !options_.out.empty() && !names_rule_file(options_.out); }

  void learn() {
    StatusLine status(stderr, errors_are_terminal());
    induce::LearnOptions how;
    how.seed = static_cast<std::uint64_t>(options_.seed);
    how.progress = [&](const std::string& text) {
      if (status.due()) status.show(text);
    };
    system_ = induce::learn_system(file_, how);
    status.clear();
  }

  void make_model() {
    model_ = learned_model(file_, system_);
    model_.modules.merge(kept_.modules);
    model_.name = options_.out.empty() ? "learned" : std::filesystem::path(options_.out).stem();
    model_.program = "nrs " NRS_VERSION;
    model_.seed = static_cast<std::uint64_t>(options_.seed);
  }

  // Where questions are met that the table does not have. Returns how it went.
  std::string teach_solver() {
    if (!to_model() || options_.minutes <= 0 || !needs_solver(system_)) return {};
    SolverTraining training = solver_training(options_, options_.out);
    const bool goes_on = !before_.empty() && model::load_model(before_).has(model::kSolverModule);
    if (goes_on) training.goes_on = before_;
    const std::vector<data::TaughtPair> pairs = questions_about_numbers(system_);
    complain(
        fmt::format("{} questions about numbers; about {:.0f} % of later ones will be new: a "
                    "Solver is trained for up to {:g} minutes",
                    pairs.size(), 100 * induce::share_of_new_questions(system_.number_rules),
                    options_.minutes));
    const TrainedSolver trained = train_solver(pairs, training);
    interrupted_ = trained.interrupted;
    if (!trained.model) return {};
    take_solver(model_, *trained.model);
    const auto kept = nlohmann::json::parse(trained.model->results)["solver"]["kept"];
    return fmt::format("# Solver: {} of {} held-out questions are right\n",
                       kept["right"].get<std::size_t>(), kept["pairs"].get<std::size_t>());
  }

  // Whether the rules terminate and are confluent: in words, and as the model's certificate.
  std::string prove() {
    term::RuleSet rules = architectures::rule_set_of(model_);
    if (rules.rules.empty()) return {};
    const check::Checked checked = check::check_rules(rules);
    architectures::store_rule_certificate(model_, check::certificate(rules, checked));
    return fmt::format(
        "# terminating: {}\n# confluent: {}\n",
        checked.termination ? "yes, by " + check::show_orders(*checked.termination) : "not proved",
        checked.confluent() == check::Answer::kYes  ? "yes"
        : checked.confluent() == check::Answer::kNo ? "no, see nrs check"
                                                    : "not proved");
  }

  // Only what has to be computed can be refused.
  std::string open_questions() const {
    if (system_.number_rules.empty()) return {};
    const architectures::RunningModel running(model_);
    std::string text = taught::to_text(
        taught::open_questions(running.rewriter(), taught::require_examples(model_).examples));
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) text.insert(at, "# ");
    return text;
  }

  void write(const std::string& text) const {
    if (options_.out.empty()) return;
    if (to_model()) return model::save_model(options_.out, model_);
    if (!system_.number_rules.empty()) {
      complain(options_.out +
               ": a rule file cannot have rules about numbers, so they are written as comments (a "
               "model, .nrs, can have them)");
    }
    write_file(options_.out, text);
  }

  const LearnOptions& options_;
  std::filesystem::path before_;
  model::Model kept_;  // nothing but the examples
  induce::ChainFile file_;
  induce::LearnedSystem system_;
  model::Model model_;
  bool interrupted_ = false;
};

}  // namespace

int learn_rules(const LearnOptions& options, Lesson lesson) {
  return RuleTeaching(options, std::move(lesson)).run();
}

}  // namespace nrs::cli
