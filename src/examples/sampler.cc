#include "examples/sampler.h"

#include <algorithm>
#include <bit>

#include "base/rng.h"

namespace nrs::examples {
namespace {

// Lengths that differ by less than a fifth or so are the same.
std::size_t length_class(std::size_t length) {
  constexpr std::size_t kExact = 8, kPerDouble = 4;
  if (length < kExact) return length;
  const auto doubles = static_cast<std::size_t>(std::bit_width(length));
  return kExact * doubles + (length * kPerDouble >> (doubles - 1));
}

// Of all that it says, but not of its line.
std::uint64_t hash_of(const Example& example) {
  std::uint64_t hash = (example.complete ? 2U : 0U) + (example.all_places ? 1U : 0U);
  for (const std::string& formula : example.formulas) hash = mix(hash, hash_text(formula));
  for (const auto& places : example.places) {
    for (const Place& place : places) {
      hash = mix(mix(hash, place.begin), mix(place.end, hash_text(place.value)));
    }
  }
  return hash;
}

}  // namespace

std::size_t bytes_of(const Example& example) {
  constexpr std::size_t kBlock = 16;  // of memory, beside what is in it
  const auto text = [](const std::string& t) {
    return sizeof(t) + (t.size() > 15 ? t.capacity() + kBlock : 0);
  };
  std::size_t bytes = sizeof(example) + kBlock;
  for (const std::string& formula : example.formulas) bytes += text(formula);
  for (const auto& places : example.places) {
    bytes += sizeof(places) + kBlock;
    for (const Place& place : places)
      bytes += sizeof(place) - sizeof(place.value) + text(place.value);
  }
  for (const std::string& position : example.positions) bytes += text(position);
  return bytes;
}

void Sampler::take(Example example) {
  const std::uint64_t hash = hash_of(example);
  if (const auto same = by_text_.find(hash); same != by_text_.end()) {
    slots_[same->second].times += example.times;
    return;
  }
  const std::uint64_t draw = mix(seed_, hash_text(example.formulas.front()));
  Length& length = lengths_[length_class(example.formulas.front().size())];
  if (draw >= length.limit) {
    left_out_ += example.times;
    return;
  }
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  const std::size_t bytes = bytes_of(example);
  length.bytes += bytes;
  bytes_ += bytes;
  length.heap.push_back({draw, slot});
  std::push_heap(length.heap.begin(), length.heap.end());
  by_text_.emplace(hash, slot);
  slots_[slot] = std::move(example);
  while (bytes_ > most_bytes_) drop_one();
}

void Sampler::drop_one() {
  Length& length =
      std::ranges::max_element(lengths_, {}, [](const auto& l) { return l.second.bytes; })->second;
  std::pop_heap(length.heap.begin(), length.heap.end());
  const Drawn last = length.heap.back();
  length.heap.pop_back();
  length.limit = last.draw;
  Example& dropped = slots_[last.slot];
  const std::size_t bytes = bytes_of(dropped);
  length.bytes -= bytes;
  bytes_ -= bytes;
  left_out_ += dropped.times;
  by_text_.erase(hash_of(dropped));
  dropped = {};
  free_.push_back(last.slot);
}

std::vector<Example> Sampler::result() {
  by_text_.clear();
  lengths_.clear();
  std::erase_if(slots_, [](const Example& example) { return example.formulas.empty(); });
  std::ranges::sort(slots_, {}, &Example::line);
  return std::move(slots_);
}

}  // namespace nrs::examples
