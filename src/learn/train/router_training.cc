// The training of the Neural Data Router.
#include "learn/train/router_task.h"
#include "learn/train/training.h"

namespace nrs::learn {
namespace {

// One network, from formulas with their values.
class RouterTraining : public ModelTraining {
 public:
  explicit RouterTraining(const TrainingPlan& plan)
      : recipe_(plan.recipe), source_(make_solved_source(recipe_.data)) {}

  std::unique_ptr<ModuleTask> task(std::string_view /*module*/) override {
    return std::make_unique<RouterTask>(recipe_, *source_);
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

}  // namespace

std::unique_ptr<ModelTraining> train_ndr(const TrainingPlan& plan) {
  return std::make_unique<RouterTraining>(plan);
}

}  // namespace nrs::learn
