#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "nrs/formula.h"

namespace nrs {
namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

// Number of single-character edits from one word to the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

static_assert(std::endian::native == std::endian::little, "the first byte is the lowest");

constexpr std::uint64_t kOnes = ~std::uint64_t{0} / 255;  // each byte 1
constexpr std::uint64_t kTops = kOnes << 7;               // the highest bit of each byte

// The highest bit of a byte says that it is zero, for the first such byte at least: what is marked
// behind it may be wrong.
constexpr std::uint64_t zeros(std::uint64_t bytes) {
  return (bytes - kOnes) & ~bytes & kTops;
}

// In the same way, bytes that are not plain.
constexpr std::uint64_t not_plain(std::uint64_t bytes) {
  const std::uint64_t control = (bytes - kOnes * ' ') & ~bytes & kTops;
  return control | zeros(bytes ^ kOnes * '"') | zeros(bytes ^ kOnes * '\\') | (bytes & kTops);
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (text.empty()) return 0;
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t size = lead >= 0xf0 && lead <= 0xf4  ? 4
                           : lead >= 0xe0 && lead < 0xf0 ? 3
                           : lead >= 0xc2 && lead < 0xe0 ? 2
                                                         : 0;
  if (size == 0 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0u) != 0x80u) return 0;
  }
  // Overlong forms, surrogates and code points past the last one.
  const unsigned second = byte(1);
  if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
      (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f)) {
    return 0;
  }
  return size;
}

std::string show_character(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "the end";
  const char c = text[offset];
  if (c == '\0') return "a NUL character";
  if (is_control(c))
    return fmt::format("control character 0x{:02x}", static_cast<unsigned char>(c));
  const std::size_t size = utf8_length(text.substr(offset));
  if (size == 0)
    return fmt::format("byte 0x{:02x}, which is not UTF-8", static_cast<unsigned char>(c));
  return fmt::format("'{}'", text.substr(offset, size));
}

std::string excerpt(std::string_view text, std::size_t limit) {
  std::string shown;
  std::size_t i = 0;
  for (std::size_t count = 0; i < text.size() && count < limit; ++count) {
    const std::size_t size = is_control(text[i]) ? 0 : utf8_length(text.substr(i));
    shown += size == 0 ? "?" : text.substr(i, size);
    i += std::max<std::size_t>(size, 1);
  }
  return i < text.size() ? shown + "..." : shown;
}

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> found;
  for (std::size_t i = 0; i < text.size(); i += found.back().size()) {
    found.push_back(text.substr(i, std::max<std::size_t>(utf8_length(text.substr(i)), 1)));
  }
  return found;
}

Error formula_too_long() {
  return Error::at(kMaxFormulaLength,
                   fmt::format("the formula is longer than {} characters", kMaxFormulaLength));
}

std::string last_line(std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

std::string last_complaint(std::string_view errors) {
  std::string line = last_line(errors);
  const std::size_t name = line.find(": ");
  const bool named =
      name != std::string::npos && (line.compare(0, name, "nrs") == 0 || line.starts_with("nrs "));
  return named ? line.substr(name + 2) : line;
}

std::string align(std::span<const std::vector<std::string>> rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += fmt::format("{}{:>{}}", i == 0 ? "" : "  ", row[i], widths[i]);
    }
    text += "\n";
  }
  return text;
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  // A word that was cut short is far away in edits: "arith" is half of "arithmetic".
  if (word.size() >= 2) {
    const auto begins = [&](const std::string& candidate) { return candidate.starts_with(word); };
    const auto found = std::find_if(candidates.begin(), candidates.end(), begins);
    if (found != candidates.end()) return *found;
  }
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string cpp_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    if (byte >= ' ' && byte != 0x7f) {
      out += c;
    } else {
      out += '\\';
      for (const int shift : {6, 3, 0}) out += static_cast<char>('0' + (byte >> shift & 7));
    }
  }
  return out + '"';
}

std::string cpp_comment(std::string text) {
  std::ranges::replace(text, '\\', '/');
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::size_t plain_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size()) {
    std::uint64_t bytes = 0;  // behind the end of the text
    std::memcpy(&bytes, text.data() + length, std::min(sizeof bytes, text.size() - length));
    const std::uint64_t marked = not_plain(bytes);
    if (marked != 0) {
      return std::min(length + static_cast<std::size_t>(std::countr_zero(marked)) / 8, text.size());
    }
    length += sizeof bytes;
  }
  return length;
}

}  // namespace nrs
