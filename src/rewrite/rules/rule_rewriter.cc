#include "rewrite/rules/rule_rewriter.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "nrs/error.h"
#include "rewrite/rules/number_rules.h"

namespace nrs::rewrite::rules {
namespace {

// Room for a term in a store, with the tables beside it: of a run step by step.
constexpr std::size_t kBytesPerTerm = 64;

// Where the subterm stands in the text of the whole, with the brackets that only its place needs:
// the text is printed again with a mark instead of it.
Span span_of(term::Terms& terms, term::Term whole, const term::Position& position,
             std::string_view text, term::Notation notation) {
  const term::Term mark = terms.variable("?\x7f");
  const std::string marked =
      term::to_string(terms, term::replace(terms, whole, position, mark), notation);
  const std::size_t begin = marked.find("?\x7f");
  return {begin, text.size() - (marked.size() - begin - 2)};
}

}  // namespace

struct RuleRewriter::Worker {
  explicit Worker(const RuleRewriter& owner) : rules(owner.rules_), base(rules.terms.count()) {}

  term::RuleSet rules;  // with a store of its own
  std::size_t base;     // the terms of the rules in it
  std::optional<Machine> machine{};
};

// A worker that nobody else has; it is given back with an empty store.
class RuleRewriter::Lease {
 public:
  explicit Lease(const RuleRewriter& owner) : owner_(owner) {
    const std::lock_guard lock(owner.mutex_);
    if (!owner.idle_.empty()) {
      worker_ = std::move(owner.idle_.back());
      owner.idle_.pop_back();
    }
    if (!worker_) worker_ = std::make_unique<Worker>(owner);
  }
  ~Lease() {
    worker_->rules.terms.shrink(worker_->base);
    const std::lock_guard lock(owner_.mutex_);
    owner_.idle_.push_back(std::move(worker_));
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  Worker& operator*() { return *worker_; }
  Worker* operator->() { return worker_.get(); }

 private:
  const RuleRewriter& owner_;
  std::unique_ptr<Worker> worker_;
};

RuleRewriter::RuleRewriter(term::RuleSet rules, RuleOptions options)
    : rules_(std::move(rules)), options_(options), program_(rules_) {}

RuleRewriter::~RuleRewriter() = default;

std::vector<Result> RuleRewriter::run(std::span<const std::string_view> formulas,
                                      const RunOptions& options) const {
  Lease worker(*this);
  std::vector<Result> results;
  for (const std::string_view formula : formulas) {
    results.push_back(run_one(*worker, formula, options));
    worker->rules.terms.shrink(worker->base);
  }
  return results;
}

void RuleRewriter::check(std::string_view formula) const {
  Lease worker(*this);
  term::read_term(worker->rules, formula, notation());
}

std::string RuleRewriter::canonical(std::string formula) const {
  Lease worker(*this);
  const term::Term term = term::read_term(worker->rules, formula, notation());
  return term::to_string(worker->rules.terms, term, notation());
}

std::vector<std::string> RuleRewriter::evals() const {
  std::vector<std::string> texts;
  for (const term::Term term : rules_.evals) {
    texts.push_back(term::to_string(rules_.terms, term, notation()));
  }
  return texts;
}

Result RuleRewriter::run_one(Worker& worker, std::string_view formula,
                             const RunOptions& options) const {
  const term::Term term = term::read_term(worker.rules, formula, notation());
  const bool fast = options_.strategy == term::Strategy::kInnermost && !options.keep_rounds;
  Result result = !fast                         ? run_steps(worker, term, options)
                  : rules_.number_rules.empty() ? run_machine(worker, term, options)
                                                : run_store(worker, term, options);
  if (result.formula.empty()) result.formula = formula;
  return result;
}

Result RuleRewriter::run_machine(Worker& worker, term::Term term, const RunOptions& options) const {
  if (!worker.machine)
    worker.machine.emplace(program_, MachineLimits{.max_bytes = options_.max_bytes});
  Machine& machine = *worker.machine;
  machine.set_max_steps(options.max_steps.value_or(kDefaultSteps));
  const std::optional<term::Term> normal = machine.normal_form(worker.rules.terms, term);
  Result result;
  result.steps = machine.steps();
  result.rounds = result.steps;
  if (!normal) {
    result.stop = machine.ended() == Ended::kStepLimit ? Stop::kStepLimit : Stop::kMemoryLimit;
  } else if (worker.rules.terms.size(*normal) > kMaxFormulaLength) {
    result.stop = Stop::kMemoryLimit;  // shared parts make it fit into memory, but not into text
  } else {
    result.stop = Stop::kFinal;
    term::print_term(worker.rules.terms, *normal, notation(), result.formula);
  }
  return result;
}

std::optional<double> RuleRewriter::threshold() const {
  return options_.solver ? std::optional(options_.min_log_prob) : std::nullopt;
}

// A reducer by all rules, those about numbers too.
struct RuleRewriter::Reduction {
  Reduction(Worker& worker, const RuleOptions& how, const RunOptions& run)
      : numbers(worker.rules.terms, worker.rules.number_rules, how.solver.get(),
                run.min_log_prob.value_or(how.min_log_prob)),
        reducer(worker.rules.terms, worker.rules.rules) {
    reducer.set_most_terms(how.max_bytes / kBytesPerTerm);
    if (worker.rules.number_rules.empty()) return;
    reducer.set_further([this](term::Term term) { return numbers.ask(term); });
  }
  Reduction(const Reduction&) = delete;
  Reduction& operator=(const Reduction&) = delete;

  // Why no more steps are taken.
  Stop stop(bool full) const {
    if (reducer.refused()) return numbers.refusal();
    if (full) return Stop::kMemoryLimit;
    return reducer.exhausted() ? Stop::kStepLimit : Stop::kFinal;
  }

  NumberRules numbers;
  term::Reducer reducer;
};

Result RuleRewriter::run_store(Worker& worker, term::Term term, const RunOptions& options) const {
  term::Terms& terms = worker.rules.terms;
  const std::size_t most = options.max_steps.value_or(kDefaultSteps);
  Reduction reduction(worker, options_, options);
  reduction.reducer.set_limit(most);
  const std::optional<term::Term> normal = reduction.reducer.normal_form(term);
  // How far it came, step by step: a refusal is about one place of the last term.
  if (reduction.reducer.refused()) return run_steps(worker, term, options);
  Result result;
  result.steps = most - reduction.reducer.steps_left();
  result.rounds = result.steps;
  const bool full = terms.count() > options_.max_bytes / kBytesPerTerm ||
                    (normal && terms.size(*normal) > kMaxFormulaLength);
  result.stop = reduction.stop(full);
  if (result.ok()) term::print_term(terms, *normal, notation(), result.formula);
  return result;
}

// What a step did, and what it came from.
Attempt RuleRewriter::attempt(const Worker& worker, const Reduction& reduction,
                              std::size_t rule) const {
  Attempt attempt;
  attempt.applied = true;
  const std::size_t plain = worker.rules.rules.size();
  if (rule < plain) {
    attempt.origin = {ValueSource::kRule,
                      term::to_string(worker.rules.terms, worker.rules.rules[rule], notation())};
    return attempt;
  }
  const Solution& solution = reduction.numbers.solution();
  const term::NumberRule& used = worker.rules.number_rules[rule - plain];
  attempt.origin = {solution.origin.source, term::to_string(worker.rules.terms, used, notation())};
  attempt.solver_log_prob = solution.log_prob;
  attempt.known = solution.known;
  return attempt;
}

// The redex that was not rewritten: the first of its kind, because equal ones fare alike.
Attempt RuleRewriter::refused(Worker& worker, const Reduction& reduction, term::Term whole,
                              std::string_view text) const {
  term::Terms& terms = worker.rules.terms;
  Attempt made = attempt(worker, reduction, worker.rules.rules.size() + reduction.numbers.rule());
  made.applied = false;
  std::optional<term::Position> place;
  term::for_each_subterm(terms, whole, [&](term::Term part, const term::Position& position) {
    if (!place && part == reduction.numbers.term()) place = position;
    return place ? term::Visit::kPastIt : term::Visit::kDeeper;
  });
  if (place) made.step.leaf = span_of(terms, whole, *place, text, notation());
  made.step.value = reduction.numbers.solution().value;
  return made;
}

Result RuleRewriter::run_steps(Worker& worker, term::Term term, const RunOptions& options) const {
  term::Terms& terms = worker.rules.terms;
  Reduction reduction(worker, options_, options);
  term::Reducer& reducer = reduction.reducer;
  reducer.set_limit(kDefaultSteps);  // of conditions
  const std::size_t most = options.max_steps.value_or(kDefaultSlowSteps);
  Result result;
  std::string text = options.keep_rounds ? term::to_string(terms, term, notation()) : "";
  while (true) {
    const std::optional<term::Redex> redex = reducer.next(term, options_.strategy);
    const bool full = terms.count() > options_.max_bytes / kBytesPerTerm;
    if (!redex || full) {
      result.stop = reduction.stop(full);
      if (reducer.refused() && options.keep_rounds) {
        result.record.push_back({refused(worker, reduction, term, text)});
      }
      break;
    }
    if (result.steps == most) {
      result.stop = Stop::kStepLimit;
      break;
    }
    const term::Term next = term::replace(terms, term, redex->position, redex->contractum);
    ++result.steps;
    if (options.keep_rounds) {
      if (terms.size(next) > kMaxFormulaLength) {
        result.stop = Stop::kMemoryLimit;
        break;
      }
      const Span span = span_of(terms, term, redex->position, text, notation());
      std::string after = term::to_string(terms, next, notation());
      Attempt made = attempt(worker, reduction, redex->rule);
      made.step = {span,
                   after.substr(span.begin, after.size() - (text.size() - span.end) - span.begin)};
      result.record.push_back({std::move(made)});
      text = std::move(after);
    }
    term = next;
  }
  result.rounds = result.steps;
  if (terms.size(term) <= kMaxFormulaLength)
    term::print_term(terms, term, notation(), result.formula);
  return result;
}

}  // namespace nrs::rewrite::rules
