#include "data/json_lines.h"

#include <fmt/format.h>

#include "base/lines.h"
#include "nrs/error.h"
#include "nrs/formula.h"

namespace nrs::data {

void for_each_line(const std::filesystem::path& path,
                   const std::function<void(const std::string& line)>& take) {
  LineReader lines(path, 4 * kMaxFormulaLength);
  std::string line;
  while (lines.next(line)) {
    if (line.empty()) continue;
    try {
      if (lines.too_long()) throw Error(ErrorKind::kInput, "the line is too long");
      take(line);
    } catch (const Error& error) {
      throw error.in(fmt::format("{}:{}", path.string(), lines.number()));
    }
  }
}

}  // namespace nrs::data
