#include "base/hash.h"

#include "base/rng.h"

namespace nrs {

std::uint64_t hash_text(std::string_view text) {
  std::uint64_t hash = text.size();
  while (!text.empty()) {
    // Eight characters at a time, put together by value so that byte order does not matter.
    std::uint64_t word = 0;
    const std::string_view part = text.substr(0, 8);
    for (const char c : part) word = word << 8 | static_cast<unsigned char>(c);
    hash = mix(hash, word);
    text.remove_prefix(part.size());
  }
  return hash;
}

}  // namespace nrs
