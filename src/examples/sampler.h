#pragma once
// A bounded share of very many examples.
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "examples/examples.h"

namespace nrs::examples {

// About how much memory an example takes.
std::size_t bytes_of(const Example& example);

// Each length has the same share of the memory, so short examples, of which there are few, are all
// kept. If there is no room, an example of the length that takes the most bytes is dropped. Which
// one follows from the seed and its question alone, so all answers to a question stay
// or go together. Examples that are the same become one. Law: the same examples and seed give the
// same share.
class Sampler {
 public:
  Sampler(std::size_t most_bytes, std::uint64_t seed) : most_bytes_(most_bytes), seed_(seed) {}

  void take(Example example);
  // Examples that were not kept, with those that are the same.
  std::size_t left_out() const { return left_out_; }
  // What was kept, in the order of the file. Nothing is kept any more then.
  std::vector<Example> result();

 private:
  struct Drawn {
    std::uint64_t draw;
    std::uint32_t slot;
    auto operator<=>(const Drawn&) const = default;
  };
  // Examples of about the same length.
  struct Length {
    std::vector<Drawn> heap{};  // the greatest draw first
    std::size_t bytes = 0;
    std::uint64_t limit = ~std::uint64_t{0};  // a draw above it goes at once
  };
  void drop_one();

  std::size_t most_bytes_;
  std::uint64_t seed_;
  std::size_t bytes_ = 0;
  std::size_t left_out_ = 0;
  std::vector<Example> slots_;
  std::vector<std::uint32_t> free_;
  std::map<std::size_t, Length> lengths_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_text_;  // slots
};

}  // namespace nrs::examples
