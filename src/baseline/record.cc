#include "baseline/record.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
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

}  // namespace

Json to_json(const RunSettings& settings) {
  return {{"record", "nrs baseline llm"},           {"format", kFormat},
          {"model", settings.model.name},           {"fields", settings.model.fields},
          {"protocol", name_of(settings.protocol)}, {"samples", settings.samples},
          {"questions", settings.questions},        {"endpoint", settings.endpoint}};
}

RunSettings settings_of(const Json& line) {
  try {
    if (line.at("record") != "nrs baseline llm") throw Error(ErrorKind::kInput, "");
    if (const int format = line.at("format"); format != kFormat) {
      throw Error(ErrorKind::kInput,
                  fmt::format("format {}, this program reads {}", format, kFormat));
    }
    RunSettings settings;
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

std::string difference(const RunSettings& recorded, const RunSettings& wanted) {
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

RecordFile::RecordFile(std::filesystem::path path, bool resume) : path_(std::move(path)) {
  std::error_code ignored;
  if (path_.has_parent_path()) std::filesystem::create_directories(path_.parent_path(), ignored);
  const int flags = O_RDWR | O_APPEND | O_CLOEXEC | (resume ? 0 : O_CREAT | O_EXCL);
  descriptor_ = ::open(path_.c_str(), flags, 0666);
  if (descriptor_ < 0 && errno == EEXIST) {
    throw Error(ErrorKind::kUsage, path_.string() + ": this record is there already",
                "--resume goes on with it, --record names another file");
  }
  if (descriptor_ < 0) fail("write");
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    ::close(descriptor_);
    throw Error(ErrorKind::kUsage, path_.string() + ": another run is writing this record");
  }
  if (resume) cut_half_line();
}

RecordFile::~RecordFile() {
  ::close(descriptor_);
}

void RecordFile::fail(const char* action) const {
  throw Error(ErrorKind::kIo,
              fmt::format("{}: cannot {}: {}", path_.string(), action, std::strerror(errno)));
}

void RecordFile::cut_half_line() const {
  const off_t size = ::lseek(descriptor_, 0, SEEK_END);
  off_t end = size;
  char last = '\0';
  while (end > 0 && ::pread(descriptor_, &last, 1, end - 1) == 1 && last != '\n') --end;
  if (end < size && ::ftruncate(descriptor_, end) != 0) fail("write");
}

bool RecordFile::empty() const {
  return ::lseek(descriptor_, 0, SEEK_END) == 0;
}

void RecordFile::write(const Json& line) {
  const std::string text = dump(line);
  const std::lock_guard lock(mutex_);
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace nrs
