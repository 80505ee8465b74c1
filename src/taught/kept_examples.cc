#include "taught/kept_examples.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "model/checksum.h"
#include "nrs/error.h"

namespace nrs::taught {
namespace {

using Json = nlohmann::ordered_json;
using examples::Example;
using examples::Kind;

constexpr const char* kTensor = "examples.lines";

Json places_json(const std::vector<std::vector<examples::Place>>& places) {
  Json all = Json::array();
  for (const std::vector<examples::Place>& of_formula : places) {
    Json list = Json::array();
    for (const examples::Place& place : of_formula) {
      list.push_back({place.begin, place.end, place.value});
    }
    all.push_back(std::move(list));
  }
  return all;
}

// One line; what is usual is not said.
std::string line_of(const Example& example) {
  Json json = {{"line", example.line}, {"formulas", example.formulas}};
  if (example.times > 1) json["times"] = example.times;
  if (example.kind == Kind::kAnswer) json["answer"] = true;
  if (!example.complete) json["goes_on"] = true;
  if (example.all_places) json["all_places"] = true;
  if (!example.places.empty()) json["places"] = places_json(example.places);
  if (!example.positions.empty()) json["positions"] = example.positions;
  return json.dump() + "\n";
}

Example example_of(std::string_view line) {
  const Json json = Json::parse(line);
  Example example;
  json.at("line").get_to(example.line);
  json.at("formulas").get_to(example.formulas);
  example.times = json.value("times", 1U);
  example.kind = json.contains("answer") ? Kind::kAnswer : Kind::kSteps;
  example.complete = !json.contains("goes_on");
  example.all_places = json.contains("all_places");
  if (json.contains("positions")) json["positions"].get_to(example.positions);
  if (!json.contains("places")) return example;
  for (const Json& list : json["places"]) {
    std::vector<examples::Place>& places = example.places.emplace_back();
    for (const Json& place : list) {
      places.push_back({place.at(0), place.at(1), place.at(2).get<std::string>()});
    }
  }
  return example;
}

// The lines that fit, in their order; the shortest are preferred.
std::vector<bool> chosen(const std::vector<std::string>& lines, std::size_t most_bytes) {
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return lines[i].size(); });
  std::vector<bool> fits(lines.size());
  std::size_t bytes = 0;
  for (const std::size_t i : order) {
    bytes += lines[i].size();
    if (bytes > most_bytes) break;
    fits[i] = true;
  }
  return fits;
}

}  // namespace

void keep_examples(model::Model& model, const KeptExamples& kept, std::size_t most_bytes) {
  std::vector<std::string> lines;
  lines.reserve(kept.examples.size());
  for (const Example& example : kept.examples) lines.push_back(line_of(example));
  const std::vector<bool> fits = chosen(lines, most_bytes);
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (fits[i]) bytes.insert(bytes.end(), lines[i].begin(), lines[i].end());
  }
  const auto left_out = static_cast<std::size_t>(std::ranges::count(fits, false));
  model::Module module;
  module.fields = Json{
      {"kind", kept.kind == Kind::kAnswer ? "answers" : "steps"},
      {"left_out", kept.left_out + left_out},
      {"lines",
       kept.lines}}.dump();
  module.tables[kTensor] = model::IntegerTable::of<std::uint8_t>({bytes.size()}, bytes);
  model.modules.insert_or_assign(std::string(kExamplesModule), std::move(module));
}

std::optional<KeptExamples> kept_examples(const model::Model& model) try {
  if (!keeps_examples(model)) return std::nullopt;
  const model::Module& module = model.module(kExamplesModule);
  const Json fields = Json::parse(module.fields);
  KeptExamples kept;
  kept.kind = fields.at("kind") == "answers" ? Kind::kAnswer : Kind::kSteps;
  fields.at("left_out").get_to(kept.left_out);
  fields.at("lines").get_to(kept.lines);
  std::string_view text = module.tables.at(kTensor).bytes;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) throw std::out_of_range("a line without an end");
    Example example = example_of(text.substr(0, end));
    if (example.formulas.empty()) throw std::out_of_range("an example without a formula");
    kept.examples.push_back(std::move(example));
    text.remove_prefix(end + 1);
  }
  return kept;
} catch (const nlohmann::json::exception& error) {
  throw Error(ErrorKind::kInput, std::string("the examples in the model: ") + error.what());
} catch (const std::out_of_range& error) {
  throw Error(ErrorKind::kInput, std::string("the examples in the model: ") + error.what());
}

KeptExamples require_examples(const model::Model& model) {
  std::optional<KeptExamples> kept = kept_examples(model);
  if (kept) return std::move(*kept);
  throw Error(ErrorKind::kInput, fmt::format("model '{}' keeps no examples", model.name),
              "models of nrs learn do; learn it again");
}

std::string hash_of(const std::vector<Example>& examples) {
  std::uint32_t crc = 0;
  for (const Example& example : examples) crc = model::crc32(line_of(example), crc);
  return fmt::format("crc32:{:08x}", crc);
}

}  // namespace nrs::taught
