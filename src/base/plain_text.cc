#include "base/plain_text.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace nrs {
namespace {

static_assert(std::endian::native == std::endian::little, "the first byte is the lowest");

constexpr std::uint64_t kOnes = ~std::uint64_t{0} / 255;  // each byte 1
constexpr std::uint64_t kTops = kOnes << 7;               // the highest bit of each byte

// The highest bit of a byte says that it is zero, for the first such byte at least: what is marked
// behind it may be wrong.
constexpr std::uint64_t zeros(std::uint64_t bytes) {
  return (bytes - kOnes) & ~bytes & kTops;
}

// In the same way, bytes that are not plain.
constexpr std::uint64_t not_plain(std::uint64_t bytes) {
  const std::uint64_t control = (bytes - kOnes * ' ') & ~bytes & kTops;
  return control | zeros(bytes ^ kOnes * '"') | zeros(bytes ^ kOnes * '\\') | (bytes & kTops);
}

}  // namespace

std::size_t plain_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size()) {
    std::uint64_t bytes = 0;  // behind the end of the text
    std::memcpy(&bytes, text.data() + length, std::min(sizeof bytes, text.size() - length));
    const std::uint64_t marked = not_plain(bytes);
    if (marked != 0) {
      return std::min(length + static_cast<std::size_t>(std::countr_zero(marked)) / 8, text.size());
    }
    length += sizeof bytes;
  }
  return length;
}

}  // namespace nrs
