#pragma once
// Memory for normal forms while the machine runs: nodes of 32-bit words in one block, given out
// from the front; when it is full, what is still needed moves to a new block.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace nrs::rewrite::rules {

// A node: the place of its first word, which is the symbol; its arguments follow. Equal constants
// and equal constant terms of rules are one node.
using Value = std::uint32_t;

// Thrown where there is no more memory for values; a result of a run, not a fault of its caller.
struct OutOfMemory {};

// Words of a node: room for where it has moved to, at least.
constexpr std::size_t node_words(std::size_t arity) {
  return arity == 0 ? 2 : 1 + arity;
}

class Heap {
 public:
  // `arities` of the symbols, which must outlive the heap and may grow. At most so many bytes are
  // used, with the second block that moving needs.
  Heap(const std::vector<std::uint32_t>& arities, std::size_t max_bytes, std::size_t first_bytes);

  // What has been made up to now is never moved or freed.
  void seal() { fixed_ = static_cast<Value>(top_); }
  Value fixed() const { return fixed_; }

  std::uint32_t* words() { return words_.get(); }
  std::size_t top() const { return top_; }
  std::size_t limit() const { return limit_; }
  void set_top(std::size_t top) { top_ = top; }
  const std::uint32_t* words() const { return words_.get(); }
  std::uint32_t symbol(Value node) const { return words_[node]; }
  Value arg(Value node, std::size_t i) const { return words_[node + 1 + i]; }
  std::uint32_t arity(Value node) const { return arities_[words_[node]]; }

  // A node that is never moved. Throws OutOfMemory.
  Value make_fixed(std::uint32_t symbol, std::span<const Value> args);

  // Moves everything that the roots need to a new block with room for at least `words` more.
  // `roots` calls its argument for each root. Throws OutOfMemory.
  using VisitRoot = std::function<void(Value&)>;
  void collect(const std::function<void(const VisitRoot&)>& roots, std::size_t words);

  // Whether two nodes are the same term. Does not recurse.
  bool same(Value a, Value b) const;

  // Forgets all nodes but the fixed ones.
  void clear() { top_ = fixed_; }

 private:
  const std::vector<std::uint32_t>& arities_;
  std::size_t max_words_;  // of both blocks together
  std::unique_ptr<std::uint32_t[]> words_;
  std::size_t limit_ = 0;
  std::unique_ptr<std::uint32_t[]> spare_;  // the block before, to move to
  std::size_t spare_limit_ = 0;
  std::size_t next_limit_;  // size of the next block
  std::size_t top_ = 0;
  Value fixed_ = 0;
  mutable std::vector<std::pair<Value, Value>> compare_;
};

}  // namespace nrs::rewrite::rules
