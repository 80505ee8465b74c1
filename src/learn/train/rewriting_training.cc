// The training of FastNRS and NRS.
#include "learn/train/training.h"

#include "data/trace_file.h"
#include "learn/examples/example_source.h"
#include "learn/train/leaf_writer_task.h"
#include "learn/train/selector_task.h"
#include "learn/train/solver_task.h"
#include "nrs/error.h"

namespace nrs::learn {
namespace {

// How a FastNRS and an NRS differ.
struct SelectorKindTraining {
  std::unique_ptr<ModuleTask> (*task)(const recipe::Recipe& recipe, const ExampleSource& source);
  void (*check)(const TrainingPlan& plan, const std::vector<data::RewriteExample>& examples);
};

// A Selector and a Solver, both from steps.
class RewritingTraining : public ModelTraining {
 public:
  RewritingTraining(const TrainingPlan& plan, const SelectorKindTraining& selector)
      : recipe_(plan.recipe), selector_(selector) {
    if (recipe_.data.traces.empty()) {
      source_ = make_source(recipe_.data, recipe_.seed_number());
    } else {
      take_traces(plan);
    }
  }

  std::unique_ptr<ModuleTask> task(std::string_view module) override {
    if (module == "selector") return selector_.task(recipe_, *source_);
    SolverPairs pairs = source_->pairs(recipe_.seed_number());
    hash_ = hash(pairs.train);
    return std::make_unique<SolverTask>(recipe_, std::move(pairs));
  }

  std::string data_hash(const std::string& before) const override {
    if (!hash_.empty()) return hash_;
    return before.empty() ? hash({}) : before;
  }

 private:
  void take_traces(const TrainingPlan& plan) {
    std::vector<data::RewriteExample> examples = data::read_trace_file(recipe_.data.traces);
    try {
      check_final_examples(examples);
      if (plan.wants("selector")) selector_.check(plan, examples);
      if (plan.wants("solver"))
        check_examples(recipe_.of<recipe::RewritingSections>().solver, examples);
      source_ = make_list_source(std::move(examples), recipe_.data);
      source_->pairs(recipe_.seed_number());  // finds contradictions
    } catch (const Error& error) {
      throw error.in(recipe_.data.traces);
    }
  }

  std::string hash(const PairList& pairs) const {
    return hash_of([this](Rng& rng) { return source_->draw(rng).formula; }, pairs,
                   recipe_.seed_number());
  }

  const recipe::Recipe& recipe_;
  SelectorKindTraining selector_;
  std::unique_ptr<ExampleSource> source_;
  std::string hash_;  // with the pairs of the Solver, once it has its task
};

// A Solver alone, from questions and answers.
class PairsTraining : public ModelTraining {
 public:
  explicit PairsTraining(const TrainingPlan& plan) : recipe_(plan.recipe) {
    if (plan.wants("selector")) {
      throw Error(ErrorKind::kUsage, "data.pairs: they teach a Solver, and no Selector",
                  "train the Solver only");
    }
    const std::vector<data::TaughtPair> taught = data::read_pair_file(recipe_.data.pairs);
    if (taught.empty()) throw Error(ErrorKind::kInput, recipe_.data.pairs + ": there is no pair");
    pairs_ = split_pairs(taught, recipe_.data.held_out, recipe_.seed_number());
  }

  std::unique_ptr<ModuleTask> task(std::string_view /*module*/) override {
    return std::make_unique<SolverTask>(recipe_, pairs_);
  }
  std::string data_hash(const std::string& /*before*/) const override {
    return hash_of([](Rng&) { return std::string(); }, pairs_.train, recipe_.seed_number());
  }

 private:
  const recipe::Recipe& recipe_;
  SolverPairs pairs_;
};

template <class Task>
std::unique_ptr<ModuleTask> make_selector(const recipe::Recipe& recipe,
                                          const ExampleSource& source) {
  return std::make_unique<Task>(recipe, source);
}

}  // namespace

std::unique_ptr<ModelTraining> train_fastnrs(const TrainingPlan& plan) {
  if (!plan.recipe.data.pairs.empty()) return std::make_unique<PairsTraining>(plan);
  return std::make_unique<RewritingTraining>(
      plan, SelectorKindTraining{
                make_selector<SelectorTask>, [](const auto& asked, const auto& all) {
                  check_examples(asked.recipe.template of<recipe::RewritingSections>().selector,
                                 all, asked.warn);
                }});
}

std::unique_ptr<ModelTraining> train_nrs(const TrainingPlan& plan) {
  if (!plan.recipe.data.pairs.empty()) return std::make_unique<PairsTraining>(plan);
  return std::make_unique<RewritingTraining>(
      plan, SelectorKindTraining{make_selector<LeafWriterTask>, [](const auto&, const auto&) {}});
}

}  // namespace nrs::learn
