#include "rewrite/rules/heap.h"

#include <algorithm>
#include <limits>
#include <new>
#include <tuple>
#include <utility>

namespace nrs::rewrite::rules {
namespace {

constexpr std::size_t kMostWords = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kMoved = 0xffffffff;

std::unique_ptr<std::uint32_t[]> block(std::size_t words) {
  try {
    return std::unique_ptr<std::uint32_t[]>(new std::uint32_t[words]);
  } catch (const std::bad_alloc&) {
    throw OutOfMemory();
  }
}

}  // namespace

Heap::Heap(const std::vector<std::uint32_t>& arities, std::size_t max_bytes,
           std::size_t first_bytes)
    : arities_(arities),
      max_words_(max_bytes / sizeof(std::uint32_t)),
      limit_(first_bytes / sizeof(std::uint32_t)),
      next_limit_(limit_) {
  words_ = block(limit_);
}

Value Heap::make_fixed(std::uint32_t symbol, std::span<const Value> args) {
  const std::size_t words = node_words(args.size());
  if (top_ + words > limit_) {
    const std::size_t larger = std::max(2 * limit_, top_ + words);
    if (larger > std::min(max_words_, kMostWords)) throw OutOfMemory();
    std::unique_ptr<std::uint32_t[]> moved = block(larger);
    std::copy_n(words_.get(), top_, moved.get());
    words_ = std::move(moved);
    limit_ = larger;
  }
  const auto node = static_cast<Value>(top_);
  top_ += words;
  words_[node] = symbol;
  words_[node + 1] = 0;
  std::copy(args.begin(), args.end(), words_.get() + node + 1);
  return node;
}

// Cheney's algorithm: the new block is its own list of what is still to be looked at.
void Heap::collect(const std::function<void(const VisitRoot&)>& roots, std::size_t words) {
  // What lives is at most what is used, and fits into a block of the same size.
  const std::size_t least = top_ + words;
  const std::size_t room = max_words_ > limit_ ? max_words_ - limit_ : 0;
  if (least > std::min(room, kMostWords)) throw OutOfMemory();
  const std::size_t size =
      std::clamp(std::max(next_limit_, limit_), least, std::min(room, kMostWords));
  if (spare_limit_ < least || spare_limit_ < size) {
    spare_.reset();
    spare_ = block(size);
    spare_limit_ = size;
  }
  std::uint32_t* const to = spare_.get();
  std::uint32_t* const from = words_.get();
  std::copy_n(from, fixed_, to);
  std::size_t top = fixed_;
  std::size_t scan = fixed_;
  const auto move = [&](Value& value) {
    if (value < fixed_) return;
    if (from[value] == kMoved) {
      value = from[value + 1];
      return;
    }
    const std::size_t length = node_words(arities_[from[value]]);
    std::copy_n(from + value, length, to + top);
    from[value] = kMoved;
    from[value + 1] = static_cast<Value>(top);
    value = static_cast<Value>(top);
    top += length;
  };
  roots(move);
  while (scan < top) {
    const std::uint32_t arity = arities_[to[scan]];
    for (std::uint32_t i = 1; i <= arity; ++i) move(to[scan + i]);
    scan += node_words(arity);
  }
  std::swap(words_, spare_);
  std::swap(limit_, spare_limit_);
  top_ = top;
  // Larger if more than a third lives, so that moving costs little for each node that is made.
  if (3 * (top_ + words) > limit_) next_limit_ = 4 * (top_ + words);
}

bool Heap::same(Value a, Value b) const {
  compare_.clear();
  while (true) {
    if (a != b) {
      if (words_[a] != words_[b]) return false;
      const std::uint32_t count = arity(a);
      if (count == 0) {
        // the same constant
      } else {
        for (std::uint32_t i = 1; i < count; ++i) compare_.emplace_back(arg(a, i), arg(b, i));
        a = arg(a, 0);
        b = arg(b, 0);
        continue;
      }
    }
    if (compare_.empty()) return true;
    std::tie(a, b) = compare_.back();
    compare_.pop_back();
  }
}

}  // namespace nrs::rewrite::rules
