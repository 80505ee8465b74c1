#include "bulk/ranges.h"

#include <fmt/format.h>

#include <charconv>
#include <set>

#include "base/text.h"
#include "nrs/error.h"

namespace nrs::bulk {

std::string to_ranges(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (!text.empty()) text += ',';
    text += end == i + 1 ? fmt::format("{}", numbers[i])
                         : fmt::format("{}-{}", numbers[i], numbers[end - 1]);
    i = end;
  }
  return text;
}

std::vector<std::size_t> parse_ranges(std::string_view text, std::size_t most) {
  const auto number = [&](std::string_view part) {
    std::size_t parsed = 0;
    const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), parsed);
    if (code != std::errc{} || end != part.data() + part.size() || parsed < 1 || parsed > most) {
      throw Error(ErrorKind::kUsage, fmt::format("'{}' is not the number of a task", excerpt(text)),
                  fmt::format("there are 1-{}; several are written as 1-4,7", most));
    }
    return parsed;
  };
  std::set<std::size_t> numbers;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    const std::size_t dash = part.find('-');
    const std::size_t from = number(part.substr(0, dash));
    const std::size_t to = dash == std::string_view::npos ? from : number(part.substr(dash + 1));
    for (std::size_t i = from; i <= to; ++i) numbers.insert(i);
  }
  return {numbers.begin(), numbers.end()};
}

}  // namespace nrs::bulk
