#include "service/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.h"
#include "nrs/error.h"

namespace nrs::service {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

std::vector<fs::path> result_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  if (failed) throw io_error(folder, "read", failed.value());
  std::ranges::sort(files);
  return files;
}

void add(MeasuredLevel& sum, const Json& level) {
  sum.formulas += level.at("formulas").get<std::uint64_t>();
  sum.right += level.at("correct").get<std::uint64_t>();
  sum.answered += level.at("answered").get<std::uint64_t>();
}

Measurement measurement_of(const Json& object) {
  Measurement measured{
      .command = object.at("command"), .machine = object.at("machine"), .levels = {}};
  for (const Json& level : object.at("levels")) {
    const MeasuredLevel its{.domain = level.at("domain"), .nesting = level.at("nesting")};
    const auto same = [&](const MeasuredLevel& other) {
      return other.domain == its.domain && other.nesting == its.nesting;
    };
    auto place = std::ranges::find_if(measured.levels, same);
    if (place == measured.levels.end()) place = measured.levels.insert(place, its);
    add(*place, level);
  }
  return measured;
}

// Nothing if it is of another model.
std::optional<Measurement> read_measurement(const fs::path& file, const std::string& checksum) try {
  const Json object = Json::parse(read_file(file, kMostBytes));
  if (object.at("model_checksum") != checksum) return std::nullopt;
  return measurement_of(object);
} catch (const nlohmann::json::exception& error) {
  throw Error(ErrorKind::kInput,
              fmt::format("{}: this is no result of nrs eval: {}", file.string(), error.what()));
}

}  // namespace

MeasuredLevel Measurement::total() const {
  MeasuredLevel sum;
  for (const MeasuredLevel& level : levels) {
    sum.domain = level.domain;
    sum.nesting = std::max(sum.nesting, level.nesting);
    sum.formulas += level.formulas;
    sum.right += level.right;
    sum.answered += level.answered;
  }
  return sum;
}

std::vector<Measurement> measurements_of(const model::Model& model, const fs::path& results) {
  const std::string checksum = model::model_checksum(model);
  std::vector<Measurement> all;
  for (const fs::path& file : result_files(results / "eval")) {
    if (auto measured = read_measurement(file, checksum)) all.push_back(std::move(*measured));
  }
  return all;
}

}  // namespace nrs::service
