#pragma once
// The record of a training run, one JSON object per line, for plots and for `nrs report`.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace nrs {

// Every line is on the disk's side of the program when write() returns. A run that is resumed goes
// on at the byte where its checkpoint was made, so that no step is there twice.
class MetricsFile {
 public:
  // Throws Error (I/O). Keeps the first `size` bytes of what is there.
  MetricsFile(std::filesystem::path path, std::uint64_t size);
  ~MetricsFile();
  MetricsFile(const MetricsFile&) = delete;
  MetricsFile& operator=(const MetricsFile&) = delete;

  void write(const nlohmann::ordered_json& line);
  std::uint64_t size() const { return size_; }

 private:
  std::filesystem::path path_;
  std::FILE* file_ = nullptr;
  std::uint64_t size_ = 0;
};

}  // namespace nrs
