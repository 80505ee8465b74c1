#include "cli/learned_model.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "architectures/rule_model.h"
#include "cli/train_solver.h"
#include "model/checksum.h"
#include "model/networks.h"

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

}  // namespace

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

std::vector<data::TaughtPair> questions_about_numbers(const induce::LearnedSystem& system) {
  std::vector<data::TaughtPair> pairs;
  for (std::size_t i = 0; i < system.number_rules.size(); ++i) {
    for (const auto& [numbers, taught] : system.number_rules[i].answers) {
      pairs.push_back({term::question_of(i, numbers), taught.answer, taught.times});
    }
  }
  return pairs;
}

bool needs_solver(const induce::LearnedSystem& system) {
  return questions_about_numbers(system).size() >= kFewestPairs &&
         induce::share_of_new_questions(system.number_rules) > kOpenShare;
}

void take_solver(model::Model& model, const model::Model& solver) {
  const std::string name(model::kSolverModule);
  model.modules[name] = solver.module(name);
  model.recipe = solver.recipe;
  model.seed = solver.seed;
  Results results = Results::parse(model.results);
  results.update(Results::parse(solver.results));
  model.results = results.dump();
}

}  // namespace nrs::cli
