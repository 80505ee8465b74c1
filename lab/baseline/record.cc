#include "baseline/record.h"

#include <fmt/format.h>

#include <utility>

#include "nrs/error.h"

namespace nrs {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

std::string dump(const Json& line) {
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool is_utf8(const std::string& text) {
  try {
    (void)Json(text).dump();
  } catch (const Json::type_error&) {
    return false;
  }
  return true;
}

// Bytes that are no text, each as the character of its number.
std::string as_characters(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) text += static_cast<char>(0xc0 | byte >> 6);
    text += static_cast<char>(byte >= 0x80 ? 0x80 | (byte & 0x3f) : byte);
  }
  return text;
}

GrowingFile open_record(std::filesystem::path path, bool resume) {
  try {
    return GrowingFile(std::move(path), "record",
                       resume ? GrowingFile::Start::kOld : GrowingFile::Start::kNew);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kUsage || resume) throw;
    throw error.with_hint("resume it, or name another file");
  }
}

}  // namespace

Json to_json(const InterviewSettings& settings) {
  return {{"record", "nrs baseline llm"},           {"format", kFormat},
          {"model", settings.model.name},           {"fields", settings.model.fields},
          {"protocol", name_of(settings.protocol)}, {"samples", settings.samples},
          {"questions", settings.questions},        {"endpoint", settings.endpoint}};
}

InterviewSettings settings_of(const Json& line) {
  try {
    if (line.at("record") != "nrs baseline llm") throw Error(ErrorKind::kInput, "");
    if (const int format = line.at("format"); format != kFormat) {
      throw Error(ErrorKind::kInput,
                  fmt::format("format {}, this program reads {}", format, kFormat));
    }
    InterviewSettings settings;
    settings.model = {line.at("model"), line.at("fields")};
    settings.protocol = protocol_of(line.at("protocol").get<std::string>());
    settings.samples = line.at("samples");
    settings.questions = line.at("questions");
    settings.endpoint = line.at("endpoint");
    if (settings.samples >= 1 && settings.model.fields.is_object()) return settings;
  } catch (const Json::exception&) {
    // Told below.
  } catch (const Error& error) {
    if (*error.what() != '\0') throw Error(ErrorKind::kInput, error.what(), error.hint());
  }
  throw Error(ErrorKind::kInput, "this is not the record of a baseline");
}

std::string difference(const InterviewSettings& recorded, const InterviewSettings& wanted) {
  const Json a = to_json(recorded);
  const Json b = to_json(wanted);
  for (const auto& [name, value] : a.items()) {
    if (name == "endpoint" || value == b.at(name)) continue;
    return fmt::format("{} was {}, now {}", name, value.dump(), b.at(name).dump());
  }
  return "";
}

Json to_json(const Turn& turn, const std::string& request, int tried, const HttpReply& reply) {
  const Question& question = *turn.question;
  Json line = {{"domain", question.domain->name()},
               {"formula", question.formula},
               {"value", question.value},
               {"nesting", question.nesting},
               {"args", nullptr},
               {"sample", turn.sample},
               {"call", turn.call},
               {"try", tried},
               {"request", request},
               {"status", reply.status},
               {"seconds", reply.seconds}};
  if (question.args) line["args"] = *question.args;
  if (!reply.error.empty()) line["error"] = is_utf8(reply.error) ? reply.error : "unreadable";
  if (reply.retry_after) line["retry_after"] = *reply.retry_after;
  const bool text = is_utf8(reply.body);
  line["reply"] = text ? reply.body : as_characters(reply.body);
  if (!text) line["reply_encoding"] = "latin-1";
  return line;
}

RecordFile::RecordFile(std::filesystem::path path, bool resume)
    : file_(open_record(std::move(path), resume)) {}

void RecordFile::write(const Json& line) {
  file_.write(dump(line));
}

}  // namespace nrs
