// Reading a record back.
#include <fmt/format.h>

#include <set>

#include "base/hash.h"
#include "base/lines.h"
#include "baseline/record.h"
#include "nrs/error.h"

namespace nrs {
namespace {

using Json = nlohmann::ordered_json;

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
      bad = Error(ErrorKind::kInput, place + ": this is no line of a record");
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
