#pragma once
// The CRC-32 of zip, PNG and zlib: finds damage, and every language can compute it.
#include <cstdint>
#include <string_view>

namespace nrs::model {

// The checksum of everything given so far: crc32(b, crc32(a)) == crc32(a followed by b). Any change
// of up to four neighbouring bytes changes it for certain, any other all but once in 2^32.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

}  // namespace nrs::model
