#pragma once
// Cuts a text into shards of so many lines.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "bulk/content.h"

namespace nrs::bulk {

// Where the text of the shards goes.
struct ShardSink {
  std::function<void(std::size_t shard, std::string_view text)> on_text;  // numbered from 1
  std::function<void()> on_end;                                           // of that shard
};

// Law: the shards, one after the other, are the inputs, one after the other, where a last line
// without an end has got one. Keeps no text: a line may be of any length.
class Splitter {
 public:
  Splitter(std::uint64_t shard_lines, ShardSink sink);

  // The next piece of an input, cut anywhere.
  void take(std::string_view chunk);
  void end_input();
  // No more inputs. Returns all shards.
  std::vector<Content> finish();

 private:
  void write(std::string_view text);
  void end_shard();

  std::uint64_t shard_lines_;
  ShardSink sink_;
  std::vector<Content> shards_;  // that are finished
  Content current_;
  bool in_line_ = false;
};

}  // namespace nrs::bulk
