#include "model/safetensors_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/text.h"
#include "model/refuse_file.h"

namespace nrs::model {
namespace {

constexpr std::size_t kShownName = 80;  // characters of a name in a message
constexpr std::array kDtypes{Dtype::kU8,  Dtype::kU16, Dtype::kI64, Dtype::kU64,
                             Dtype::kF16, Dtype::kF32, Dtype::kF64};

// Follows the parser and accepts only what a header can be:
//   {"__metadata__": {text: text}, name: {"dtype": text, "shape": [n], "data_offsets": [n, n]}}
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  Header header;

  bool start_object(std::size_t) override {
    if (at_ == At::kStart) {
      at_ = At::kTop;
    } else if (at_ == At::kTop) {
      at_ = in_metadata_ ? At::kMetadata : At::kTensor;
    } else {
      unexpected("an object");
    }
    return true;
  }

  bool key(std::string& key) override {
    if (at_ == At::kTop) {
      begin_entry(key);
    } else if (at_ == At::kMetadata) {
      if (header.metadata.contains(key)) {
        refuse_file(fmt::format("metadata key '{}' comes twice", excerpt(key, kShownName)));
      }
      key_ = key;
    } else {
      begin_field(key);
    }
    return true;
  }

  bool end_object() override {
    if (at_ == At::kTensor) end_entry();
    at_ = at_ == At::kTop ? At::kEnd : At::kTop;
    return true;
  }

  bool start_array(std::size_t) override {
    if (at_ != At::kTensor) unexpected("a list");
    if (key_ == "shape") {
      at_ = At::kShape;
      shape_.emplace();
    } else if (key_ == "data_offsets") {
      at_ = At::kOffsets;
      offsets_.emplace();
    } else {
      unexpected("a list");
    }
    return true;
  }

  bool end_array() override {
    if (at_ == At::kOffsets && offsets_->size() != 2) refuse_tensor("data_offsets must be two");
    at_ = At::kTensor;
    return true;
  }

  bool number_unsigned(number_unsigned_t value) override {
    if (at_ == At::kShape) {
      if (shape_->size() == kMaxRank) {
        refuse_tensor(fmt::format("shape has more than {} axes", kMaxRank));
      }
      shape_->push_back(value);
    } else if (at_ == At::kOffsets) {
      if (offsets_->size() == 2) refuse_tensor("data_offsets must be two");
      offsets_->push_back(value);
    } else {
      unexpected("a number");
    }
    return true;
  }

  bool number_integer(number_integer_t) override { return not_a_count("a negative number"); }
  bool number_float(number_float_t, const string_t&) override {
    return not_a_count("a fraction or a number past 64 bits");
  }

  bool string(std::string& value) override {
    if (at_ == At::kMetadata) {
      header.metadata.emplace(key_, std::move(value));
    } else if (at_ == At::kTensor && key_ == "dtype") {
      set_dtype(value);
    } else {
      unexpected("a text");
    }
    return true;
  }

  bool null() override { unexpected("null"); }
  bool boolean(bool) override { unexpected("true or false"); }
  bool binary(binary_t&) override { unexpected("binary data"); }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    refuse_file(fmt::format("header is not JSON in UTF-8, near byte {} of it", position));
  }

 private:
  enum class At { kStart, kTop, kMetadata, kTensor, kShape, kOffsets, kEnd };

  void begin_entry(const std::string& key) {
    in_metadata_ = key == "__metadata__";
    if (in_metadata_) {
      if (seen_metadata_) refuse_file("metadata comes twice");
      seen_metadata_ = true;
      return;
    }
    if (header.entries.size() == kMaxTensors) {
      refuse_file(fmt::format("more than {} tensors", kMaxTensors));
    }
    header.entries.push_back({.name = key});
    dtype_.reset();
    shape_.reset();
    offsets_.reset();
  }

  void begin_field(const std::string& key) {
    const bool twice = (key == "dtype" && dtype_) || (key == "shape" && shape_) ||
                       (key == "data_offsets" && offsets_);
    if (twice) refuse_tensor(key + " comes twice");
    if (key != "dtype" && key != "shape" && key != "data_offsets") {
      refuse_tensor(fmt::format("unknown key '{}'", excerpt(key)));
    }
    key_ = key;
  }

  void set_dtype(std::string_view name) {
    const auto found = std::ranges::find(kDtypes, name, [](Dtype dtype) { return name_of(dtype); });
    if (found == kDtypes.end()) {
      refuse_tensor(
          fmt::format("dtype '{}' is none of F16, F32, F64, I64, U64, U8", excerpt(name)));
    }
    dtype_ = *found;
  }

  void end_entry() {
    if (!dtype_ || !shape_ || !offsets_) {
      refuse_tensor(!dtype_ ? "no dtype" : !shape_ ? "no shape" : "no data_offsets");
    }
    HeaderEntry& entry = header.entries.back();
    entry.dtype = *dtype_;
    entry.shape = std::move(*shape_);
    entry.begin = offsets_->front();
    entry.end = offsets_->back();
    if (entry.begin > entry.end) refuse_tensor("data_offsets end before they begin");
    std::uint64_t bytes = 0;
    try {
      bytes = byte_count(entry.dtype, entry.shape);
    } catch (const Error& error) {
      refuse_tensor(error.what());
    }
    if (bytes != entry.end - entry.begin) {
      refuse_tensor(fmt::format("{} of shape {} takes {} bytes, data_offsets span {}",
                                name_of(entry.dtype), show_shape(entry.shape), bytes,
                                entry.end - entry.begin));
    }
  }

  bool not_a_count(const char* what) {
    if (at_ == At::kShape) refuse_tensor(fmt::format("shape has {}", what));
    if (at_ == At::kOffsets) refuse_tensor(fmt::format("data_offsets have {}", what));
    unexpected("a number");
  }

  [[noreturn]] void unexpected(const char* what) const {
    if (at_ == At::kStart) refuse_file(fmt::format("header is {}, not an object", what));
    if (at_ == At::kMetadata) {
      refuse_file(fmt::format("metadata '{}' is {}, not a text", excerpt(key_, kShownName), what));
    }
    if (in_metadata_) refuse_file(fmt::format("metadata is {}, not an object", what));
    if (at_ == At::kTop) refuse_tensor(fmt::format("is {}, not an object", what));
    refuse_tensor(fmt::format("{} has {} in the wrong place", key_, what));
  }

  [[noreturn]] void refuse_tensor(const std::string& reason) const {
    refuse_file(
        fmt::format("tensor '{}': {}", excerpt(header.entries.back().name, kShownName), reason));
  }

  At at_ = At::kStart;
  bool in_metadata_ = false;
  bool seen_metadata_ = false;
  std::string key_;
  std::optional<Dtype> dtype_;
  std::optional<nn::TensorShape> shape_;
  std::optional<std::vector<std::uint64_t>> offsets_;
};

}  // namespace

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

Header read_header(std::string_view json) {
  // The parser takes NUL for the end of its input and would not look at what comes after it.
  if (json.find('\0') != json.npos) refuse_file("header contains a NUL character");
  if (json.empty() || json.front() != '{') refuse_file("header does not begin with '{'");
  if (json.substr(json.find_last_not_of(' ')).front() != '}') {
    refuse_file("header does not end with '}' and spaces");
  }
  HeaderReader reader;
  nlohmann::json::sax_parse(json, &reader);
  auto& entries = reader.header.entries;
  std::ranges::sort(entries, {}, &HeaderEntry::name);
  const auto twice = std::ranges::adjacent_find(entries, {}, &HeaderEntry::name);
  if (twice != entries.end()) {
    refuse_file(fmt::format("tensor '{}' comes twice", excerpt(twice->name, kShownName)));
  }
  return std::move(reader.header);
}

}  // namespace nrs::model
