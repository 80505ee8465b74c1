#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>

#include "base/files.h"
#include "model/checksum.h"
#include "model/safetensors.h"
#include "model/safetensors_header.h"

namespace nrs::model {
namespace {

constexpr std::string_view kBlankChecksum = "00000000";

std::string quoted(const std::string& text) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::exception&) {
    throw std::invalid_argument("a text that is not UTF-8 cannot be saved");
  }
}

// Wide numbers first, so that each tensor is aligned to its own type; then by name.
void arrange(std::vector<TensorView>& tensors) {
  std::ranges::sort(tensors, [](const TensorView& a, const TensorView& b) {
    return std::tuple(size_of(b.dtype), std::string_view(a.name)) <
           std::tuple(size_of(a.dtype), std::string_view(b.name));
  });
}

void check(const std::vector<TensorView>& tensors) {
  std::vector<std::string_view> names;
  for (const TensorView& tensor : tensors) {
    if (tensor.name == "__metadata__" || tensor.shape.size() > kMaxRank ||
        byte_count(tensor.dtype, tensor.shape) != tensor.bytes.size()) {
      throw std::invalid_argument(
          fmt::format("tensor '{}' of shape {} with {} bytes cannot be saved", tensor.name,
                      show_shape(tensor.shape), tensor.bytes.size()));
    }
    names.push_back(tensor.name);
  }
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice != names.end()) {
    throw std::invalid_argument(fmt::format("tensor '{}' is given twice", *twice));
  }
}

// The length and the JSON, padded with spaces so that the data begins at a multiple of 8 bytes.
std::string header_bytes(const Metadata& metadata, const std::vector<TensorView>& tensors) {
  std::string json = "{\"__metadata__\":{";
  const char* separator = "";
  for (const auto& [key, text] : metadata) {
    json += fmt::format("{}{}:{}", separator, quoted(key), quoted(text));
    separator = ",";
  }
  json += "}";
  std::size_t offset = 0;
  for (const TensorView& tensor : tensors) {
    json += fmt::format(",{}:{{\"dtype\":\"{}\",\"shape\":{},\"data_offsets\":[{},{}]}}",
                        quoted(tensor.name), name_of(tensor.dtype), show_shape(tensor.shape, ","),
                        offset, offset + tensor.bytes.size());
    offset += tensor.bytes.size();
  }
  json += "}";
  json.resize((json.size() + 7) / 8 * 8, ' ');
  if (json.size() > kMaxHeaderSize || tensors.size() > kMaxTensors) {
    throw std::invalid_argument("too many tensors or too long texts for one file");
  }
  const std::uint64_t length = json.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + json;
}

// Puts tensors and metadata in order and the checksum into the metadata.
void seal(Metadata& metadata, std::vector<TensorView>& tensors) {
  check(tensors);
  arrange(tensors);
  metadata.insert_or_assign(std::string(kChecksumKey), kBlankChecksum);
  std::uint32_t sum = crc32(header_bytes(metadata, tensors));
  for (const TensorView& tensor : tensors) sum = crc32(tensor.bytes, sum);
  metadata.insert_or_assign(std::string(kChecksumKey), fmt::format("{:08x}", sum));
}

// Gives the whole file, piece by piece.
void write_pieces(Metadata metadata, std::vector<TensorView> tensors,
                  const std::function<void(std::string_view)>& write) {
  seal(metadata, tensors);
  write(header_bytes(metadata, tensors));
  for (const TensorView& tensor : tensors) {
    if (!tensor.bytes.empty()) write(tensor.bytes);
  }
}

}  // namespace

void save_tensors(const std::filesystem::path& path, Metadata metadata,
                  std::vector<TensorView> tensors) {
  AtomicFile file(path);
  write_pieces(std::move(metadata), std::move(tensors),
               [&](std::string_view bytes) { file.write(bytes); });
  file.commit();
}

std::string checksum_of(Metadata metadata, std::vector<TensorView> tensors) {
  seal(metadata, tensors);
  return metadata.find(kChecksumKey)->second;
}

std::string serialise_tensors(Metadata metadata, std::vector<TensorView> tensors) {
  std::string all;
  write_pieces(std::move(metadata), std::move(tensors),
               [&](std::string_view bytes) { all += bytes; });
  return all;
}

}  // namespace nrs::model
