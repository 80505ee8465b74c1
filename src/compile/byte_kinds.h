#pragma once
// Which characters a Selector does not distinguish: all digits, for example.
#include <array>
#include <cstdint>
#include <span>

#include "compile/labelled.h"

namespace nrs::compile {

struct ByteKinds {
  std::array<std::uint8_t, 256> kind_of{};  // 0: never seen
  std::size_t count = 1;                    // of kinds, that of what was never seen included
};

// Two characters are of one kind if putting one in the place of the other changes no mark, wherever
// that makes a formula again. Characters that never stand for each other are of different kinds.
ByteKinds find_kinds(const Selector& selector, const Texts& texts, std::span<const Labelled> sample,
                     int threads);

}  // namespace nrs::compile
