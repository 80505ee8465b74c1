#pragma once
// Reads and writes safetensors files: named arrays of numbers and a table of texts, no code. Models
// and checkpoints are such files. docs/model-format.md has the bytes.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/fields.h"
#include "model/half.h"
#include "nn/tensor_names.h"
#include "nrs/error.h"

namespace nrs::model {

// What is said of a file that is damaged, or not what it should be.
[[noreturn]] inline void refuse_file(const std::string& reason, std::string hint = {}) {
  throw Error(ErrorKind::kInput, reason, std::move(hint));
}

enum class Dtype { kU8, kU16, kI64, kU64, kF16, kF32, kF64 };
constexpr auto enum_names(Dtype) {
  return std::to_array<EnumName<Dtype>>({{Dtype::kU8, "U8"},
                                         {Dtype::kU16, "U16"},
                                         {Dtype::kI64, "I64"},
                                         {Dtype::kU64, "U64"},
                                         {Dtype::kF16, "F16"},
                                         {Dtype::kF32, "F32"},
                                         {Dtype::kF64, "F64"}});
}

// Bytes of one number.
std::size_t size_of(Dtype dtype);
// Bytes of a tensor. Throws Error (input) if they cannot be counted in 64 bits.
std::uint64_t byte_count(Dtype dtype, std::span<const std::uint64_t> shape);

template <class T>
constexpr Dtype dtype_of() {
  if constexpr (std::is_same_v<T, float>) {
    return Dtype::kF32;
  } else if constexpr (std::is_same_v<T, double>) {
    return Dtype::kF64;
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return Dtype::kI64;
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return Dtype::kU64;
  } else if constexpr (std::is_same_v<T, std::uint16_t>) {
    return Dtype::kU16;
  } else if constexpr (std::is_same_v<T, Half>) {
    return Dtype::kF16;
  } else {
    static_assert(std::is_same_v<T, std::uint8_t>, "a type that a file can hold");
    return Dtype::kU8;
  }
}

// "[64, 256]"
std::string show_shape(std::span<const std::uint64_t> shape);

// One tensor whose numbers are someone else's.
struct TensorView {
  std::string name;
  Dtype dtype = Dtype::kF32;
  nn::TensorShape shape{};
  std::string_view bytes{};  // row-major, little-endian; not necessarily aligned
};

template <class T>
TensorView view_of(std::string name, nn::TensorShape shape, std::span<const T> values) {
  return {.name = std::move(name),
          .dtype = dtype_of<T>(),
          .shape = std::move(shape),
          .bytes = {reinterpret_cast<const char*>(values.data()), values.size_bytes()}};
}

template <class T>
std::vector<T> numbers_of(std::string_view bytes) {
  std::vector<T> numbers(bytes.size() / sizeof(T));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

using Metadata = std::map<std::string, std::string, std::less<>>;

// Limits of what is read. They keep the memory that a bad file can cost below twice its size plus
// 16 MB, and are far above what our own files need.
inline constexpr std::size_t kMaxHeaderSize = std::size_t{2} << 20;
inline constexpr std::size_t kMaxTensors = std::size_t{1} << 14;
inline constexpr std::size_t kMaxRank = 8;
inline constexpr std::size_t kMaxFileSize = std::numeric_limits<std::uint32_t>::max();

// The metadata key that holds the checksum of the file.
inline constexpr std::string_view kChecksumKey = "crc32";

// A file that has been read and found sound: every byte belongs to the header or to exactly one
// tensor. It owns the bytes, and its views stay valid when it is moved.
class TensorFile {
 public:
  // Both throw Error: (I/O) if the file cannot be read, (input) if it is not a sound safetensors
  // file, with the name of the file, of the tensor if it is about one, and the reason.
  static TensorFile load(const std::filesystem::path& path);
  static TensorFile parse(std::string content, std::string name);

  const Metadata& metadata() const { return metadata_; }
  std::span<const TensorView> tensors() const { return tensors_; }  // sorted by name
  // Null if there is no such tensor.
  const TensorView* find(std::string_view name) const;
  // Throw Error (input) if the text, the tensor or the type of number is not there.
  const std::string& text(std::string_view key) const;
  const TensorView& tensor(std::string_view name) const;
  template <class T>
  std::vector<T> values(std::string_view name) const {
    const TensorView& view = tensor(name);
    if (view.dtype != dtype_of<T>()) throw wrong_dtype(view, dtype_of<T>());
    return numbers_of<T>(view.bytes);
  }

  // Throws Error (input) unless the file carries its checksum and it is right. All our own files
  // do; those of others need not.
  void require_checksum() const;

  // An Error (input) about this file.
  Error error(const std::string& message, std::string hint = {}) const;

 private:
  TensorFile(std::string content, std::string name);
  Error wrong_dtype(const TensorView& view, Dtype expected) const;

  std::string name_;
  std::unique_ptr<const std::string> content_;  // apart, so that its bytes stay where they are
  Metadata metadata_;
  std::vector<TensorView> tensors_;
};

// Writes a file with its checksum, whole or not at all. The bytes depend on what is written only,
// not on the order in which it is given. Throws Error (I/O), and std::invalid_argument for what no
// file can hold: a name twice, a text that is not UTF-8, numbers that do not fill the shape.
void save_tensors(const std::filesystem::path& path, Metadata metadata,
                  std::vector<TensorView> tensors);
// The checksum of that file, as it stands in it.
std::string checksum_of(Metadata metadata, std::vector<TensorView> tensors);
// The same bytes in memory.
std::string serialise_tensors(Metadata metadata, std::vector<TensorView> tensors);

}  // namespace nrs::model
