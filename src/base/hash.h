#pragma once
// A fixed 64-bit hash of a text: the same on every machine and in every version.
#include <cstdint>
#include <string_view>

namespace nrs {

std::uint64_t hash_text(std::string_view text);

}  // namespace nrs
