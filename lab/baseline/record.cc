#include "baseline/record.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "base/hash.h"
#include "base/lines.h"
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

namespace {

// A reply of the largest size, each byte of it written as "\u0000".
constexpr std::size_t kLongestLine = std::size_t{64} << 20;

class RecordReader {
 public:
  void take(const std::string& text) {
    const Json line = Json::parse(text);
    if (first_) {
      record_.settings = settings_of(line);
      first_ = false;
      return;
    }
    take_exchange(line);
  }

  Record finish() {
    if (first_) throw Error(ErrorKind::kInput, "the record is empty");
    return std::move(record_);
  }

 private:
  void take_exchange(const Json& line) {
    const Question question = read_question(line);
    const Record::Key key{question.domain->name(), question.formula, line.at("sample"),
                          line.at("call")};
    if (seen_.emplace(std::get<0>(key), question.formula).second) {
      record_.questions.push_back(question);
    }
    ++record_.tries;
    record_.seconds += line.at("seconds").get<double>();
    // Bytes that are no text were no answer when they came, and are none now.
    if (line.contains("error") || line.contains("reply_encoding") || line.at("status") != 200) {
      return;
    }
    try {
      record_.replies[key] = {read_chat_answer(line.at("reply").get<std::string>()),
                              hash_text(line.at("request").get<std::string>())};
    } catch (const Error&) {
      return;  // a reply that was no answer
    }
  }

  static Question read_question(const Json& line) {
    Question question;
    question.domain = &find_domain(line.at("domain").get<std::string>());
    question.formula = line.at("formula");
    question.value = line.at("value");
    question.nesting = line.at("nesting");
    if (!line.at("args").is_null()) question.args = line.at("args").get<int>();
    return question;
  }

  Record record_;
  bool first_ = true;
  std::set<std::pair<std::string, std::string>> seen_;
};

}  // namespace

const Record::Reply* Record::find(const Turn& turn) const {
  const auto found = replies.find(
      {std::string(turn.question->domain->name()), turn.question->formula, turn.sample, turn.call});
  return found == replies.end() ? nullptr : &found->second;
}

Record read_record(const std::filesystem::path& path) {
  LineReader lines(path, kLongestLine);
  RecordReader reader;
  std::string line;
  std::optional<Error> bad;
  while (lines.next(line)) {
    if (bad) throw *bad;
    const std::string place = fmt::format("{}:{}", path.string(), lines.number());
    try {
      reader.take(line);
    } catch (const Json::exception&) {
      bad = Error(ErrorKind::kInput, place + ": this is not a line of a record");
    } catch (const Error& error) {
      throw Error(ErrorKind::kInput, error.what(), error.hint()).in(place);
    }
  }
  if (bad && ends_whole(path)) throw *bad;
  try {
    return reader.finish();
  } catch (const Error& error) {
    throw error.in(path.string());
  }
}

}  // namespace nrs
