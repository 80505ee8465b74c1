#include "base/cpp_text.h"

#include <algorithm>

namespace nrs {

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

}  // namespace nrs
