#pragma once
// The header of a safetensors file, read without ever building a document of it: a document would
// drop the first of two equal names and grow with the depth of the nesting.
#include <string_view>
#include <vector>

#include "model/safetensors.h"

namespace nrs::model {

struct Header {
  Metadata metadata;
  std::vector<TensorView> tensors;  // sorted by name; their bytes are those of the file
};

// Every byte of the file must belong to the header or to exactly one tensor, and no name may come
// twice. Throws Error (input) without the name of the file.
Header read_header(std::string_view file);

}  // namespace nrs::model
