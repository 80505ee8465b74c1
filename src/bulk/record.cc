#include "bulk/record.h"

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/text.h"
#include "nrs/error.h"

namespace nrs::bulk {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLargestRecord = std::size_t{1} << 20;

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace

void write_record(const PlanFiles& files, std::size_t task, const Record& record) {
  Json json{{"answers", record.answers}, {"bad", record.bad}, {"stuck", record.stuck}};
  json["output"] = to_json(record.output);
  json["seconds"] = record.seconds;
  json["host"] = host_name();
  write_file(files.record(task), json.dump() + "\n");
  std::error_code ignored;
  std::filesystem::remove(files.failure(task), ignored);
}

std::optional<Record> read_record(const PlanFiles& files, std::size_t task) {
  const std::filesystem::path path = files.record(task);
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return std::nullopt;
  try {
    const Json json = Json::parse(read_file(path, kLargestRecord));
    return Record{.output = content_of(json.at("output")),
                  .answers = json.at("answers"),
                  .bad = json.at("bad"),
                  .stuck = json.at("stuck"),
                  .seconds = json.at("seconds"),
                  .host = json.at("host")};
  } catch (const Json::exception&) {
    throw Error(ErrorKind::kInput, path.string() + ": this is not the record of a task",
                "delete it to run the task again");
  }
}

void write_failure(const PlanFiles& files, std::size_t task, const std::string& reason) {
  write_file(files.failure(task), excerpt(reason, 500) + "\n");
}

std::optional<std::string> read_failure(const PlanFiles& files, std::size_t task) {
  std::error_code code;
  if (!std::filesystem::exists(files.failure(task), code)) return std::nullopt;
  return last_line(read_file(files.failure(task), kLargestRecord));
}

}  // namespace nrs::bulk
