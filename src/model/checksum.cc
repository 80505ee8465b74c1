#include "model/checksum.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace nrs::model {
namespace {

static_assert(std::endian::native == std::endian::little, "crc32 reads words byte by byte else");

constexpr std::size_t kStride = 8;
using Tables = std::array<std::array<std::uint32_t, 256>, kStride>;

// Table k advances the checksum of one byte over k more zero bytes, so that eight bytes are taken
// in one turn: a byte at a time would make the checksum the slowest part of saving.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? 0xedb88320u : 0u);
    tables[0][byte] = rest;
  }
  for (std::size_t k = 1; k < kStride; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t rest = tables[k - 1][byte];
      tables[k][byte] = (rest >> 8) ^ tables[0][rest & 0xff];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) {
  std::uint32_t rest = ~before;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= kStride; left -= kStride, at += kStride) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, kStride);
    word ^= rest;
    rest = 0;
    for (std::size_t k = 0; k < kStride; ++k) {
      rest ^= kTables[kStride - 1 - k][(word >> (8 * k)) & 0xff];
    }
  }
  for (; left > 0; --left, ++at) {
    rest = (rest >> 8) ^ kTables[0][(rest ^ static_cast<unsigned char>(*at)) & 0xff];
  }
  return ~rest;
}

}  // namespace nrs::model
