#pragma once
// The JSON header of a safetensors file, read without ever building a document of it: a document
// would drop the first of two equal names and grow with the depth of the nesting.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/safetensors.h"

namespace nrs::model {

struct HeaderEntry {
  std::string name;
  Dtype dtype = Dtype::kF32;
  nn::TensorShape shape{};
  std::uint64_t begin = 0;  // offsets into the data, which follows the header
  std::uint64_t end = 0;
};

struct Header {
  Metadata metadata;
  std::vector<HeaderEntry> entries;  // sorted by name
};

// Reads the header and checks each entry by itself, and that no name comes twice. Throws Error
// (input) without the name of the file.
Header read_header(std::string_view json);

// Bytes that a tensor of this type and shape takes. Throws Error (input) if they cannot be counted
// in 64 bits.
std::uint64_t byte_count(Dtype dtype, std::span<const std::uint64_t> shape);

}  // namespace nrs::model
