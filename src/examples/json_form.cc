// JSON lines.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "examples/column_words.h"
#include "examples/line_form.h"
#include "nrs/error.h"

namespace nrs::examples {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& message, const std::string& hint = {}) {
  throw Error(ErrorKind::kInput, message, hint);
}

// Refuses a line while it is read, before what it nests has taken memory.
bool keep_shallow(int depth, Json::parse_event_t, const Json&) {
  if (depth > 4) fail("nested too deeply");
  return true;
}

const std::string& text_of(const Json& json, std::string_view name) {
  if (!json.is_string()) fail(fmt::format("'{}' has the wrong type", excerpt(name)));
  return json.get_ref<const std::string&>();
}

bool flag(const Json& object, const char* name, bool otherwise) {
  const auto found = object.find(name);
  if (found == object.end()) return otherwise;
  if (!found->is_boolean()) fail(fmt::format("'{}' has the wrong type", name));
  return found->get<bool>();
}

std::vector<std::string> list_of(const Json& json, const char* name) {
  if (!json.is_array()) fail(fmt::format("'{}' has the wrong type", name));
  std::vector<std::string> texts;
  for (const Json& item : json) texts.push_back(text_of(item, name));
  return texts;
}

std::size_t offset_of(const Json& step, const char* name) {
  const auto found = step.find(name);
  if (found == step.end() || !found->is_number_unsigned()) {
    fail(fmt::format("'{}' is missing, or is not a number", name));
  }
  return found->get<std::size_t>();
}

// Whether a character ends at this byte of a text.
bool between_characters(std::string_view text, std::size_t at) {
  return at == text.size() || (static_cast<unsigned char>(text[at]) & 0xc0U) != 0x80U;
}

Place place_of(const Json& step, std::string_view formula, std::size_t free_from) {
  if (!step.is_object()) fail("'steps' has the wrong type");
  Place place{offset_of(step, "begin"), offset_of(step, "end"), {}};
  const auto value = step.find("value");
  if (value == step.end()) fail("'value' is missing");
  place.value = text_of(*value, "value");
  const std::string span = fmt::format("the span {}-{}", place.begin, place.end);
  if (place.end > formula.size()) {
    fail(span + fmt::format(" lies outside of the formula, which has {} bytes", formula.size()));
  }
  if (place.end <= place.begin) fail(span + " is empty");
  if (place.begin < free_from) fail(span + " is out of order, or overlaps another one");
  if (!between_characters(formula, place.begin) || !between_characters(formula, place.end)) {
    fail(span + " cuts a character", "'begin' and 'end' count bytes of UTF-8");
  }
  return place;
}

void read_places(const Json& steps, Example& example) {
  if (!steps.is_array()) fail("'steps' has the wrong type");
  std::vector<Place>& places = example.places.emplace_back();
  for (const Json& step : steps) {
    places.push_back(place_of(step, example.formulas[0], places.empty() ? 0 : places.back().end));
  }
  if (places.empty()) example.places.clear();
}

// {"chain": [...], "positions": [...], "complete": false}
Draft read_chain(const Json& object, const char* name) {
  Draft draft;
  draft.example.formulas = list_of(object[name], name);
  draft.example.complete = flag(object, "complete", true);
  if (draft.example.formulas.empty()) fail(fmt::format("a chain without {}", name));
  if (object.contains("positions")) {
    draft.example.positions = list_of(object["positions"], "positions");
    if (draft.example.positions.size() + 1 != draft.example.formulas.size()) {
      fail("there must be one position for each step");
    }
  }
  return draft;
}

// {"formula": ...} with "steps" or "final": true.
Draft read_formula(const Json& object, const std::string& formula, std::string_view name) {
  Draft draft;
  Example& example = draft.example;
  example.formulas = {formula};
  example.complete = flag(object, "final", false);
  if (object.contains("steps")) read_places(object["steps"], example);
  example.all_places = !example.places.empty() && flag(object, "all", true);
  if (example.complete && !example.places.empty()) fail("a final formula has no steps");
  if (!example.complete && example.places.empty()) {
    fail(fmt::format("a {} without \"next\"", excerpt(name)),
         "write \"final\": true if it is final");
  }
  return draft;
}

Draft read_object(const Json& object) {
  for (const char* name : {"terms", "chain", "formulas"}) {
    if (object.contains(name)) return read_chain(object, name);
  }
  std::optional<std::pair<std::string, std::string>> first;
  std::optional<std::pair<Role, std::string>> second;
  for (const auto& [key, value] : object.items()) {
    const std::optional<Role> role = role_of(key);
    if (role == Role::kFirst && !first) first.emplace(key, text_of(value, key));
    if (role && role != Role::kFirst && (!second || *role < second->first)) {
      second.emplace(*role, text_of(value, key));
    }
  }
  if (!first) {
    fail("there is no formula in it", R"(write {"formula": ..., "next": ...}, )"
                                      R"({"question": ..., "answer": ...} or {"chain": [...]})");
  }
  if (!second) return read_formula(object, first->second, first->first);
  if (second->first == Role::kNext && flag(object, "final", false)) {
    Draft draft = draft_of_pair(std::move(first->second), std::move(second->second), Kind::kSteps);
    draft.example.complete = true;
    return draft;
  }
  return draft_of_pair(std::move(first->second), std::move(second->second), kind_of(second->first));
}

class JsonForm : public LineForm {
 public:
  Format format() const override { return Format::kJsonLines; }

  std::optional<Draft> read(std::string_view line, std::uint32_t) const override {
    line = trimmed(line);
    if (line.empty() || line.front() == '#') return std::nullopt;
    const Json object = Json::parse(line, keep_shallow, /*allow_exceptions=*/false);
    if (object.is_discarded()) fail("this is not JSON");
    if (!object.is_object()) fail("expected an object: {...}");
    return read_object(object);
  }
};

// {"... or {}: a formula may also begin with a curly bracket.
bool looks_like_object(std::string_view line) {
  if (!line.starts_with('{')) return false;
  const std::string_view rest = trimmed(line.substr(1));
  return rest.starts_with('"') || rest == "}";
}

}  // namespace

std::unique_ptr<LineForm> json_form(Sample sample) {
  std::size_t objects = 0;
  std::size_t others = 0;
  for (const NumberedLine& line : sample) {
    if (trimmed(line.text).starts_with('#')) continue;
    ++(looks_like_object(trimmed(line.text)) ? objects : others);
  }
  return objects > others ? std::make_unique<JsonForm>() : nullptr;
}

}  // namespace nrs::examples
