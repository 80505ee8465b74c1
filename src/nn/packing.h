#pragma once
// Rows of different lengths, packed end to end. Everything in the networks works on packed tokens
// [N, D] with the offsets of the rows: matrix products see N tokens, attention sees rows, and no
// work goes into padding. Hence a row's result cannot depend on its companions in the batch.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nrs::nn {

// The id of padding, and of a token that a model does not know.
inline constexpr int kPadId = 0;

class Packing {
 public:
  void add(std::size_t length) {
    offsets_.push_back(offsets_.back() + static_cast<std::int64_t>(length));
  }

  std::int64_t rows() const { return static_cast<std::int64_t>(offsets_.size()) - 1; }
  std::int64_t tokens() const { return offsets_.back(); }
  // Row r is the tokens [begin(r), end(r)).
  std::int64_t begin(std::int64_t row) const { return offsets_[static_cast<std::size_t>(row)]; }
  std::int64_t end(std::int64_t row) const { return offsets_[static_cast<std::size_t>(row) + 1]; }
  std::int64_t length(std::int64_t row) const { return end(row) - begin(row); }
  const std::vector<std::int64_t>& offsets() const { return offsets_; }

 private:
  std::vector<std::int64_t> offsets_{0};  // [rows + 1]
};

// Token rows as the networks read them. N is the number of tokens, B of rows.
struct TokenRows {
  Packing packing;
  std::vector<std::int32_t> ids;       // [N]
  std::vector<std::int32_t> places;    // [N] of digits; empty if the network has no places
  std::vector<std::uint64_t> seeds;    // [B] of labels; read only with label positions
  std::vector<std::int32_t> wanted{};  // tokens whose vectors are asked for, in order; empty: all
  std::int64_t first_token = 0;        // tokens before these, if they are a part of a larger batch

  void add(std::span<const std::int32_t> row) {
    ids.insert(ids.end(), row.begin(), row.end());
    packing.add(row.size());
  }
  // Of which only [begin, end) are wanted.
  void add(std::span<const std::int32_t> row, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      wanted.push_back(static_cast<std::int32_t>(ids.size() + i));
    }
    add(row);
  }
  void add_places(std::span<const std::int32_t> row) {
    places.insert(places.end(), row.begin(), row.end());
  }
};

}  // namespace nrs::nn
