#pragma once
// What became of a task, as its runner wrote it down.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "bulk/plan.h"

namespace nrs::bulk {

// Of a task that is done. Written after the file that it is about, so that one without the other is
// not done.
struct Record {
  Content output{};
  std::uint64_t answers = 0;  // one for each line of the shard; of a command, 1
  std::uint64_t bad = 0;      // of them: formulas with an error
  std::uint64_t stuck = 0;    // of them: formulas without a normal form
  double seconds = 0;
  std::string host{};  // that did it
};

void write_record(const PlanFiles& files, std::size_t task, const Record& record);
// Nothing if the task is not done. Throws Error (input) if the file is no such record.
std::optional<Record> read_record(const PlanFiles& files, std::size_t task);

// Why it failed, for status; a record takes it away.
void write_failure(const PlanFiles& files, std::size_t task, const std::string& reason);
std::optional<std::string> read_failure(const PlanFiles& files, std::size_t task);

}  // namespace nrs::bulk
