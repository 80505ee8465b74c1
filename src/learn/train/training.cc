#include "learn/train/training.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "data/trace_file.h"
#include "learn/examples/example_source.h"
#include "model/checksum.h"
#include "nrs/error.h"

namespace nrs::learn {
namespace {

// Texts that stand for all that are drawn on the fly.
constexpr int kHashedDraws = 1000;

// A Selector and a Solver, both from steps.
class RewritingTraining : public ModelTraining {
 public:
  RewritingTraining(const TrainRequest& request, const recipe::RewritingSections& sections,
                    const std::function<void(const std::string&)>& warn)
      : ModelTraining(request.recipe),
        writes_leaves_(sections.selector.kind == nn::SelectorKind::kLastLeaf) {
    if (recipe_.data.traces.empty()) {
      source_ = make_source(recipe_.data, recipe_.seed_number());
      return;
    }
    std::vector<data::RewriteExample> examples = data::read_trace_file(recipe_.data.traces);
    try {
      check_final_examples(examples);
      if (request.wants("selector") && !writes_leaves_)
        check_examples(sections.selector, examples, warn);
      if (request.wants("solver")) check_examples(sections.solver, examples);
      source_ = make_list_source(std::move(examples), recipe_.data);
      source_->pairs(recipe_.seed_number());  // finds contradictions
    } catch (const Error& error) {
      throw error.in(recipe_.data.traces);
    }
  }

  std::unique_ptr<TrainingTask> task(std::string_view module) override {
    if (module == "selector") {
      return writes_leaves_ ? leaf_writer_task(recipe_, *source_)
                            : selector_task(recipe_, *source_);
    }
    return task_of(source_->pairs(recipe_.seed_number()));
  }

 private:
  std::string draw(Rng& rng) const override { return source_->draw(rng, 1).formula; }

  bool writes_leaves_;
  std::unique_ptr<ExampleSource> source_;
};

// A Solver alone, from questions and answers.
class PairsTraining : public ModelTraining {
 public:
  explicit PairsTraining(const TrainRequest& request) : ModelTraining(request.recipe) {
    if (request.wants("selector")) {
      throw Error(ErrorKind::kUsage, "data.pairs: they can teach only a Solver",
                  "train the Solver only");
    }
    const std::vector<data::TaughtPair> taught = data::read_pair_file(recipe_.data.pairs);
    if (taught.empty()) throw Error(ErrorKind::kInput, recipe_.data.pairs + ": there is no pair");
    pairs_ = split_pairs(taught, recipe_.data.held_out, recipe_.seed_number());
  }

  std::unique_ptr<TrainingTask> task(std::string_view /*module*/) override {
    return task_of(pairs_);
  }

 private:
  std::string draw(Rng& /*rng*/) const override { return {}; }

  SolverPairs pairs_;
};

// One network, from formulas with their values.
class RouterTraining : public ModelTraining {
 public:
  explicit RouterTraining(const TrainRequest& request)
      : ModelTraining(request.recipe), source_(make_solved_source(recipe_.data)) {}

  std::unique_ptr<TrainingTask> task(std::string_view /*module*/) override {
    return router_task(recipe_, *source_);
  }

 private:
  std::string draw(Rng& rng) const override {
    const SolvedFormula example = source_->draw(rng, 1);
    return example.formula + "=" + example.value;
  }

  std::unique_ptr<SolvedSource> source_;
};

}  // namespace

std::string ModelTraining::data_hash(const std::string& before) const {
  if (!solver_hash_.empty()) return solver_hash_;
  return before.empty() ? hash_of({}) : before;
}

std::unique_ptr<TrainingTask> ModelTraining::task_of(SolverPairs pairs) {
  solver_hash_ = hash_of(pairs.train);
  return solver_task(recipe_, std::move(pairs));
}

std::string ModelTraining::hash_of(const PairList& pairs) const {
  std::uint32_t crc = 0;
  Rng rng(recipe_.seed_number());
  for (int i = 0; i < kHashedDraws; ++i) crc = model::crc32(draw(rng) + "\n", crc);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    crc = model::crc32(fmt::format("{}={}\n", pairs.text(i), pairs.value(i)), crc);
  }
  return fmt::format("crc32:{:08x}", crc);
}

std::unique_ptr<ModelTraining> make_training(const TrainRequest& request,
                                             const std::function<void(const std::string&)>& warn) {
  const recipe::Recipe& recipe = request.recipe;
  if (std::holds_alternative<recipe::RouterSections>(recipe.sections))
    return std::make_unique<RouterTraining>(request);
  if (!recipe.data.pairs.empty()) return std::make_unique<PairsTraining>(request);
  return std::make_unique<RewritingTraining>(request, recipe.of<recipe::RewritingSections>(), warn);
}

}  // namespace nrs::learn
