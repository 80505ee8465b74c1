#include "bulk/join.h"

#include <fmt/format.h>

#include "base/files.h"
#include "bulk/ranges.h"
#include "nrs/error.h"

namespace nrs::bulk {
namespace {

constexpr std::size_t kLargestOutput = std::size_t{1} << 36;

std::vector<Record> read_records(const Plan& plan, const PlanFiles& files) {
  std::vector<Record> records;
  std::vector<std::size_t> missing;
  for (std::size_t task = 1; task <= plan.shards.size(); ++task) {
    if (auto record = read_record(files, task)) {
      records.push_back(*std::move(record));
    } else {
      missing.push_back(task);
    }
  }
  if (missing.empty()) return records;
  throw Error(ErrorKind::kIo,
              fmt::format("{} of {} shards are not done: {}", missing.size(), plan.shards.size(),
                          to_ranges(missing)),
              "nrs bulk status says why, nrs bulk run does them");
}

std::string read_answers(const PlanFiles& files, std::size_t task, const Record& record,
                         std::uint64_t lines) {
  const std::filesystem::path path = files.answers(task);
  const auto refuse = [&](const std::string& reason) {
    return Error(ErrorKind::kInput, fmt::format("{}: {}", path.string(), reason),
                 fmt::format("delete {} and run task {} again", files.record(task).string(), task));
  };
  if (record.answers != lines) {
    throw refuse(fmt::format("{} answers to {} lines", record.answers, lines));
  }
  std::string text = read_file(path, kLargestOutput);
  Content found;
  found.add(text);
  if (found != record.output) throw refuse("is not as its runner wrote it");
  return text;
}

}  // namespace

Record join(const Plan& plan, const PlanFiles& files,
            const std::function<void(std::string_view text)>& take) {
  const std::vector<Record> records = read_records(plan, files);
  Record all;
  for (std::size_t task = 1; task <= records.size(); ++task) {
    const Record& record = records[task - 1];
    const std::string text = read_answers(files, task, record, plan.shards[task - 1].lines);
    take(text);
    all.output.add(text);
    all.answers += record.answers;
    all.bad += record.bad;
    all.stuck += record.stuck;
    all.seconds += record.seconds;
  }
  return all;
}

}  // namespace nrs::bulk
