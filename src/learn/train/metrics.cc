#include "learn/train/metrics.h"

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/output_target.h"

namespace nrs {

MetricsFile::MetricsFile(std::filesystem::path path, std::uint64_t size) : path_(std::move(path)) {
  check_not_read_only(path_);
  make_folders(path_.parent_path());
  std::error_code code;
  const auto there = std::filesystem::file_size(path_, code);
  if (!code) {
    size_ = std::min<std::uint64_t>(size, there);
    std::filesystem::resize_file(path_, size_, code);
    if (code) throw io_error(path_, "write", code.value());
  }
  file_ = std::fopen(path_.c_str(), "abe");
  if (file_ == nullptr) throw io_error(path_, "write", errno);
}

MetricsFile::~MetricsFile() {
  std::fclose(file_);
}

void MetricsFile::write(const nlohmann::ordered_json& line) {
  const std::string text = line.dump() + "\n";
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0) {
    throw io_error(path_, "write", errno);
  }
  size_ += text.size();
}

}  // namespace nrs
