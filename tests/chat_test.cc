// Asking a language model, without one: messages, replies, votes, and what is worth another try.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "baseline/chat.h"
#include "baseline/interview.h"
#include "baseline/patience.h"
#include "nrs/error.h"

namespace nrs {
namespace {

std::string reply_of(const std::string& content) {
  return nlohmann::json{{"choices", {{{"message", {{"content", content}}}}}}}.dump();
}

TEST(ChatProtocol, TwoCallsOfAChainOfThought) {
  const auto first = messages_of(ChatProtocol::kChainOfThought, "What is 1+1?", {});
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].role, "user");
  EXPECT_EQ(first[0].content, "Q: What is 1+1?\nA: Let's think step-by-step.");
  const std::vector<std::string> replies{"One and one ..."};
  const auto second = messages_of(ChatProtocol::kSelfConsistency, "What is 1+1?", replies);
  ASSERT_EQ(second.size(), 3u);
  EXPECT_EQ(second[0].content, first[0].content);
  EXPECT_EQ(second[1].role, "assistant");
  EXPECT_EQ(second[1].content, replies[0]);
  EXPECT_EQ(second[2].role, "user");
}

TEST(ChatProtocol, NamesCallsAndSamples) {
  for (const auto& [name, calls, samples] :
       {std::tuple{"vanilla", 1, 1}, {"chain-of-thought", 2, 1}, {"self-consistency", 2, 10}}) {
    const ChatProtocol protocol = protocol_of(name);
    EXPECT_EQ(name_of(protocol), name);
    EXPECT_EQ(calls_of(protocol), calls);
    EXPECT_EQ(samples_of(protocol), samples);
  }
  EXPECT_THROW(protocol_of("few-shot"), Error);
}

TEST(ChatProtocol, TheMostFrequentAnswerWinsAndATieGoesToTheFirst) {
  using Answers = std::vector<std::optional<std::string>>;
  EXPECT_EQ(vote(Answers{"1", "2", "2"}), "2");
  EXPECT_EQ(vote(Answers{"1", "2", "2", "1"}), "1");
  EXPECT_EQ(vote(Answers{{}, "2", {}, "1"}), "2");
  EXPECT_EQ(vote(Answers{{}, {}}), std::nullopt);
  EXPECT_EQ(vote(Answers{}), std::nullopt);
}

TEST(ChatProtocol, ThoughtsAreNoAnswer) {
  EXPECT_EQ(spoken_part("<think>is it 5?</think>7"), "7");
  EXPECT_EQ(spoken_part("7"), "7");
}

TEST(Chat, RequestsHoldModelMessagesAndFields) {
  ChatModel model{"tiny", {}};
  model.fields = nlohmann::ordered_json::object();
  add_field(model.fields, "temperature=0.5");
  add_field(model.fields, "reasoning_effort=high");
  const std::vector<Message> messages{{"user", "Q \"1\""}};
  EXPECT_EQ(chat_request(model, messages).dump(),
            R"({"model":"tiny","messages":[{"role":"user","content":"Q \"1\""}],)"
            R"("temperature":0.5,"reasoning_effort":"high"})");
  for (const char* bad : {"temperature", "=1", "messages=[]", "n=10", "stream=true"}) {
    EXPECT_THROW(add_field(model.fields, bad), Error) << bad;
  }
}

TEST(Chat, AnswersAreReadAndFaultsAreNamed) {
  EXPECT_EQ(read_chat_answer(reply_of("7")).content, "7");
  EXPECT_EQ(read_chat_answer(reply_of("")).content, "");
  EXPECT_EQ(read_chat_answer(R"({"choices":[{"message":{"content":null}}]})").content, "");
  EXPECT_EQ(read_chat_answer(R"({"choices":[{"message":{"refusal":"no"}}]})").content, "");
  EXPECT_EQ(read_chat_answer(
                R"({"choices":[{"message":{"content":[{"text":"1"},{"image":2},{"text":"2"}]}}]})")
                .content,
            "12");
  const ChatAnswer counted = read_chat_answer(
      R"({"choices":[{"message":{"content":"7"}}],"usage":{"prompt_tokens":5,"completion_tokens":"x"}})");
  EXPECT_EQ(counted.prompt_tokens, 5u);
  EXPECT_EQ(counted.completion_tokens, 0u);
  const std::vector<std::pair<std::string, std::string>> faults{
      {"", "is empty"},
      {"<html>", "is not JSON: <html>"},
      {"[]", "has no 'choices'"},
      {"{}", "has no 'choices'"},
      {R"({"choices":[]})", "has no 'choices'"},
      {R"({"choices":[5]})", "has no 'message'"},
      {R"({"choices":[{"message":{}}]})", "has no 'content'"},
      {R"({"choices":[{"message":{"content":5}}]})", "has content that is not text"},
      {R"({"error":{"message":"overloaded"}})", "is an error: overloaded"},
      {"\xff\xfe", "is not JSON: "},
      {std::string(100000, '['), "is nested too deeply"}};
  for (const auto& [body, what] : faults) {
    try {
      read_chat_answer(body);
      ADD_FAILURE() << body.substr(0, 40) << " was read";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  }
}

HttpReply status(int code, const std::string& body = "") {
  HttpReply reply;
  reply.status = code;
  reply.body = body;
  return reply;
}

TEST(Patience, WhatIsWorthAnotherTry) {
  for (const int code : {408, 425, 429, 500, 502, 503, 504}) {
    EXPECT_EQ(judge(status(code)).verdict, Verdict::kTryAgain) << code;
  }
  for (const int code : {400, 413, 422}) {
    EXPECT_EQ(judge(status(code)).verdict, Verdict::kRefused) << code;
  }
  for (const int code : {301, 302, 401, 403, 404}) {
    EXPECT_EQ(judge(status(code)).verdict, Verdict::kHopeless) << code;
  }
  EXPECT_EQ(judge(status(200, reply_of("7"))).answer.content, "7");
  EXPECT_EQ(judge(status(200, "{}")).verdict, Verdict::kTryAgain);
  EXPECT_EQ(judge(status(401, R"({"error":{"message":"bad key"}})")).what,
            "HTTP status 401: bad key");
  HttpReply broken = status(200);
  broken.error = "cut off";
  EXPECT_EQ(judge(broken).verdict, Verdict::kTryAgain);
}

TEST(Patience, WaitsGrowAreBoundedAndFollowTheServer) {
  Rng rng(1);
  const Patience patience;
  double longest = 0;
  for (int tried = 1; tried <= 20; ++tried) {
    const double wait = wait_after(tried, status(500), patience, rng).value();
    EXPECT_GE(wait, std::min(30.0, 0.5 * (1 << (tried - 1))));
    longest = std::max(longest, wait);
  }
  EXPECT_LE(longest, patience.longest_wait);
  HttpReply asked = status(429);
  asked.retry_after = 17;
  EXPECT_EQ(wait_after(1, asked, patience, rng), 17);
  asked.retry_after = 100000;
  EXPECT_EQ(wait_after(1, asked, patience, rng), std::nullopt);
}

// A chat with a server that gives these replies, one after the other.
struct Scripted {
  explicit Scripted(std::vector<HttpReply> script) : replies(std::move(script)) {}

  Judgement ask() {
    PatientChat chat([this](const std::string&) { return replies[posts++]; },
                     [this](double seconds) {
                       if (seconds > 0) waits.push_back(seconds);
                       return !stop;
                     },
                     {.tries = 3}, Rng(1));
    return chat.ask("{}",
                    [this](int number, const HttpReply&, const Judgement&) { tried = number; });
  }

  std::vector<HttpReply> replies;
  std::size_t posts = 0;
  std::vector<double> waits;
  int tried = 0;
  bool stop = false;
};

TEST(Patience, TriesAgainAndThenNoMore) {
  Scripted recovers({status(500), status(200, "cut"), status(200, reply_of("7"))});
  EXPECT_EQ(recovers.ask().answer.content, "7");
  EXPECT_EQ(recovers.waits.size(), 2u);
  Scripted never({status(500), status(500), status(500), status(200, reply_of("7"))});
  const Judgement judgement = never.ask();
  EXPECT_EQ(judgement.verdict, Verdict::kRefused);
  EXPECT_EQ(judgement.what, "HTTP status 500 (3 tries)");
  EXPECT_EQ(never.tried, 3);
  Scripted hopeless({status(401)});
  EXPECT_EQ(hopeless.ask().verdict, Verdict::kHopeless);
  EXPECT_EQ(hopeless.posts, 1u);
  Scripted stopped({status(500)});
  stopped.stop = true;
  EXPECT_EQ(stopped.ask().verdict, Verdict::kStopped);
  EXPECT_EQ(stopped.tried, 0);
}

Judged judged(const std::vector<std::string>& finals) {
  InterviewSettings settings;
  settings.protocol = ChatProtocol::kSelfConsistency;
  settings.samples = static_cast<int>(finals.size());
  const Question question{&find_domain("arithmetic"), "(28*-16)", "-48", 1, 2, 0};
  return interview(settings, question,
                   [&](const Turn& turn, const std::string&) -> std::optional<ChatAnswer> {
                     if (turn.call == 0) return ChatAnswer{"I think 99", 0, 0};
                     const std::string& text = finals[static_cast<std::size_t>(turn.sample)];
                     if (text == "lost") return {};
                     return ChatAnswer{text, 0, 0};
                   });
}

TEST(Interview, OutcomesAreToldApart) {
  EXPECT_EQ(judged({"-48", "5", "The answer is -48."}).grade, Grade::kRight);
  EXPECT_EQ(judged({"-48", "5", "The answer is -48."}).samples_right, 2);
  EXPECT_EQ(judged({"5", "-48", "5"}).grade, Grade::kWrong);
  EXPECT_EQ(judged({"5", "-48"}).answer, "5");
  EXPECT_EQ(judged({"I can't.", "-48"}).grade, Grade::kRight);
  EXPECT_EQ(judged({"I can't.", "Sorry."}).grade, Grade::kUnparsed);
  EXPECT_EQ(judged({"-48", "lost", "-48"}).grade, Grade::kFailed);
}

}  // namespace
}  // namespace nrs
