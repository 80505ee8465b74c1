#pragma once
// Random numbers and hashes with fixed algorithms: the same seed gives the same draws, and the same
// text the same hash, on every machine and in every version, which the standard library does not
// promise.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace nrs {

// xoshiro256**, seeded by splitmix64. Cheap enough to make one per formula.
class Rng {
 public:
  // Streams of one seed are independent: formula i of a run draws from stream i, so that the result
  // does not depend on which thread makes it.
  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint64_t next();
  // Uniform in [0, bound), without bias; bound must not be 0.
  std::uint64_t below(std::uint64_t bound);
  // Uniform in [low, high], both included.
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::uint64_t>(high - low) + 1));
  }
  // Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  // True with this probability.
  bool chance(double probability) { return uniform() < probability; }

  template <class Items>
  void shuffle(Items& items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[static_cast<std::size_t>(below(i))]);
    }
  }

 private:
  std::uint64_t state_[4];
};

// A well-mixed 64-bit hash of two numbers: to derive the seed of a part from the seed of the whole.
std::uint64_t mix(std::uint64_t a, std::uint64_t b);
// A fixed 64-bit hash of a text.
std::uint64_t hash_text(std::string_view text);

}  // namespace nrs
