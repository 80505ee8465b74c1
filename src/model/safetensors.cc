#include "model/safetensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>

#include "base/files.h"
#include "base/text.h"
#include "model/checksum.h"
#include "model/safetensors_header.h"

namespace nrs::model {
namespace {

constexpr std::string_view kBlankChecksum = "00000000";

std::string checksum_field(std::string_view digits) {
  return fmt::format("\"{}\":\"{}\"", kChecksumKey, digits);
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
  nlohmann::ordered_json header;
  header["__metadata__"] = metadata;
  std::size_t end = 0;
  for (const TensorView& tensor : tensors) {
    const std::size_t begin = std::exchange(end, end + tensor.bytes.size());
    header[tensor.name] = {{"dtype", enum_name(tensor.dtype)},
                           {"shape", tensor.shape},
                           {"data_offsets", {begin, end}}};
  }
  std::string json;
  try {
    json = header.dump();
  } catch (const nlohmann::json::exception&) {
    throw std::invalid_argument("a text that is not UTF-8 cannot be saved");
  }
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

std::size_t size_of(Dtype dtype) {
  constexpr std::array<std::size_t, 7> kSizes{1, 2, 8, 8, 2, 4, 8};
  return kSizes.at(static_cast<std::size_t>(dtype));
}

std::uint64_t byte_count(Dtype dtype, std::span<const std::uint64_t> shape) {
  // An axis of length 0 must not hide the overflow of the others: strides would still overflow.
  std::uint64_t bytes = size_of(dtype);
  for (const std::uint64_t length : shape) {
    if (__builtin_mul_overflow(bytes, std::max<std::uint64_t>(length, 1), &bytes)) {
      refuse_file(fmt::format("shape {} overflows 64 bits", show_shape(shape)));
    }
  }
  return std::ranges::count(shape, 0u) > 0 ? 0 : bytes;
}

std::string show_shape(std::span<const std::uint64_t> shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

TensorFile TensorFile::load(const std::filesystem::path& path) {
  return parse(read_file(path, kMaxFileSize), path.string());
}

TensorFile TensorFile::parse(std::string content, std::string name) {
  return TensorFile(std::move(content), std::move(name));
}

TensorFile::TensorFile(std::string content, std::string name)
    : name_(std::move(name)), content_(std::make_unique<std::string>(std::move(content))) {
  try {
    Header header = read_header(*content_);
    metadata_ = std::move(header.metadata);
    tensors_ = std::move(header.tensors);
  } catch (const Error& error) {
    throw error.in(name_);
  }
}

const TensorView* TensorFile::find(std::string_view name) const {
  const auto at = std::ranges::lower_bound(tensors_, name, {}, &TensorView::name);
  return at != tensors_.end() && at->name == name ? &*at : nullptr;
}

const TensorView& TensorFile::tensor(std::string_view name) const {
  const TensorView* found = find(name);
  if (found == nullptr) throw error(fmt::format("tensor '{}' is missing", name));
  return *found;
}

const std::string& TensorFile::text(std::string_view key) const {
  const auto found = metadata_.find(key);
  if (found == metadata_.end()) throw error(fmt::format("metadata '{}' is missing", key));
  return found->second;
}

void TensorFile::require_checksum() const {
  const std::string& stored = text(kChecksumKey);
  const std::string_view all = *content_;
  // The field stands in the header only as we write it: quotes inside a text are escaped.
  const std::size_t field = all.find(checksum_field(stored));
  if (field == all.npos || stored.size() != kBlankChecksum.size()) {
    throw error("the checksum is not written as nrs writes it");
  }
  const std::size_t digits = field + kChecksumKey.size() + 4;  // after "key":"
  std::uint32_t sum = crc32(all.substr(0, digits));
  sum = crc32(all.substr(digits + kBlankChecksum.size()), crc32(kBlankChecksum, sum));
  const std::string found = fmt::format("{:08x}", sum);
  if (found != stored) {
    throw error(fmt::format("damaged: its checksum is {}, and {} is stored in it", found, stored));
  }
}

Error TensorFile::error(const std::string& message, std::string hint) const {
  return Error(ErrorKind::kInput, name_ + ": " + message, std::move(hint));
}

Error TensorFile::wrong_dtype(const TensorView& view, Dtype expected) const {
  return error(fmt::format("tensor '{}' is {}, expected {}", excerpt(view.name, 80),
                           enum_name(view.dtype), enum_name(expected)));
}

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
