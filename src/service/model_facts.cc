#include "service/model_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "architectures/architecture.h"
#include "base/files.h"
#include "base/text.h"
#include "nrs/error.h"

namespace nrs::service {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// Items behind a heading, as many in a line as fit; one that is too long for a line is broken.
std::string wrapped(std::string heading, const std::vector<std::string>& items) {
  constexpr std::size_t kWidth = 96;
  const std::size_t indent = heading.size();
  std::string text;
  std::string current = std::move(heading);
  if (items.empty()) current.resize(current.find_last_not_of(' ') + 1);
  const auto end_line = [&] {
    text += current + "\n";
    current.assign(indent, ' ');
  };
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? "," : "");
    if (current.size() > indent && current.size() + 1 + item.size() > kWidth) end_line();
    if (current.size() > indent) current += ' ';
    for (const std::string_view character : characters(item)) {
      if (current.size() + character.size() > kWidth) end_line();
      current += character;
    }
  }
  return text + current + "\n";
}

bool is_plain(const Json& value) {
  return !value.is_structured();
}

std::string plain_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// {"algebra": {"missed": 1, "extra": 18, "first": [{...}]}} as a line "algebra  missed 1, extra 18"
// with a line for each of the first below it.
void show_part(const std::string& name, const Json& value, std::size_t indent, std::string& text) {
  const bool numbered = name.find_first_not_of("0123456789") == std::string::npos;
  const std::string heading = fmt::format("{:{}}{:<{}} ", "", indent, name, numbered ? 2 : 12);
  if (is_plain(value)) {
    text += wrapped(heading, {plain_text(value)});
    return;
  }
  std::vector<std::string> items;
  for (const auto& [key, part] : value.items()) {
    if (!is_plain(part)) continue;
    items.push_back(value.is_array() ? plain_text(part)
                                     : fmt::format("{} {}", key, plain_text(part)));
  }
  text += wrapped(heading, items);
  std::size_t number = 0;
  for (const auto& [key, part] : value.items()) {
    ++number;
    if (is_plain(part)) continue;
    show_part(value.is_array() ? fmt::format("{}", number) : key, part, indent + 2, text);
  }
}

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

MeasuredLevel level_of(const Json& level) {
  return {.domain = level.at("domain"),
          .nesting = level.at("nesting"),
          .formulas = level.at("formulas"),
          .right = level.at("correct"),
          .answered = level.at("answered")};
}

void add(const MeasuredLevel& level, MeasuredLevel& sum) {
  sum.formulas += level.formulas;
  sum.right += level.right;
  sum.answered += level.answered;
}

Measurement measurement_of(const Json& object) {
  Measurement measured{
      .command = object.at("command"), .machine = object.at("machine"), .levels = {}};
  for (const Json& part : object.at("levels")) {
    const MeasuredLevel level = level_of(part);
    const auto same = std::ranges::find_if(measured.levels, [&](const MeasuredLevel& other) {
      return other.domain == level.domain && other.nesting == level.nesting;
    });
    if (same == measured.levels.end()) {
      measured.levels.push_back(level);
    } else {
      add(level, *same);
    }
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
              fmt::format("{}: this is not a result of nrs eval: {}", file.string(), error.what()));
}

}  // namespace

Json model_facts(const fs::path& file, const model::Model& model) {
  Json object = {{"file", file.string()}, {"bytes", std::filesystem::file_size(file)},
                 {"name", model.name},    {"program", model.program},
                 {"seed", model.seed},    {"data_hash", model.data_hash}};
  object["checksum"] = model::model_checksum(model);
  for (const auto& [module, where] : model.shared) object["shared"][module] = where.file;
  object["domains"] = model.domains;
  object["protocol"] = model.protocol;
  object.update(architectures::architecture_of(model).describe(model));
  object["results"] = Json::parse(model.results);
  // Of another model it says nothing about this one.
  const bool its_own = model::has_own_certificate(model);
  object["certificate"] = its_own ? Json::parse(*model.certificate) : Json(nullptr);
  object["recipe"] = model.recipe;
  return object;
}

std::string show_facts(const Json& facts) {
  std::string text;
  for (const auto& [key, part] : facts.items()) show_part(key, part, 2, text);
  return text;
}

MeasuredLevel Measurement::total() const {
  MeasuredLevel sum;
  for (const MeasuredLevel& level : levels) {
    sum.domain = level.domain;
    sum.nesting = std::max(sum.nesting, level.nesting);
    add(level, sum);
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
