#include "compile/byte_kinds.h"

#include <algorithm>
#include <map>

#include "base/rng.h"

namespace nrs::compile {
namespace {

constexpr std::size_t kTrials = 24;    // accepted exchanges in each direction
constexpr std::size_t kTries = 120;    // to find so many
constexpr std::size_t kLongest = 100;  // of texts that are tried

class KindFinder {
 public:
  KindFinder(const Selector& selector, const Texts& texts, std::span<const Labelled> sample,
             int threads)
      : selector_(selector), texts_(texts), threads_(threads) {
    for (const Labelled& one : sample) {
      if (one.text.size() > kLongest) continue;
      for (const char c : one.text) {
        std::vector<const Labelled*>& with = with_[static_cast<unsigned char>(c)];
        if (with.empty() || with.back() != &one) with.push_back(&one);
      }
    }
  }

  ByteKinds find() {
    ByteKinds kinds;
    std::vector<std::uint8_t> firsts = {0};  // of each kind
    for (const auto& entry : with_) {
      const std::uint8_t byte = entry.first;
      std::size_t kind = 1;
      while (kind < firsts.size() && !same(byte, firsts[kind])) ++kind;
      if (kind == firsts.size()) firsts.push_back(byte);
      kinds.kind_of[byte] = static_cast<std::uint8_t>(kind);
    }
    kinds.count = firsts.size();
    return kinds;
  }

 private:
  bool same(std::uint8_t a, std::uint8_t b) {
    std::vector<std::string> changed;
    std::vector<const Labelled*> originals;
    exchange(a, b, changed, originals);
    exchange(b, a, changed, originals);
    if (changed.empty()) return false;
    const std::vector<Labelled> labelled = label(selector_, std::move(changed), threads_);
    for (std::size_t i = 0; i < labelled.size(); ++i) {
      if (labelled[i].marks != originals[i]->marks) return false;
    }
    return true;
  }

  void exchange(std::uint8_t from, std::uint8_t to, std::vector<std::string>& changed,
                std::vector<const Labelled*>& originals) {
    const std::vector<const Labelled*>& with = with_.at(from);
    Rng rng(from, to);
    std::size_t found = 0;
    for (std::size_t i = 0; i < kTries && found < kTrials; ++i) {
      const Labelled* const one = with[rng.below(with.size())];
      std::string text = one->text;
      std::size_t place = rng.below(text.size());
      while (static_cast<unsigned char>(text[place]) != from) place = (place + 1) % text.size();
      text[place] = static_cast<char>(to);
      if (!texts_.accepts(text)) continue;
      changed.push_back(std::move(text));
      originals.push_back(one);
      ++found;
    }
  }

  const Selector& selector_;
  const Texts& texts_;
  int threads_;
  std::map<std::uint8_t, std::vector<const Labelled*>> with_;  // texts with a character
};

}  // namespace

ByteKinds find_kinds(const Selector& selector, const Texts& texts, std::span<const Labelled> sample,
                     int threads) {
  return KindFinder(selector, texts, sample, threads).find();
}

}  // namespace nrs::compile
