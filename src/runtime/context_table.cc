#include "runtime/context_table.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace nrs::runtime {
namespace {

// The first `tokens` bytes of a word, as they lie in memory.
std::uint64_t mask_of(std::size_t tokens) {
  std::uint64_t mask = 0;
  std::memset(&mask, 0xFF, tokens);
  return mask;
}

}  // namespace

ContextTable::ContextTable(std::size_t tokens, std::size_t dim, std::size_t capacity)
    : words_((tokens + 7) / 8),
      last_mask_(mask_of(tokens - 8 * (words_ - 1))),
      dim_(dim),
      capacity_(capacity),
      entries_(2 * capacity),
      contexts_(std::make_unique_for_overwrite<std::uint64_t[]>(capacity * words_)),
      vectors_(std::make_unique_for_overwrite<float[]>(capacity * dim)) {}

std::uint64_t ContextTable::word(const std::uint8_t* context, std::size_t index) const {
  std::uint64_t word = 0;
  std::memcpy(&word, context + 8 * index, sizeof word);
  return index + 1 == words_ ? word & last_mask_ : word;
}

std::size_t ContextTable::place_of(const std::uint8_t* context) const {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < words_; ++i) {
    hash = (std::rotl(hash, 23) ^ word(context, i)) * kFactor;
  }
  // The high bits: only they depend on all tokens.
  return hash >> (64 - std::countr_zero(entries_.size()));
}

const float* ContextTable::find(const std::uint8_t* context) const {
  const std::size_t number = entries_[place_of(context)];
  if (number == 0) return nullptr;
  // What stands at a place may be another context, or one that has been overwritten since.
  const std::uint64_t* known = contexts_.get() + (number - 1) * words_;
  for (std::size_t i = 0; i < words_; ++i) {
    if (known[i] != word(context, i)) return nullptr;
  }
  return vectors_.get() + (number - 1) * dim_;
}

void ContextTable::add(const std::uint8_t* context, const float* vector) {
  const std::size_t entry = next_++ % capacity_;
  entries_[place_of(context)] = static_cast<std::uint32_t>(entry + 1);
  for (std::size_t i = 0; i < words_; ++i) contexts_[entry * words_ + i] = word(context, i);
  std::copy_n(vector, dim_, vectors_.get() + entry * dim_);
}

}  // namespace nrs::runtime
