// The parts of the server that need no connection.
#include <gtest/gtest.h>

#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/text.h"
#include "serve/answer_form.h"
#include "serve/guard.h"
#include "serve/http.h"
#include "serve/jobs.h"
#include "serve/metrics.h"
#include "serve/model_store.h"
#include "serve/page.h"
#include "serve/query.h"
#include "serve/simplify_request.h"
#include "serve/work_batch.h"
#include "serve/work_queue.h"

namespace nrs::serve {
namespace {

const std::string kModel = NRS_ROOT "/models/logic.nrs";

TextList list(const std::vector<std::string>& texts) {
  TextList list;
  for (const std::string& text : texts) list.add(text);
  return list;
}

// What a body is refused for: "413 there are ...".
std::string refused(std::string_view body, const Limits& limits = {}) {
  try {
    read_simplify_request(std::string(body), limits);
  } catch (const Refusal& refusal) {
    return std::to_string(refusal.status()) + " " + refusal.line();
  }
  return "";
}

TEST(SimplifyRequest, IsReadWhole) {
  const SimplifyRequest one = read_simplify_request(
      R"({"model":"m","formulas":["a","\u00e9"],"trace":true,"max_steps":7})", {});
  EXPECT_EQ(one.model, "m");
  EXPECT_EQ(one.formulas, list({"a", "\xc3\xa9"}));
  EXPECT_TRUE(one.trace);
  EXPECT_EQ(one.max_steps, 7u);
  const SimplifyRequest two = read_simplify_request(R"({"formula":"a"})", {});
  EXPECT_EQ(two.formulas, list({"a"}));
  EXPECT_EQ(two.max_steps, std::nullopt);
  EXPECT_EQ(read_simplify_request(R"({"formulas":[]})", {}).formulas.size(), 0u);
}

TEST(SimplifyRequest, TheQuickWayReadsWhatTheCarefulOneReads) {
  const auto quick = [](std::string body, const Limits& limits = {}) {
    return read_quickly(body, limits);
  };
  const std::vector<std::string> plain_ones{
      "{\"formulas\":[\"(1+2)\",\"\",  \"a~\"]}", " { \"formula\" : \"x\" } ",
      "{\"trace\":true,\n\t\"formulas\":[ ]\r\n,\"model\":\"m\"}",
      "{\"model\":\"\",\"formula\":\"a\",\"max_steps\":100000,\"trace\":false}"};
  for (const std::string& plain : plain_ones) {
    ASSERT_TRUE(quick(plain)) << plain;
    EXPECT_EQ(*quick(plain), read_carefully(plain, {})) << plain;
  }
  for (const char* other : {R"({"formula":"a\n"})",
                            R"({"formula":"\u0061"})",
                            "{\"formula\":\"\xc3\xa9\"}",
                            R"({"formula":"a","max_steps":0})",
                            R"({"formula":"a","max_steps":07})",
                            R"({"formula":"a","max_steps":1.5})",
                            R"({"formula":"a","max_steps":100001})",
                            R"({"formula":"a"} x)",
                            R"({"formula":"a",})",
                            R"({"formula":"a")",
                            "{}",
                            "",
                            "[",
                            R"({"formula":"a","formulas":[]})",
                            R"({"formula":"a","formula":"a"})",
                            R"({"formula":"a","max_steps":1,"max_steps":1})",
                            R"({"formula":"a","trace":null})",
                            R"({"formulas":["a",]})",
                            R"({"formulas":[,]})",
                            R"({"formulas":["a" "b"]})",
                            "{\"formula\":\"a\nb\"}",
                            "{\v\"formula\":\"a\"}",
                            "{\"formula\":\"a\0\"}"}) {
    EXPECT_FALSE(quick(other)) << other;
  }
  Limits limits;
  limits.formulas = 1;
  EXPECT_FALSE(quick(R"({"formulas":["a","b"]})", limits));
}

TEST(SimplifyRequest, TextHasAFormulaInEachLine) {
  const SimplifyRequest read =
      read_simplify_lines("a\r\n\n(b\r\nc", {{"model", "m"}, {"max_steps", "7"}}, {});
  EXPECT_EQ(read.model, "m");
  EXPECT_EQ(read.max_steps, 7u);
  EXPECT_EQ(read.formulas, list({"a", "", "(b", "c"}));
  EXPECT_EQ(read_simplify_lines("", {}, {}).formulas.size(), 0u);
  EXPECT_EQ(read_simplify_lines("a\n", {}, {}).formulas, list({"a"}));
  Limits limits;
  limits.formulas = 2;
  EXPECT_THROW(read_simplify_lines("\n\n\n", {}, limits), Refusal);
  EXPECT_THROW(read_simplify_lines("a", {{"trace", "true"}}, {}), Refusal);
  for (const char* steps : {"0", "x", "-1", "1e3", "100001"}) {
    EXPECT_THROW(read_simplify_lines("a", {{"max_steps", steps}}, {}), Refusal) << steps;
  }
}

TEST(PlainText, EndsAtWhatJsonEscapes) {
  std::string text;
  for (int c = 0x20; c < 0x80; ++c) {
    if (c != '"' && c != '\\') text += static_cast<char>(c);
  }
  EXPECT_EQ(plain_length(text), text.size());
  for (int c = 0; c < 256; ++c) {
    const bool plain = text.find(static_cast<char>(c)) != text.npos;
    for (std::size_t place = 0; place < 20; ++place) {
      std::string marked(20, 'a');
      marked[place] = static_cast<char>(c);
      EXPECT_EQ(plain_length(marked), plain ? marked.size() : place) << c << " at " << place;
      EXPECT_EQ(plain_length(std::string_view(marked).substr(0, place)), place);
    }
  }
}

TEST(AnswerForm, IsWhatTheClientAccepts) {
  const auto form = [](const char* type, const char* accepted) {
    Request request{.method = "POST", .target = "/", .path = "/", .client = ""};
    request.headers = {{"content-type", type}, {"accept", accepted}};
    return answer_form(request);
  };
  EXPECT_EQ(form("application/json", "*/*"), AnswerForm::kList);
  EXPECT_EQ(form("text/plain", "*/*"), AnswerForm::kLines);
  EXPECT_EQ(form("text/plain; charset=utf-8", ""), AnswerForm::kLines);
  EXPECT_EQ(form("text/plain", "application/json"), AnswerForm::kList);
  EXPECT_EQ(form("application/json", "text/plain"), AnswerForm::kLines);
  EXPECT_EQ(form("application/json", "text/event-stream"), AnswerForm::kEvents);
}

TEST(SimplifyRequest, SaysWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "400 the body is not JSON: parse error at line 1, column 1"},
      {"[]", "400 the body is a list, not an object"},
      {"7", "400 the body is a number, not an object"},
      {"{}", "400 there is no \"formulas\""},
      {R"({"formula":"a","formulas":[]})", "400 there are both"},
      {R"({"formulas":"a"})", "400 \"formulas\" is a text, not a list of texts"},
      {R"({"formulas":[1]})", "400 \"formulas\" is a number, not a list of texts"},
      {R"({"formulas":[null]})", "400 \"formulas\" is null, not a list of texts"},
      {R"({"formulas":[["a"]]})", "400 \"formulas\" is a list, not a list of texts"},
      {R"({"formulas":[{"formula":"a"}]})", "400 \"formulas\" is an object"},
      {R"({"formula":["a"]})", "400 \"formula\" is a list, not a text"},
      {R"({"trace":"yes"})", "400 \"trace\" is a text, not true or false"},
      {R"({"max_steps":0})", "400 \"max_steps\" is not within 1 to 100000"},
      {R"({"max_steps":-1})", "400 \"max_steps\" is a negative number, not a whole number"},
      {R"({"max_steps":1e99})", "400 \"max_steps\" is a number with a point"},
      {R"({"max_steps":99999999999999999999999})", "400 \"max_steps\" is a number with a point"},
      {R"({"formulas":["a"],"formulas":["b"]})", "400 \"formulas\" is there twice"},
      {R"({"formulae":["a"]})", "400 unknown field \"formulae\" (did you mean formula"},
      {R"({"formulas":["a"]} x)", "400 the body is not JSON"},
      {R"({"formulas":["a")", "400 the body is not JSON"},
      {"{\"formula\":\"\xff\"}", "400 the body is not JSON"},
      {"{\"formula\":\"\\ud800\"}", "400 the body is not JSON"},
      {"{\"formula\":\"a\nb\"}", "400 the body is not JSON"},
  };
  for (const auto& [body, message] : cases) {
    EXPECT_EQ(refused(body).substr(0, std::string(message).size()), message) << body;
  }
}

TEST(SimplifyRequest, DepthAndNumberAreBounded) {
  EXPECT_EQ(refused(std::string(1'000'000, '[')), "400 the body is a list, not an object");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"formula\":";
  EXPECT_EQ(refused(objects), "400 \"formula\" is an object, not a text");
  Limits limits;
  limits.formulas = 2;
  EXPECT_EQ(refused(R"({"formulas":["a","b"]})", limits), "");
  EXPECT_EQ(refused(R"({"formulas":["a","b","c"]})", limits),
            "413 there are more than 2 formulas (send them in several requests)");
}

TEST(Query, IsDecoded) {
  const std::map<std::string, std::string> expected{{"name", "a b"}, {"kind", "+"}, {"empty", ""}};
  EXPECT_EQ(read_query("name=a%20b&kind=%2b&empty"), expected);
  EXPECT_TRUE(read_query("").empty());
  for (const char* bad : {"a=%", "a=%4", "a=%zz", "a=1&a=2", "%=1"}) {
    EXPECT_THROW(read_query(bad), Refusal) << bad;
  }
}

TEST(Guard, TheTokenMustBeWhole) {
  const Guard guard("secret", {});
  const auto allows = [&](const std::string& header) {
    Request request{.method = "GET", .target = "/", .path = "/", .client = ""};
    if (!header.empty()) request.headers["authorization"] = header;
    try {
      guard.check_token(request);
      return true;
    } catch (const Refusal& refusal) {
      EXPECT_EQ(refusal.status(), 401);
      return false;
    }
  };
  EXPECT_TRUE(allows("Bearer secret"));
  for (const char* wrong : {"", "Bearer ", "Bearer secre", "Bearer secrets", "Bearer Secret",
                            "secret", "Basic secret", "Bearer secretsecret"}) {
    EXPECT_FALSE(allows(wrong)) << wrong;
  }
}

TEST(Guard, OtherSitesAreRefused) {
  const Guard guard("", {"localhost", "127.0.0.1", "::1"});
  const auto allows = [&](const std::string& host, const std::string& origin) {
    Request request{.method = "POST", .target = "/", .path = "/", .client = ""};
    request.headers["host"] = host;
    if (!origin.empty()) request.headers["origin"] = origin;
    try {
      guard.check_site(request);
      return true;
    } catch (const Refusal& refusal) {
      EXPECT_EQ(refusal.status(), 403);
      return false;
    }
  };
  EXPECT_TRUE(allows("localhost:8080", ""));
  EXPECT_TRUE(allows("127.0.0.1", "http://127.0.0.1"));
  EXPECT_TRUE(allows("[::1]:80", "http://[::1]:80"));
  EXPECT_FALSE(allows("evil.example:8080", ""));
  EXPECT_FALSE(allows("", ""));
  EXPECT_FALSE(allows("[", ""));
  EXPECT_FALSE(allows("localhost:8080", "http://evil.example"));
  EXPECT_FALSE(allows("localhost:8080", "http://localhost:9090"));
  EXPECT_FALSE(allows("localhost:8080", "null"));
}

TEST(Models, NamesAreNoPaths) {
  for (const char* good : {"a", "my-model_2.1", "A9"}) EXPECT_TRUE(is_model_name(good)) << good;
  for (const char* bad : {"", ".", "..", "-a", "a/b", "../a", "a b", "a\n", "\xc3\xa9"}) {
    EXPECT_FALSE(is_model_name(bad)) << bad;
  }
  EXPECT_FALSE(is_model_name(std::string(65, 'a')));
}

TEST(Metrics, AreInTheTextForm) {
  Metrics metrics;
  metrics.count_request("/health", 200, 0.002);
  metrics.count_request("/health", 200, 20);
  metrics.count_formulas("final", 3);
  const std::string text = metrics.text({{"nrs_jobs", "Jobs.", 2, "{state=\"done\"}"}});
  for (const char* line : {"nrs_requests_total{route=\"/health\",status=\"200\"} 2\n",
                           "nrs_request_seconds_bucket{route=\"/health\",le=\"0.001\"} 0\n",
                           "nrs_request_seconds_bucket{route=\"/health\",le=\"0.0025\"} 1\n",
                           "nrs_request_seconds_bucket{route=\"/health\",le=\"10\"} 1\n",
                           "nrs_request_seconds_bucket{route=\"/health\",le=\"+Inf\"} 2\n",
                           "nrs_formulas_total{outcome=\"final\"} 3\n",
                           "# TYPE nrs_jobs gauge\nnrs_jobs{state=\"done\"} 2\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line;
  }
}

TEST(Page, KnowsThatThereIsAServer) {
  const std::string page = page_for_server("1.2.3");
  EXPECT_NE(page.find("<meta name=\"nrs-server\" content=\"1.2.3\">"), std::string::npos);
  EXPECT_EQ(page.find("<!-- nrs-server -->"), std::string::npos);
}

TEST(Events, AreOneLineEach) {
  EXPECT_EQ(event_text("round", "{}"), "event: round\ndata: {}\n\n");
}

// A queue, and what came out of it.
class Queue : public testing::Test {
 protected:
  bool add(WorkQueue& queue, const std::vector<std::string>& formulas, bool wanted = true) {
    Work work{.model = model_, .formulas = list(formulas), .max_steps = 1000};
    work.abandoned = [wanted] { return !wanted; };
    work.finish = [this](WorkEnd end) {
      const std::lock_guard lock(mutex_);
      ends_.push_back(std::move(end));
    };
    return queue.add(std::move(work));
  }

  std::shared_ptr<const ServedModel> model_ =
      std::make_shared<ServedModel>("logic", kModel, false, 64);
  std::mutex mutex_;
  std::vector<WorkEnd> ends_;
};

TEST_F(Queue, AnswersEverythingInOrder) {
  std::vector<std::string> formulas;
  for (int i = 0; i < 200; ++i)
    formulas.push_back(i % 3 == 0 ? "(T&F)" : i % 3 == 1 ? "(" : "(T|p)");
  {
    WorkQueue queue({}, 2);
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(add(queue, formulas));
    EXPECT_TRUE(add(queue, {}));
  }
  ASSERT_EQ(ends_.size(), 6u);
  for (const WorkEnd& end : ends_) {
    const auto answers = nlohmann::json::parse(end.body)["results"];
    if (answers.empty()) continue;
    ASSERT_EQ(answers.size(), formulas.size());
    EXPECT_EQ(end.outcomes, (std::map<std::string, std::size_t>{{"error", 67}, {"final", 133}}));
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      const auto& answer = answers[i];
      EXPECT_EQ(answer["formula"], formulas[i]);
      EXPECT_EQ(answer.contains("error"), i % 3 == 1);
      const char* result = i % 3 == 0 ? "F" : "T";
      EXPECT_EQ(answer.value("result", ""), i % 3 == 1 ? "" : result);
    }
  }
}

TEST_F(Queue, RequestsThatAreAnsweredTogetherHaveTheirOwnAnswers) {
  const auto ticket = [&](AnswerForm form, const std::vector<std::string>& formulas) {
    auto made = std::make_shared<Ticket>();
    made->work = {.model = model_, .formulas = list(formulas), .form = form, .max_steps = 1000};
    made->texts.resize(2);
    return made;
  };
  const auto lines = ticket(AnswerForm::kLines, {"(T&F)", "(T|p)", "p"});
  const auto none = ticket(AnswerForm::kLines, {});
  const auto object = ticket(AnswerForm::kList, {"q"});
  const std::vector<Piece> pieces{
      {lines, 1, 2, 1}, {none, 0, 0, 0}, {object, 0, 0, 1}, {lines, 0, 0, 2}};
  answer_together(pieces, {});
  EXPECT_EQ(lines->texts, (std::vector<std::string>{"F\nT\n", "p\n"}));
  EXPECT_EQ(none->texts[0], "");
  const char* answer =
      R"({"formula":"q","domain":"logic","result":"q","stop":"final","steps":0,"rounds":0},)";
  EXPECT_EQ(object->texts[0], answer);
  EXPECT_EQ(lines->result.outcomes, (std::map<std::string, std::size_t>{{"final", 3}}));
}

TEST_F(Queue, HasAnEnd) {
  Limits limits;
  limits.queued_formulas = 10;
  WorkQueue queue(limits, 1);
  EXPECT_FALSE(add(queue, std::vector<std::string>(11, "T")));
  EXPECT_TRUE(add(queue, std::vector<std::string>(10, "T")));
  while (queue.formulas() > 0) std::this_thread::yield();
  EXPECT_TRUE(add(queue, std::vector<std::string>(10, "T")));
}

TEST_F(Queue, DoesNotWorkForNobody) {
  {
    WorkQueue queue({}, 1);
    EXPECT_TRUE(add(queue, {"(T&F)"}, /*wanted=*/false));
  }
  ASSERT_EQ(ends_.size(), 1u);
  EXPECT_TRUE(ends_[0].outcomes.empty());
}

TEST_F(Queue, WhatWaitsForTooLongIsNotBegun) {
  Limits limits;
  limits.queue_seconds = 0;
  {
    WorkQueue queue(limits, 1);
    EXPECT_TRUE(add(queue, {"(T&F)"}));
  }
  ASSERT_EQ(ends_.size(), 1u);
  EXPECT_TRUE(ends_[0].late);
}

TEST_F(Queue, TracesAreBounded) {
  Limits limits;
  limits.trace_bytes = 20;
  {
    WorkQueue queue(limits, 1);
    Work work{.model = model_,
              .formulas = list({"(T&F)", "((T&F)|((T&F)|(F|T)))"}),
              .trace = true,
              .max_steps = 1000};
    work.abandoned = [] { return false; };
    work.finish = [this](WorkEnd end) { ends_.push_back(std::move(end)); };
    queue.add(std::move(work));
  }
  ASSERT_EQ(ends_.size(), 1u);
  const auto answers = nlohmann::json::parse(ends_[0].body)["results"];
  EXPECT_TRUE(answers[0].contains("trace"));
  EXPECT_EQ(answers[1]["error"]["message"], "the trace of this formula is too long");
}

TEST(Jobs, RefusesNamesThatAreTaken) {
  ModelStore models({kModel}, 64);
  Jobs jobs({}, {}, models, [](JobState) {});
  const auto status = [&](const std::string& name) {
    try {
      jobs.add({.name = name, .examples = "a -> b\n"});
      return 202;
    } catch (const Refusal& refusal) {
      return refusal.status();
    }
  };
  EXPECT_EQ(status("../x"), 400);
  EXPECT_EQ(status(""), 400);
  EXPECT_EQ(status("logic"), 409);
}

}  // namespace
}  // namespace nrs::serve
