#include "bulk/splitter.h"

#include <cstring>
#include <utility>

namespace nrs::bulk {
namespace {

// The length of the first so many lines, or of all if there are fewer.
std::size_t length_of_lines(std::string_view text, std::uint64_t lines) {
  std::size_t length = 0;
  for (; lines > 0 && length < text.size(); --lines) {
    const void* end = std::memchr(text.data() + length, '\n', text.size() - length);
    if (end == nullptr) return text.size();
    length = static_cast<std::size_t>(static_cast<const char*>(end) - text.data()) + 1;
  }
  return length;
}

}  // namespace

Splitter::Splitter(std::uint64_t shard_lines, ShardSink sink)
    : shard_lines_(shard_lines), sink_(std::move(sink)) {}

void Splitter::take(std::string_view chunk) {
  while (!chunk.empty()) {
    const std::size_t length = length_of_lines(chunk, shard_lines_ - current_.lines);
    write(chunk.substr(0, length));
    chunk.remove_prefix(length);
  }
}

void Splitter::write(std::string_view text) {
  sink_.on_text(shards_.size() + 1, text);
  current_.add(text);
  in_line_ = text.back() != '\n';
  if (current_.lines == shard_lines_) end_shard();
}

void Splitter::end_input() {
  if (in_line_) write("\n");
}

void Splitter::end_shard() {
  sink_.on_end();
  shards_.push_back(std::exchange(current_, {}));
}

std::vector<Content> Splitter::finish() {
  end_input();
  if (current_.bytes > 0) end_shard();
  return std::move(shards_);
}

}  // namespace nrs::bulk
