#include "examples/line_faults.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "base/text.h"
#include "nrs/error.h"

namespace nrs::examples {
namespace {

struct Magic {
  std::string_view bytes;
  const char* what;
  const char* hint;
};
constexpr std::array<Magic, 5> kMagic{{
    {"\x1f\x8b", "this is a gzip file", "gunzip -c FILE | nrs ... -"},
    {"PK\x03\x04", "this is a ZIP file or a spreadsheet", "save the table as CSV"},
    {"\xff\xfe", "this is UTF-16", "save it as UTF-8"},
    {"\xfe\xff", "this is UTF-16", "save it as UTF-8"},
    {"\x7f"
     "ELF",
     "this is a program", ""},
}};

}  // namespace

void refuse_other_files(std::string_view line, const std::string& name) {
  for (const Magic& magic : kMagic) {
    if (line.starts_with(magic.bytes)) {
      throw Error(ErrorKind::kInput, name + ": " + magic.what, magic.hint);
    }
  }
}

std::optional<std::string> fault_of(std::string_view line) {
  if (std::memchr(line.data(), 0, line.size()) != nullptr) {
    return "there is a NUL byte, as in binary files";
  }
  for (std::size_t i = 0; i < line.size();) {
    if (static_cast<unsigned char>(line[i]) < 0x80U) {
      ++i;
      continue;
    }
    const std::size_t length = utf8_length(line.substr(i));
    if (length == 0) {
      return fmt::format("column {}: {}", i + 1, show_character(line, i));
    }
    i += length;
  }
  return std::nullopt;
}

void check_formulas(const Example& example) {
  for (std::size_t i = 0; i < example.formulas.size(); ++i) {
    const std::string& formula = example.formulas[i];
    if (formula.find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos) {
      throw Error(ErrorKind::kInput, "a formula has a line end or a NUL byte in it");
    }
    const bool last = i > 0 && i + 1 == example.formulas.size() && example.complete;
    if (formula.empty() && !last) {
      throw Error(ErrorKind::kInput, "a formula is missing",
                  "a chain is written on one line: t0 -> t1 -> ... -> tn");
    }
  }
}

}  // namespace nrs::examples
