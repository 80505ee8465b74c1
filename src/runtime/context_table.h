#pragma once
// Vectors that were computed before, by the tokens that they depend on.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace nrs::runtime {

// Where a token sees only so far, its vector is a function of that neighbourhood, its context. The
// table keeps the latest ones; what it has forgotten is computed again, to the same bits.
class ContextTable {
 public:
  // Contexts of `tokens` tokens of a byte each, behind which there are 8 more bytes to read;
  // vectors of `dim` numbers. Keeps `capacity` (a power of two) of them at most. Memory that has
  // not been used yet is not taken from the system.
  ContextTable(std::size_t tokens, std::size_t dim, std::size_t capacity);

  // Null if it is not remembered. Valid until the next add().
  const float* find(const std::uint8_t* context) const;
  // Takes the place of the oldest one.
  void add(const std::uint8_t* context, const float* vector);

 private:
  // A context is compared and hashed eight tokens at a time.
  std::uint64_t word(const std::uint8_t* context, std::size_t index) const;
  std::size_t place_of(const std::uint8_t* context) const;

  std::size_t words_;
  std::uint64_t last_mask_;  // the tokens of a context in its last word
  std::size_t dim_;
  std::size_t capacity_;
  std::size_t next_ = 0;                       // entries are filled in turn
  std::vector<std::uint32_t> entries_;         // by hash: number of the entry plus 1; 0: none
  std::unique_ptr<std::uint64_t[]> contexts_;  // [capacity, words]
  std::unique_ptr<float[]> vectors_;           // [capacity, dim]
};

}  // namespace nrs::runtime
