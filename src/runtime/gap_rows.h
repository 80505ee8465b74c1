#pragma once
// Rows of numbers of a text that changes in one place after the other: what is before the place and
// what is behind it lie at the two ends of a buffer, and the room between them moves along.
#include <cstdint>
#include <vector>

#include "nn/buffer.h"
#include "nn/decoder.h"

namespace nrs::runtime {

class GapRows {
 public:
  explicit GapRows(std::int64_t width) : width_(width) {}

  std::int64_t size() const { return before_ + behind_; }
  // Takes out the rows [begin, end), where the gap then is. Costs as much as the gap moves.
  void cut(std::int64_t begin, std::int64_t end);
  // `count` new rows before the gap, to be filled: [count, width].
  float* insert(std::int64_t count);
  // Valid until the next change.
  nn::ReadRows read() const;

 private:
  float* row(std::int64_t index) const { return rows_.data() + index * width_; }

  std::int64_t width_;
  std::int64_t room_ = 0;  // rows that fit into the buffer
  std::int64_t before_ = 0;
  std::int64_t behind_ = 0;  // the last rows of the buffer
  nn::Buffer rows_;          // [room, width]
};

// The keys and values of a text for every layer of a decoder.
std::vector<GapRows> rows_of_layers(const nn::Decoder& decoder);

}  // namespace nrs::runtime
