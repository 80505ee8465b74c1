#include "serve/query.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"

namespace nrs::serve {
namespace {

std::string decode(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const std::string_view digits = text.substr(i + 1, 2);
    unsigned char byte = 0;
    const auto [end, code] =
        std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (code != std::errc{} || digits.size() != 2 || end != digits.data() + 2) {
      throw Refusal(400, "the target has a % that is not an escape");
    }
    decoded += static_cast<char>(byte);
    i += 2;
  }
  return decoded;
}

}  // namespace

Query read_query(std::string_view query) {
  Query read;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    if (pair.empty()) continue;
    const std::size_t sign = pair.find('=');
    const std::string name = decode(pair.substr(0, sign));
    const std::string value = sign == pair.npos ? "" : decode(pair.substr(sign + 1));
    if (!read.emplace(name, value).second) {
      throw Refusal(400, "the target has a parameter twice");
    }
  }
  return read;
}

void check_parameters(const Query& query, std::span<const std::string> known) {
  for (const auto& [name, value] : query) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const std::string close = nearest(name, known);
    throw Refusal(400, fmt::format("unknown parameter '{}'", excerpt(name)),
                  close.empty() ? fmt::format("the parameters are {}", fmt::join(known, ", "))
                                : fmt::format("did you mean {}?", close));
  }
}

std::string value_in(const Query& query, const std::string& name) {
  const auto found = query.find(name);
  return found == query.end() ? "" : found->second;
}

}  // namespace nrs::serve
