// Where libFuzzer enters each target.
#include <cstddef>
#include <cstdint>

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    nrs::fuzz::check({reinterpret_cast<const char*>(data), size});
  } catch (const nrs::Error&) {
  }
  return 0;
}
