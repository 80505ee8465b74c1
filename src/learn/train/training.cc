#include "learn/train/training.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "data/trace_file.h"
#include "learn/examples/check_examples.h"
#include "learn/train/module_tasks.h"
#include "model/checksum.h"
#include "nrs/error.h"

namespace nrs::learn {
namespace {

using Warn = std::function<void(const std::string&)>;

// Texts that stand for all that are drawn on the fly.
constexpr int kHashedDraws = 1000;

// A checksum of drawn texts and of pairs.
std::string hash_of(const std::function<std::string(Rng&)>& draw, const PairList& pairs,
                    std::uint64_t seed) {
  std::uint32_t crc = 0;
  Rng rng(seed);
  for (int i = 0; i < kHashedDraws; ++i) crc = model::crc32(draw(rng) + "\n", crc);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    crc = model::crc32(fmt::format("{}={}\n", pairs.text(i), pairs.value(i)), crc);
  }
  return fmt::format("crc32:{:08x}", crc);
}

// A Selector and a Solver, both from steps.
class RewritingTraining : public ModelTraining {
 public:
  RewritingTraining(const TrainRequest& request, const recipe::RewritingSections& sections,
                    const Warn& warn)
      : recipe_(request.recipe),
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
    SolverPairs pairs = source_->pairs(recipe_.seed_number());
    hash_ = hash(pairs.train);
    return solver_task(recipe_, std::move(pairs));
  }

  std::string data_hash(const std::string& before) const override {
    if (!hash_.empty()) return hash_;
    return before.empty() ? hash({}) : before;
  }

 private:
  std::string hash(const PairList& pairs) const {
    return hash_of([this](Rng& rng) { return source_->draw(rng).formula; }, pairs,
                   recipe_.seed_number());
  }

  const recipe::Recipe& recipe_;
  bool writes_leaves_;
  std::unique_ptr<ExampleSource> source_;
  std::string hash_;  // with the pairs of the Solver, once it has its task
};

// A Solver alone, from questions and answers.
class PairsTraining : public ModelTraining {
 public:
  explicit PairsTraining(const TrainRequest& request) : recipe_(request.recipe) {
    if (request.wants("selector")) {
      throw Error(ErrorKind::kUsage, "data.pairs: they teach a Solver, and no Selector",
                  "train the Solver only");
    }
    const std::vector<data::TaughtPair> taught = data::read_pair_file(recipe_.data.pairs);
    if (taught.empty()) throw Error(ErrorKind::kInput, recipe_.data.pairs + ": there is no pair");
    pairs_ = split_pairs(taught, recipe_.data.held_out, recipe_.seed_number());
  }

  std::unique_ptr<TrainingTask> task(std::string_view /*module*/) override {
    return solver_task(recipe_, pairs_);
  }
  std::string data_hash(const std::string& /*before*/) const override {
    return hash_of([](Rng&) { return std::string(); }, pairs_.train, recipe_.seed_number());
  }

 private:
  const recipe::Recipe& recipe_;
  SolverPairs pairs_;
};

// One network, from formulas with their values.
class RouterTraining : public ModelTraining {
 public:
  explicit RouterTraining(const TrainRequest& request)
      : recipe_(request.recipe), source_(make_solved_source(recipe_.data)) {}

  std::unique_ptr<TrainingTask> task(std::string_view /*module*/) override {
    return router_task(recipe_, *source_);
  }
  std::string data_hash(const std::string& /*before*/) const override {
    const auto draw = [this](Rng& rng) {
      const SolvedFormula example = source_->draw(rng, 1);
      return example.formula + "=" + example.value;
    };
    return hash_of(draw, {}, recipe_.seed_number());
  }

 private:
  const recipe::Recipe& recipe_;
  std::unique_ptr<SolvedSource> source_;
};

// One function for each kind of sections that a recipe can have.

std::unique_ptr<ModelTraining> training_for(const recipe::RewritingSections& sections,
                                            const TrainRequest& request, const Warn& warn) {
  if (!request.recipe.data.pairs.empty()) return std::make_unique<PairsTraining>(request);
  return std::make_unique<RewritingTraining>(request, sections, warn);
}

std::unique_ptr<ModelTraining> training_for(const recipe::RouterSections& /*sections*/,
                                            const TrainRequest& request, const Warn& /*warn*/) {
  return std::make_unique<RouterTraining>(request);
}

}  // namespace

std::unique_ptr<ModelTraining> make_training(const TrainRequest& request,
                                             const std::function<void(const std::string&)>& warn) {
  return std::visit([&](const auto& one) { return training_for(one, request, warn); },
                    request.recipe.sections);
}

}  // namespace nrs::learn
