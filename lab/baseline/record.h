#pragma once
// The record of a baseline run: one JSON object per line, the first of which says what was run,
// each other one request with its raw reply. From it alone the scores can be computed again.
// docs/baselines.md describes the fields.
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/growing_file.h"
#include "baseline/chat.h"
#include "baseline/http.h"
#include "eval/question.h"

namespace nrs {

// What was run. All but the endpoint must be the same for a run to be resumed.
struct InterviewSettings {
  ChatModel model;
  ChatProtocol protocol = ChatProtocol::kChainOfThought;
  int samples = 1;
  std::string endpoint;
  nlohmann::ordered_json questions;  // where they came from
};

nlohmann::ordered_json to_json(const InterviewSettings& settings);
// Throws Error (input).
InterviewSettings settings_of(const nlohmann::ordered_json& line);
// The first field in which two runs differ, with both values; empty if they are the same.
std::string difference(const InterviewSettings& recorded, const InterviewSettings& wanted);

// One call of one sample of one question.
struct Turn {
  const Question* question = nullptr;
  int sample = 0;
  int call = 0;
};

nlohmann::ordered_json to_json(const Turn& turn, const std::string& request, int tried,
                               const HttpReply& reply);

// Whoever kills the program loses at most the line that is being written. From several threads.
class RecordFile {
 public:
  // Throws Error: usage if the file is there and `resume` is not asked for, or if another run is
  // writing it; I/O if it cannot be written. A half line at the end is cut off.
  RecordFile(std::filesystem::path path, bool resume);

  bool empty() const { return file_.empty(); }
  void write(const nlohmann::ordered_json& line);

 private:
  GrowingFile file_;
};

// What a record says: answers only, not what went wrong on the way to them.
struct Record {
  InterviewSettings settings;
  std::vector<Question> questions;  // in the order in which they were first asked
  std::size_t tries = 0;
  double seconds = 0;  // of all requests, one after the other

  struct Reply {
    ChatAnswer answer;
    std::uint64_t request_hash = 0;
  };
  const Reply* find(const Turn& turn) const;

  using Key = std::tuple<std::string, std::string, int, int>;  // domain, formula, sample, call
  std::map<Key, Reply> replies;
};

// Throws Error (input) with file and line. A half line at the end is passed over.
Record read_record(const std::filesystem::path& path);

}  // namespace nrs
