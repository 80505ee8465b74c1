#include "service/line_batches.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"

namespace nrs::service {
namespace {

constexpr std::size_t kBatchFormulas = 4096;
constexpr std::size_t kBatchCharacters = std::size_t{1} << 20;

}  // namespace

void for_each_batch(LineReader& lines, std::uint64_t lines_before, const ProcessBatch& process) {
  std::vector<Answer> batch;
  std::size_t characters = 0;
  std::string line;
  while (lines.next(line)) {
    Answer& item = batch.emplace_back();
    item.place = fmt::format("line {}", lines_before + lines.number());
    item.text = std::move(line);
    if (lines.no_memory()) {
      fail(item, Error(ErrorKind::kInput, "there is not enough memory for this formula"));
    } else if (lines.too_long()) {
      fail(item, formula_too_long());
    }
    characters += item.text.size();
    const bool full = batch.size() >= kBatchFormulas || characters >= kBatchCharacters;
    if (!full && lines.more_at_hand()) continue;
    process(batch);
    batch.clear();
    characters = 0;
  }
  if (!batch.empty()) process(batch);
}

}  // namespace nrs::service
