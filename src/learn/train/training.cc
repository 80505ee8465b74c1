#include "learn/train/training.h"

#include <fmt/format.h>

#include <array>

#include "model/checksum.h"
#include "nrs/error.h"

namespace nrs::learn {
namespace {

struct Descriptor {
  std::string_view architecture;
  std::unique_ptr<ModelTraining> (*train)(const TrainingPlan& plan);
};
constexpr std::array kDescriptors{
    Descriptor{"fastnrs", train_fastnrs},
    Descriptor{"nrs", train_nrs},
    Descriptor{"ndr", train_ndr},
};

// Texts that stand for all that are drawn on the fly.
constexpr int kHashedDraws = 1000;

}  // namespace

std::unique_ptr<ModelTraining> make_training(const TrainingPlan& plan) {
  for (const Descriptor& one : kDescriptors) {
    if (one.architecture == plan.recipe.architecture()) return one.train(plan);
  }
  throw Error(ErrorKind::kUsage,
              fmt::format("{}: an architecture that is not trained", plan.recipe.architecture()));
}

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

}  // namespace nrs::learn
