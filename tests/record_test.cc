// The record of a baseline: whole lines, everything comes back, nothing is guessed.
#include <gtest/gtest.h>

#include "baseline/record.h"
#include "nrs/error.h"
#include "temporary.h"

namespace nrs {
namespace {

const Question kQuestion{&find_domain("listops"), "[MIN12]", "1", 1, 2, 0};

InterviewSettings settings() {
  InterviewSettings made;
  made.model.name = "tiny";
  made.model.fields["temperature"] = 0.5;
  made.endpoint = "http://127.0.0.1/v1";
  made.questions = {{"domain", "listops"}};
  return made;
}

HttpReply answer(const std::string& content) {
  HttpReply reply;
  reply.status = 200;
  reply.seconds = 0.5;
  reply.body = nlohmann::json{{"choices", {{{"message", {{"content", content}}}}}}}.dump();
  return reply;
}

class RecordTest : public TemporaryFolder {
 protected:
  void write_two() const {
    RecordFile file(path(), false);
    EXPECT_TRUE(file.empty());
    file.write(to_json(settings()));
    file.write(to_json({&kQuestion, 0, 0}, "{\"a\":1}", 1, answer("I think\nfirst: \"é\"")));
    file.write(to_json({&kQuestion, 0, 1}, "{}", 2, answer("1")));
  }
  std::filesystem::path path() const { return folder / "deep" / "record.jsonl"; }
  std::string content() const {
    std::ifstream file(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string fault(const std::string& text) const {
    try {
      read_record(write("bad.jsonl", text));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      return std::string(error.what()).substr(folder.string().size() + 1);
    }
    return "";
  }
};

TEST_F(RecordTest, ComesBackAsItWas) {
  write_two();
  const Record record = read_record(path());
  EXPECT_EQ(difference(record.settings, settings()), "");
  EXPECT_EQ(record.settings.endpoint, settings().endpoint);
  ASSERT_EQ(record.questions.size(), 1u);
  EXPECT_EQ(record.questions[0].formula, "[MIN12]");
  EXPECT_EQ(record.questions[0].value, "1");
  EXPECT_EQ(record.questions[0].args, 2);
  EXPECT_EQ(record.tries, 2u);
  EXPECT_EQ(record.seconds, 1);
  EXPECT_EQ(record.find({&kQuestion, 0, 0})->answer.content, "I think\nfirst: \"é\"");
  EXPECT_EQ(record.find({&kQuestion, 1, 0}), nullptr);
}

TEST_F(RecordTest, OnlyAnswersAreAnswers) {
  {
    RecordFile file(path(), false);
    file.write(to_json(settings()));
    HttpReply bytes = answer("x");
    bytes.body = "\xff\x00\x80";
    file.write(to_json({&kQuestion, 0, 0}, "{}", 1, bytes));
    HttpReply other = answer("1#");  // an answer, but for one byte
    other.body[other.body.find('#')] = '\xe9';
    file.write(to_json({&kQuestion, 0, 0}, "{}", 1, other));
    HttpReply cut = answer("1");
    cut.error = "cut";
    file.write(to_json({&kQuestion, 0, 0}, "{}", 2, cut));
    HttpReply busy = answer("1");
    busy.status = 429;
    busy.retry_after = 3;
    file.write(to_json({&kQuestion, 0, 0}, "{}", 3, busy));
  }
  const Record record = read_record(path());
  EXPECT_EQ(record.tries, 4u);
  EXPECT_TRUE(record.replies.empty());
  EXPECT_NE(content().find(R"("reply":"ÿ)"), std::string::npos);
  EXPECT_NE(content().find(R"("reply_encoding":"latin-1")"), std::string::npos);
}

TEST_F(RecordTest, EveryCutOfAFileIsReadAndGoesOn) {
  write_two();
  const std::string whole = content();
  const std::size_t first_end = whole.find('\n') + 1;
  for (std::size_t size = first_end; size <= whole.size(); size += 7) {
    std::filesystem::resize_file(path(), size);
    EXPECT_LE(read_record(path()).replies.size(), 2u);
    RecordFile(path(), true).write(to_json({&kQuestion, 5, 0}, "{}", 1, answer("1")));
    EXPECT_NE(read_record(path()).find({&kQuestion, 5, 0}), nullptr) << size;
    std::ofstream(path(), std::ios::binary) << whole;
  }
}

TEST_F(RecordTest, IsNeitherOverwrittenNorShared) {
  write_two();
  EXPECT_THROW(RecordFile(path(), false), Error);
  const RecordFile file(path(), true);
  EXPECT_THROW(RecordFile(path(), true), Error);
}

TEST_F(RecordTest, FaultsHaveAPlace) {
  const std::string first = to_json(settings()).dump() + "\n";
  EXPECT_EQ(fault(""), "bad.jsonl: the record is empty");
  EXPECT_EQ(fault("{}\n"), "bad.jsonl:1: this is not the record of a baseline");
  EXPECT_EQ(fault(first + "{}\n"), "bad.jsonl:2: this is not a line of a record");
  EXPECT_EQ(fault(first + "x\n" + first), "bad.jsonl:2: this is not a line of a record");
  EXPECT_EQ(fault(first + "{\"half"), "");
  nlohmann::ordered_json later = to_json(settings());
  later["format"] = 2;
  EXPECT_EQ(fault(later.dump() + "\n"), "bad.jsonl:1: format 2, this program reads 1");
}

TEST_F(RecordTest, SaysInWhatTwoRunsDiffer) {
  InterviewSettings other = settings();
  other.endpoint = "http://elsewhere/v1";
  EXPECT_EQ(difference(settings(), other), "");
  other.samples = 10;
  EXPECT_EQ(difference(settings(), other), "samples was 1, now 10");
}

}  // namespace
}  // namespace nrs
