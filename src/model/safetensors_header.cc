#include "model/safetensors_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/text.h"

namespace nrs::model {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors are little-endian");

constexpr std::size_t kShownName = 80;  // characters of a name in a message

struct Entry {
  Dtype dtype = Dtype::kF32;
  nn::TensorShape shape{};
  std::uint64_t begin = 0;  // offsets into the data, which follows the header
  std::uint64_t end = 0;
};
using Entries = std::map<std::string, Entry>;  // by the name of the tensor

// Follows the parser and accepts only what a header can be:
//   {"__metadata__": {text: text}, name: {"dtype": text, "shape": [n], "data_offsets": [n, n]}}
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  Metadata metadata;
  Entries entries;

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
      if (metadata.contains(key)) {
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
    if (at_ != At::kTensor || key_ == "dtype") unexpected("a list");
    at_ = At::kList;
    lists_[key_];
    return true;
  }

  bool end_array() override {
    if (key_ == kOffsets && lists_[key_].size() != 2) refuse_tensor("data_offsets must be two");
    at_ = At::kTensor;
    return true;
  }

  bool number_unsigned(number_unsigned_t value) override {
    if (at_ != At::kList) unexpected("a number");
    std::vector<std::uint64_t>& list = lists_[key_];
    list.push_back(value);
    if (key_ == kOffsets && list.size() > 2) refuse_tensor("data_offsets must be two");
    if (list.size() > kMaxRank) {
      refuse_tensor(fmt::format("shape has more than {} axes", kMaxRank));
    }
    return true;
  }

  bool number_integer(number_integer_t) override { return not_a_count("a negative number"); }
  bool number_float(number_float_t, const string_t&) override {
    return not_a_count("a fraction or a number past 64 bits");
  }

  bool string(std::string& value) override {
    if (at_ == At::kMetadata) {
      metadata.emplace(key_, std::move(value));
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
  enum class At { kStart, kTop, kMetadata, kTensor, kList, kEnd };

  static constexpr const char* kShape = "shape";
  static constexpr const char* kOffsets = "data_offsets";

  void begin_entry(const std::string& key) {
    in_metadata_ = key == "__metadata__";
    if (in_metadata_) {
      if (seen_metadata_) refuse_file("metadata comes twice");
      seen_metadata_ = true;
      return;
    }
    if (entries.size() == kMaxTensors) {
      refuse_file(fmt::format("more than {} tensors", kMaxTensors));
    }
    const auto [entry, fresh] = entries.try_emplace(key);
    entry_ = entry;
    if (!fresh) refuse_tensor("comes twice", " ");
    dtype_.reset();
    lists_.clear();
  }

  void begin_field(const std::string& key) {
    if (lists_.contains(key) || (key == "dtype" && dtype_)) refuse_tensor(key + " comes twice");
    if (key != "dtype" && key != kShape && key != kOffsets) {
      refuse_tensor(fmt::format("unknown key '{}'", excerpt(key)));
    }
    key_ = key;
  }

  void set_dtype(std::string_view name) {
    dtype_ = enum_value<Dtype>(name);
    if (!dtype_) {
      refuse_tensor(fmt::format("dtype '{}' is none of {}", excerpt(name),
                                fmt::join(enum_words<Dtype>(), ", ")));
    }
  }

  void end_entry() {
    if (!dtype_) refuse_tensor("no dtype");
    if (!lists_.contains(kShape)) refuse_tensor("no shape");
    if (!lists_.contains(kOffsets)) refuse_tensor("no data_offsets");
    Entry& entry = entry_->second;
    entry = {.dtype = *dtype_,
             .shape = std::move(lists_[kShape]),
             .begin = lists_[kOffsets].front(),
             .end = lists_[kOffsets].back()};
    if (entry.begin > entry.end) refuse_tensor("data_offsets end before they begin");
    std::uint64_t bytes = 0;
    try {
      bytes = byte_count(entry.dtype, entry.shape);
    } catch (const Error& error) {
      refuse_tensor(error.what());
    }
    if (bytes != entry.end - entry.begin) {
      refuse_tensor(fmt::format("{} of shape {} takes {} bytes, data_offsets span {}",
                                enum_name(entry.dtype), show_shape(entry.shape), bytes,
                                entry.end - entry.begin));
    }
  }

  bool not_a_count(const char* what) {
    if (at_ != At::kList) unexpected("a number");
    refuse_tensor(fmt::format("{} {} {}", key_, key_ == kShape ? "has" : "have", what));
  }

  [[noreturn]] void unexpected(const char* what) const {
    if (at_ == At::kMetadata) {
      refuse_file(fmt::format("metadata '{}' is {}, not a text", excerpt(key_, kShownName), what));
    }
    if (in_metadata_) refuse_file(fmt::format("metadata is {}, not an object", what));
    if (at_ == At::kTop) refuse_tensor(fmt::format("is {}, not an object", what));
    refuse_tensor(fmt::format("{} has {} in the wrong place", key_, what));
  }

  [[noreturn]] void refuse_tensor(const std::string& reason, const char* colon = ": ") const {
    refuse_file(fmt::format("tensor '{}'{}{}", excerpt(entry_->first, kShownName), colon, reason));
  }

  At at_ = At::kStart;
  bool in_metadata_ = false;
  bool seen_metadata_ = false;
  std::string key_;
  Entries::iterator entry_;  // the one that is being read, and what has been read of it
  std::optional<Dtype> dtype_;
  std::map<std::string, std::vector<std::uint64_t>> lists_;  // shape and data_offsets
};

HeaderReader parse_header(std::string_view json) {
  // The parser takes NUL for the end of its input and would not look at what comes after it.
  if (json.find('\0') != json.npos) refuse_file("header contains a NUL character");
  if (json.empty() || json.front() != '{') refuse_file("header does not begin with '{'");
  if (json.substr(json.find_last_not_of(' ')).front() != '}') {
    refuse_file("header does not end with '}' and spaces");
  }
  HeaderReader reader;
  nlohmann::json::sax_parse(json, &reader);
  return reader;
}

constexpr std::size_t kLengthSize = 8;  // the header's length, in front of it

// What people give by mistake, by its first bytes.
std::string hint_for(std::string_view content) {
  struct Known {
    std::string_view start;
    const char* hint;
  };
  using namespace std::string_view_literals;
  constexpr std::array kKnown{
      Known{"GGUF"sv,
            "this is a GGUF file; nrs reads the safetensors files that `nrs train` writes"},
      Known{"PK\x03\x04"sv,
            "this is a zip archive, perhaps saved by PyTorch; nrs never reads those"},
      Known{"\x80\x02"sv, "this looks like a Python pickle; nrs never reads those"},
      Known{"\x80\x03"sv, "this looks like a Python pickle; nrs never reads those"},
      Known{"\x80\x04"sv, "this looks like a Python pickle; nrs never reads those"},
      Known{"\x80\x05"sv, "this looks like a Python pickle; nrs never reads those"},
      Known{"\x7f"
            "ELF"sv,
            "this is a program, not a model"},
      Known{"\x1f\x8b"sv, "this is compressed by gzip; unpack it first"},
      Known{"\x93NUMPY"sv, "this is a NumPy array, not a model"},
      Known{"\x89HDF"sv, "this is an HDF5 file, not a model"},
      Known{"version https://git-lfs"sv, "this is a Git LFS pointer; fetch the file itself"},
  };
  for (const Known& known : kKnown) {
    if (content.starts_with(known.start)) return known.hint;
  }
  return {};
}

// A model begins with a number in eight bytes, of which text has none that are zero.
bool looks_like_text(std::string_view content) {
  const std::string_view start = content.substr(0, 512);
  return std::all_of(start.begin(), start.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 || c == '\n' || c == '\t' || c == '\r';
  });
}

// The header's JSON text, once its length has been found to lie within the file.
std::string_view header_text(std::string_view content) {
  if (content.empty()) refuse_file("the file is empty");
  std::uint64_t length = 0;
  if (content.size() < kLengthSize) {
    refuse_file(fmt::format("{} bytes are too few for a safetensors file", content.size()),
                hint_for(content));
  }
  std::memcpy(&length, content.data(), kLengthSize);
  if (length > content.size() - kLengthSize) {
    const std::string hint = hint_for(content);
    if (hint.empty() && looks_like_text(content)) refuse_file("this is a text file, not a model");
    refuse_file(fmt::format("this is not a model, or only a part of one: it announces a header of "
                            "{} bytes, but only {} follow",
                            length, content.size() - kLengthSize),
                hint);
  }
  if (length > kMaxHeaderSize) {
    refuse_file(
        fmt::format("header of {} bytes, more than the {} allowed", length, kMaxHeaderSize));
  }
  return content.substr(kLengthSize, length);
}

// Every byte of the data must belong to exactly one tensor.
void check_cover(const Entries& entries, std::uint64_t data_size) {
  std::vector<Entries::const_pointer> order;
  order.reserve(entries.size());
  for (const auto& entry : entries) order.push_back(&entry);
  std::ranges::sort(order, {}, [](const auto* entry) {
    return std::pair(entry->second.begin, entry->second.end);
  });
  std::uint64_t covered = 0;
  for (const auto* named : order) {
    const Entry& entry = named->second;
    const auto tell = [&](std::string_view reason) {
      refuse_file(fmt::format("tensor '{}': bytes {} to {} {}", excerpt(named->first, kShownName),
                              entry.begin, entry.end, reason));
    };
    if (entry.end > data_size) tell(fmt::format("lie beyond the {} of the data", data_size));
    if (entry.begin < covered)
      tell(fmt::format("overlap another tensor, which ends at {}", covered));
    if (entry.begin > covered) tell(fmt::format("leave a gap from {}", covered));
    covered = entry.end;
  }
  if (covered != data_size) {
    refuse_file(fmt::format("{} bytes at the end belong to no tensor", data_size - covered));
  }
}

}  // namespace

Header read_header(std::string_view file) {
  const std::string_view json = header_text(file);
  const std::string_view data = file.substr(kLengthSize + json.size());
  HeaderReader read = parse_header(json);
  check_cover(read.entries, data.size());
  Header header{.metadata = std::move(read.metadata), .tensors = {}};
  header.tensors.reserve(read.entries.size());
  for (auto& [name, entry] : read.entries) {
    header.tensors.push_back({.name = name,
                              .dtype = entry.dtype,
                              .shape = std::move(entry.shape),
                              .bytes = data.substr(entry.begin, entry.end - entry.begin)});
  }
  return header;
}

}  // namespace nrs::model
