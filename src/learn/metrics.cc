#include "learn/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "nrs/error.h"

namespace nrs {
namespace {

Error io_error(const std::filesystem::path& path, int code) {
  return Error(ErrorKind::kIo,
               fmt::format("{}: cannot write: {}", path.string(), std::strerror(code)));
}

}  // namespace

MetricsFile::MetricsFile(std::filesystem::path path, std::uint64_t size) : path_(std::move(path)) {
  std::error_code code;
  if (path_.has_parent_path()) std::filesystem::create_directories(path_.parent_path(), code);
  const auto there = std::filesystem::file_size(path_, code);
  if (!code) {
    size_ = std::min<std::uint64_t>(size, there);
    std::filesystem::resize_file(path_, size_, code);
    if (code) throw io_error(path_, code.value());
  }
  file_ = std::fopen(path_.c_str(), "abe");
  if (file_ == nullptr) throw io_error(path_, errno);
}

MetricsFile::~MetricsFile() {
  std::fclose(file_);
}

void MetricsFile::write(const nlohmann::ordered_json& line) {
  const std::string text = line.dump() + "\n";
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0) {
    throw io_error(path_, errno);
  }
  size_ += text.size();
}

}  // namespace nrs
