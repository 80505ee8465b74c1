#pragma once
// What the fuzz targets share. libFuzzer calls LLVMFuzzerTestOneInput() with bytes of its own
// making; anything but a return or an nrs::Error is a bug, and AddressSanitizer and UBSan look on.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "nrs/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace nrs::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Ends the run as a failure unless `holds`.
inline void expect(bool holds) {
  if (!holds) std::abort();
}

// For readers that want a file: always the same one, of this process.
inline std::filesystem::path as_file(std::string_view content, const char* extension) {
  static const std::string stem =
      (std::filesystem::temp_directory_path() / ("nrs-fuzz-" + std::to_string(::getpid())))
          .string();
  const std::filesystem::path path = stem + extension;
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  return path;
}

}  // namespace nrs::fuzz
