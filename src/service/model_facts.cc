#include "service/model_facts.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "architectures/architecture.h"
#include "base/text.h"

namespace nrs::service {
namespace {

using Json = nlohmann::ordered_json;

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

}  // namespace

Json model_facts(const std::filesystem::path& file, const model::Model& model) {
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

}  // namespace nrs::service
