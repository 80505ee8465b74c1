#pragma once
// Vectors that were computed before, by the tokens that they depend on.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace nrs::nn {

// Where a token sees only so far, its vector is a function of that neighbourhood, its context. The
// table keeps the latest ones; what it has forgotten is computed again, to the same bits.
class ContextTable {
 public:
  // Contexts of `tokens` tokens of a byte each, behind which there are 8 more bytes to read;
  // vectors of `dim` numbers. Keeps `capacity` (a power of two) of them at most. Memory that has
  // not been used yet is not taken from the system.
  ContextTable(std::size_t tokens, std::size_t dim, std::size_t capacity)
      : words_((tokens + 7) / 8),
        dim_(dim),
        capacity_(capacity),
        entries_(2 * capacity),
        contexts_(std::make_unique_for_overwrite<std::uint64_t[]>(capacity * words_)),
        vectors_(std::make_unique_for_overwrite<float[]>(capacity * dim)) {
    std::memset(&last_mask_, 0xFF, tokens - 8 * (words_ - 1));
  }

  // Null if it is not remembered. Valid until the next add().
  const float* find(const std::uint8_t* context) const {
    const std::size_t number = entries_[place_of(context)];
    if (number == 0) return nullptr;
    // What stands at a place may be another context, or one that has been overwritten since.
    const std::uint64_t* known = contexts_.get() + (number - 1) * words_;
    for (std::size_t i = 0; i < words_; ++i) {
      if (known[i] != word(context, i)) return nullptr;
    }
    return vectors_.get() + (number - 1) * dim_;
  }
  // Takes the place of the oldest one.
  void add(const std::uint8_t* context, const float* vector) {
    const std::size_t entry = next_++ % capacity_;
    entries_[place_of(context)] = static_cast<std::uint32_t>(entry + 1);
    for (std::size_t i = 0; i < words_; ++i) contexts_[entry * words_ + i] = word(context, i);
    std::copy_n(vector, dim_, vectors_.get() + entry * dim_);
  }

 private:
  // A context is compared and hashed eight tokens at a time.
  std::uint64_t word(const std::uint8_t* context, std::size_t index) const {
    std::uint64_t word = 0;
    std::memcpy(&word, context + 8 * index, sizeof word);
    return index + 1 == words_ ? word & last_mask_ : word;
  }
  std::size_t place_of(const std::uint8_t* context) const {
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < words_; ++i) {
      hash = (std::rotl(hash, 23) ^ word(context, i)) * kFactor;
    }
    // The high bits: only they depend on all tokens.
    return hash >> (64 - std::countr_zero(entries_.size()));
  }

  std::size_t words_;
  std::uint64_t last_mask_ = 0;  // the tokens of a context in its last word, as they lie in memory
  std::size_t dim_;
  std::size_t capacity_;
  std::size_t next_ = 0;                       // entries are filled in turn
  std::vector<std::uint32_t> entries_;         // by hash: number of the entry plus 1; 0: none
  std::unique_ptr<std::uint64_t[]> contexts_;  // [capacity, words]
  std::unique_ptr<float[]> vectors_;           // [capacity, dim]
};

}  // namespace nrs::nn
