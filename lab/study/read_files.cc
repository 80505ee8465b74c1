// Reading the files that describe a search and an ablation. The one file here that knows TOML.
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "base/files.h"
#include "model/checksum.h"
#include "model/toml_fields.h"
#include "nrs/error.h"
#include "study/ablation.h"
#include "study/tune.h"

namespace nrs::lab {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
// Larger whole numbers are not exact as floating point, and no field of a recipe takes them.
constexpr double kMostWhole = 1e15;

// What a [[field]] table says.
struct FieldEntry : SpaceField {
  std::vector<model::TomlValue> values;

  template <class Visitor>
  void visit(Visitor& v) {
    v("key", key, "the field, as in train.solver.rate");
    v("choices", values, "its values; or min and max");
    v("min", min, "least value");
    v("max", max, "greatest value");
    v("whole", whole, "whole numbers only");
    v("scale", scale, "log: as many draws between 1 and 10 as between 10 and 100");
  }
};

// The tables [[name]], of which there must be one at least.
std::vector<const toml::table*> tables(const toml::table& document, const char* name,
                                       const std::string& source) {
  std::vector<const toml::table*> found = model::tables_of(document, name);
  if (found.empty()) {
    throw Error(ErrorKind::kUsage, fmt::format("{}: there is no [[{}]]", source, name));
  }
  return found;
}

// What is wrong with a field; empty if nothing is.
std::string fault_of(const SpaceField& field) {
  if (field.key.empty()) return "there is no key";
  const bool range = !std::isnan(field.min) || !std::isnan(field.max);
  if (!field.choices.empty()) {
    return range || field.whole || field.scale == DrawScale::kLog
               ? "choices cannot be combined with min, max, whole or scale"
               : "";
  }
  if (std::isnan(field.min) || std::isnan(field.max)) return "give choices, or min and max";
  if (field.min > field.max) return "min is above max";
  if (field.scale == DrawScale::kLog && field.min <= 0) return "a log scale needs a min above 0";
  if (!field.whole) return "";
  if (std::floor(field.min) != field.min || std::floor(field.max) != field.max) {
    return "min and max of whole numbers must be whole";
  }
  return std::abs(field.min) > kMostWhole || field.max > kMostWhole ? "the number is too large"
                                                                    : "";
}

SpaceField read_field(const toml::table& table) {
  FieldEntry field;
  model::TomlReader::read(table, "field", field);
  for (const model::TomlValue& choice : field.values) field.choices.push_back(choice.text);
  if (const std::string fault = fault_of(field); !fault.empty()) {
    model::refuse_toml(
        table.source(),
        fmt::format("field {}: {}", field.key.empty() ? "without a name" : field.key, fault));
  }
  return field;
}

void check_settings(const toml::table& table, const std::vector<std::string>& settings) {
  try {
    parse_settings(settings);
  } catch (const Error& error) {
    model::refuse_toml(table.get("set")->source(), error.what(), error.hint());
  }
}

StudyVariant read_variant(const toml::table& table) {
  StudyVariant variant;
  model::TomlReader::read(table, "variant", variant);
  if (variant.name.empty()) model::refuse_toml(table.source(), "the variant has no name");
  check_settings(table, variant.set);
  return variant;
}

}  // namespace

std::string study_checksum(const std::filesystem::path& path) {
  const std::string text = read_file(path, kMostBytes);
  const toml::table document = model::parse_toml(text, path.string());
  const std::string recipe = document["recipe"].value_or(std::string());
  const std::uint32_t first = model::crc32(text);
  return fmt::format("crc32:{:08x}",
                     model::crc32(read_file(path.parent_path() / recipe, kMostBytes), first));
}

Space read_space(const std::filesystem::path& path) {
  const toml::table document = model::parse_toml(
      read_named_file(path, "give the path of a space, as in studies/"), path.string());
  model::refuse_unknown(document, "", {"field"});
  Space space;
  std::set<std::string> keys;
  for (const toml::table* table : tables(document, "field", path.string())) {
    space.push_back(read_field(*table));
    if (!keys.insert(space.back().key).second) {
      model::refuse_toml(table->source(), fmt::format("field {} occurs twice", space.back().key));
    }
  }
  return space;
}

Study read_study(const std::filesystem::path& path) {
  toml::table document = model::parse_toml(
      read_named_file(path, "give the path of a study, as in studies/"), path.string());
  Study study;
  std::set<std::string> names;
  for (const toml::table* table : tables(document, "variant", path.string())) {
    study.variants.push_back(read_variant(*table));
    if (!names.insert(study.variants.back().name).second) {
      model::refuse_toml(table->source(),
                         fmt::format("variant {} occurs twice", study.variants.back().name));
    }
  }
  document.erase("variant");
  model::TomlReader::read(document, "", study);
  check_settings(document, study.set);
  for (const auto& [name, value] : {std::pair{"title", &study.title},
                                    {"domain", &study.domain},
                                    {"recipe", &study.recipe},
                                    {"meaning", &study.meaning}}) {
    if (value->empty()) {
      throw Error(ErrorKind::kUsage, fmt::format("{}: there is no {}", path.string(), name));
    }
  }
  if (std::set(study.seeds.begin(), study.seeds.end()).size() != study.seeds.size() ||
      study.seeds.empty()) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: seeds must be distinct numbers", path.string()));
  }
  return study;
}

}  // namespace nrs::lab
