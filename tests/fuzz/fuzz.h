#pragma once
// What the fuzz targets share. libFuzzer makes up bytes, with which entry.cc calls check() of the
// target; anything but a return or an nrs::Error is a bug, and AddressSanitizer and UBSan look on.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>

#include "nrs/error.h"

namespace nrs::fuzz {

// Each target defines it.
void check(std::string_view content);

// Reads the same in several ways: what one of them refuses, another may take.
template <class Reader, class Check>
void for_each_reader(std::initializer_list<Reader> readers, const Check& check) {
  for (const Reader reader : readers) {
    try {
      check(reader);
    } catch (const Error&) {
    }
  }
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
