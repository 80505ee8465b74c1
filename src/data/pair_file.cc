#include "data/pair_file.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/files.h"
#include "base/text.h"
#include "data/csv.h"
#include "nrs/error.h"

namespace nrs::data {
namespace {

using PairJson = nlohmann::ordered_json;

[[noreturn]] void refuse_pair(const std::string& message) {
  throw Error(ErrorKind::kInput, message, "a line is {\"text\": \"15+5\", \"value\": \"20\"}");
}

TaughtPair pair_of(const std::string& line) {
  // Nothing is nested in a pair, so nothing hostile can be deep.
  const auto flat = [](int depth, PairJson::parse_event_t, const PairJson&) {
    if (depth > 1) refuse_pair("nested too deeply");
    return true;
  };
  const PairJson object = PairJson::parse(line, flat, /*allow_exceptions=*/false);
  if (!object.is_object()) refuse_pair("not a JSON object");
  TaughtPair pair;
  bool has_value = false;
  for (const auto& [key, value] : object.items()) {
    if (key == "text" && value.is_string()) {
      pair.text = value.get<std::string>();
    } else if (key == "value" && (value.is_string() || value.is_null())) {
      has_value = true;
      if (value.is_string()) pair.value = value.get<std::string>();
    } else if (key == "times" && value.is_number_unsigned() && value >= 1 &&
               value <= std::numeric_limits<std::uint32_t>::max()) {
      pair.times = value.get<std::uint32_t>();
    } else {
      refuse_pair(fmt::format("'{}' is not known, or of the wrong type", excerpt(key)));
    }
  }
  if (pair.text.empty()) refuse_pair("'text' is missing or empty");
  if (!has_value) refuse_pair("'value' is missing");
  if (pair.value && pair.value->empty()) refuse_pair("'value' is empty");
  return pair;
}

}  // namespace

void write_pair_file(const std::filesystem::path& path, std::span<const TaughtPair> pairs) {
  AtomicFile file(path);
  for (const TaughtPair& pair : pairs) {
    PairJson object = {{"text", pair.text}, {"value", nullptr}};
    if (pair.value) object["value"] = *pair.value;
    if (pair.times != 1) object["times"] = pair.times;
    file.write(object.dump() + "\n");
  }
  file.commit();
}

std::vector<TaughtPair> read_pair_file(const std::filesystem::path& path) {
  std::vector<TaughtPair> pairs;
  std::unordered_set<std::string> met;
  for_each_line(path, kMaxLine, [&](const std::string& line) {
    TaughtPair pair = pair_of(line);
    if (!met.insert(pair.text).second) {
      throw Error(ErrorKind::kInput, fmt::format("'{}' comes again", excerpt(pair.text)),
                  "a text has one line; \"times\" says how often it was met");
    }
    pairs.push_back(std::move(pair));
  });
  return pairs;
}

}  // namespace nrs::data
