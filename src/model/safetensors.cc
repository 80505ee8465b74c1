#include "model/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "base/files.h"
#include "base/text.h"
#include "model/checksum.h"
#include "model/refuse_file.h"
#include "model/safetensors_header.h"

namespace nrs::model {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors are little-endian");

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
    if (hint.empty() && looks_like_text(content)) refuse_file("this is a text, not a model");
    refuse_file(fmt::format("this is no model, or a part of one: it claims a header of {} bytes "
                            "and has {} left",
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
void check_cover(const std::vector<HeaderEntry>& entries, std::uint64_t data_size) {
  std::vector<const HeaderEntry*> order;
  order.reserve(entries.size());
  for (const HeaderEntry& entry : entries) order.push_back(&entry);
  std::ranges::sort(order, [](const HeaderEntry* a, const HeaderEntry* b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  std::uint64_t covered = 0;
  for (const HeaderEntry* entry : order) {
    const auto tell = [&](std::string_view reason) {
      refuse_file(fmt::format("tensor '{}': bytes {} to {} {}", excerpt(entry->name, 80),
                              entry->begin, entry->end, reason));
    };
    if (entry->end > data_size) tell(fmt::format("lie beyond the {} of the data", data_size));
    if (entry->begin < covered)
      tell(fmt::format("overlap another tensor, which ends at {}", covered));
    if (entry->begin > covered) tell(fmt::format("leave a gap from {}", covered));
    covered = entry->end;
  }
  if (covered != data_size) {
    refuse_file(fmt::format("{} bytes at the end belong to no tensor", data_size - covered));
  }
}

std::string checksum_field(std::string_view digits) {
  return fmt::format("\"{}\":\"{}\"", kChecksumKey, digits);
}

}  // namespace

std::string_view name_of(Dtype dtype) {
  constexpr std::array<std::string_view, 7> kNames{"U8", "U16", "I64", "U64", "F16", "F32", "F64"};
  return kNames.at(static_cast<std::size_t>(dtype));
}

std::size_t size_of(Dtype dtype) {
  constexpr std::array<std::size_t, 7> kSizes{1, 2, 8, 8, 2, 4, 8};
  return kSizes.at(static_cast<std::size_t>(dtype));
}

std::string show_shape(std::span<const std::uint64_t> shape, std::string_view separator) {
  std::string text = "[";
  for (const std::uint64_t length : shape) {
    if (text.size() > 1) text += separator;
    text += std::to_string(length);
  }
  return text + "]";
}

TensorFile TensorFile::load(const std::filesystem::path& path) {
  return parse(read_file(path, kMaxFileSize), path.string());
}

TensorFile TensorFile::parse(std::string content, std::string name) {
  return TensorFile(std::move(content), std::move(name));
}

TensorFile::TensorFile(std::string content, std::string name)
    : name_(std::move(name)), content_(std::make_unique<std::string>(std::move(content))) {
  const std::string_view all = *content_;
  try {
    const std::string_view json = header_text(all);
    const std::string_view data = all.substr(kLengthSize + json.size());
    Header header = read_header(json);
    check_cover(header.entries, data.size());
    metadata_ = std::move(header.metadata);
    tensors_.reserve(header.entries.size());
    for (HeaderEntry& entry : header.entries) {
      tensors_.push_back({.name = std::move(entry.name),
                          .dtype = entry.dtype,
                          .shape = std::move(entry.shape),
                          .bytes = data.substr(entry.begin, entry.end - entry.begin)});
    }
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
  constexpr std::string_view kBlank = "00000000";
  if (field == all.npos || stored.size() != kBlank.size()) {
    throw error("the checksum is not written as nrs writes it");
  }
  const std::size_t digits = field + kChecksumKey.size() + 4;  // after "key":"
  std::uint32_t sum = crc32(all.substr(0, digits));
  sum = crc32(all.substr(digits + kBlank.size()), crc32(kBlank, sum));
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
                           name_of(view.dtype), name_of(expected)));
}

}  // namespace nrs::model
