#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/cmd_simplify.h"
#include "cli/models.h"
#include "model/provenance.h"
#include "rewrite/oracle.h"

namespace nrs {
namespace {

constexpr const char* kDefaultModel = "multi";

// What a formula for this model may consist of, if that can be told in a line.
std::string known_tokens(const Tokenizer& tokens) {
  constexpr std::size_t kMost = 80;
  return tokens.tokens().size() > kMost
             ? ""
             : fmt::format("the model knows {}", fmt::join(tokens.tokens(), " "));
}

// People leave blanks at the end of lines. To a model that knows none they can mean nothing.
std::string_view without_blank_end(std::string_view text, const Tokenizer& tokens) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t') &&
         tokens.id(text.substr(text.size() - 1)) == kPadId) {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace

Answerer::Answerer(const SimplifyOptions& options) {
  engine_.leaves = options.leaves == "last" ? Leaves::kLast : Leaves::kAll;
  engine_.keep_rounds = options.trace;
  if (!options.engine.oracle()) {
    load(options);
  } else if (options.model.empty()) {
    domains_.assign(all_domains().begin(), all_domains().end());
  } else {
    throw Error(ErrorKind::kUsage, "--engine oracle uses no model: leave out --model");
  }
  if (!options.domain.empty()) domains_ = {&find_domain(options.domain)};
}

void Answerer::load(const SimplifyOptions& options) {
  // Many formulas keep all threads busy, one to each; a lone one has them for itself.
  const bool lone = options.formulas.size() == 1 && !options.stream();
  const std::string& name = options.model.empty() ? kDefaultModel : options.model;
  model_.emplace(load_to_run(name, lone ? options.threads : 1, options.engine.writer()));
  options.engine.check(*model_);
  engine_ = model_->calibrated(engine_);
  const Model& model = model_->model();
  const std::vector<std::string> trained = model.domains;
  for (const Domain* domain : all_domains()) {
    const bool known = std::find(trained.begin(), trained.end(), domain->name()) != trained.end();
    if (known) domains_.push_back(domain);
  }
  if (domains_.size() != trained.size()) domains_.clear();  // made by a program that knows more
  unreadable_hint_ = domains_.empty() ? known_tokens(model_->tokens())
                                      : fmt::format("model {} was trained on {}", model.name,
                                                    fmt::join(trained, ", "));
}

std::optional<double> Answerer::threshold() const {
  return model_ && !model_->routes() ? engine_.min_log_prob : std::nullopt;
}

void Answerer::read(Item& item) const {
  if (domains_.empty()) {
    item.formula = without_blank_end(item.text, model_->tokens());
    if (item.formula.empty()) throw Error::at(0, "the formula is empty");
  } else {
    ReadFormula input = read_in_any_domain(item.text, domains_);
    item.domain = input.domain;
    item.formula = std::move(input.formula);
  }
  if (model_) model_->check_known(item.formula);
}

void Answerer::answer(std::span<Item> items) const {
  std::map<const Domain*, std::vector<Item*>> by_domain;
  std::vector<Item*> all;
  for (Item& item : items) {
    if (item.error) continue;
    try {
      read(item);
      by_domain[item.domain].push_back(&item);
      all.push_back(&item);
    } catch (const Error& error) {
      const bool blank = item.text.find_first_not_of(" \t") == std::string::npos;
      const bool better = !blank && (error.hint().empty() || domains_.empty());
      item.error = better ? error.with_hint(unreadable_hint_) : error;
    }
  }
  if (model_) {
    return run([this](Formulas formulas) { return model_->run(formulas, engine_); }, all);
  }
  for (const auto& [domain, members] : by_domain) {
    const OracleRewriter oracle(*domain);
    run([&](Formulas formulas) { return oracle.run(formulas, engine_); }, members);
  }
}

void Answerer::run(const Runner& runner, std::span<Item* const> items) {
  std::vector<std::string_view> formulas;
  for (const Item* item : items) formulas.push_back(item->formula);
  std::vector<Result> results = runner(formulas);
  for (std::size_t i = 0; i < items.size(); ++i) items[i]->result = std::move(results[i]);
}

}  // namespace nrs
