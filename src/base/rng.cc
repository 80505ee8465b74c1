#include "base/rng.h"

#include <bit>

namespace nrs {
namespace {

std::uint64_t splitmix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t state = a;
  state = splitmix(state) ^ (b * 0xd1342543de82ef95u + 0x2545f4914f6cdd1du);
  return splitmix(state);
}

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

Rng::Rng(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t start = mix(seed, stream);
  for (std::uint64_t& word : state_) word = splitmix(start);
}

std::uint64_t Rng::next() {
  auto& s = state_;
  const std::uint64_t result = std::rotl(s[1] * 5, 7) * 9;
  const std::uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = std::rotl(s[3], 45);
  return result;
}

std::uint64_t Rng::below(std::uint64_t bound) {
  // Lemire's method: the high word of a 128-bit product, redrawn in the rare biased zone.
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(next()) * bound;
  auto low = static_cast<std::uint64_t>(product);
  if (low < bound) {
    const std::uint64_t biased = (0 - bound) % bound;
    while (low < biased) {
      product = static_cast<Wide>(next()) * bound;
      low = static_cast<std::uint64_t>(product);
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

}  // namespace nrs
