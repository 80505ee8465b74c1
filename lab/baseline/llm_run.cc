#include "baseline/llm_run.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

#include "base/clock.h"
#include "base/hash.h"
#include "base/threads.h"

namespace nrs {
namespace {

// So many formulas in a row without an answer, and the endpoint is taken to be gone.
constexpr int kMostFailuresInARow = 3;

class Run {
 public:
  Run(const LlmRun& run, const Record& known, RecordFile& file, const LlmWatch& watch)
      : run_(run), known_(known), file_(file), watch_(watch) {}

  LlmEnd all() {
    const auto start = std::chrono::steady_clock::now();
    // Each connection takes the next question that nobody has: a slow reply holds up nobody else.
    std::atomic<std::size_t> next{0};
    parallel_for(static_cast<std::size_t>(run_.parallel), run_.parallel, [&](std::size_t number) {
      try {
        Connection connection(*this, number);
        for (std::size_t i = next++; i < run_.questions.size() && !stopped(); i = next++) {
          connection.ask(run_.questions[i]);
        }
      } catch (...) {
        ended_ = true;  // the others need not go on
        throw;
      }
    });
    LlmEnd end;
    end.scores = scores_;
    end.scores.seconds = seconds_since(start);
    end.given_up = given_up_;
    end.failure = failure_;
    const LlmTally total = scores_.total();
    end.scores.interrupted = total.formulas() + total.failed < run_.questions.size();
    return end;
  }

 private:
  class Connection {
   public:
    Connection(Run& run, std::size_t number)
        : run_(run),
          http_(run.run_.http, [&run] { return run.stopped(); }),
          chat_([this](const std::string& body) { return http_.post(body); },
                [&run](double seconds) {
                  return sleep_unless([&run] { return run.stopped(); }, seconds);
                },
                run.run_.patience, Rng(0, number)) {}

    void ask(const Question& question) {
      const Judged judged = interview(
          run_.run_.settings, question,
          [this](const Turn& turn, const std::string& request) { return reply(turn, request); });
      // A formula that was broken off was not asked.
      if (judged.grade != Grade::kFailed || !run_.stopped()) run_.count(question, judged);
    }

   private:
    std::optional<ChatAnswer> reply(const Turn& turn, const std::string& request) {
      const Record::Reply* recorded = run_.known_.find(turn);
      if (recorded != nullptr && recorded->request_hash == hash_text(request)) {
        run_.add(recorded->answer);
        return recorded->answer;
      }
      if (run_.stopped()) return {};
      const Judgement judgement =
          chat_.ask(request, [&](int tried, const HttpReply& got, const Judgement& judged) {
            run_.file_.write(to_json(turn, request, tried, got));
            run_.note_try(judged);
          });
      if (judgement.verdict == Verdict::kAnswered) {
        run_.add(judgement.answer);
        return judgement.answer;
      }
      if (judgement.verdict != Verdict::kStopped) run_.note_failure(judgement);
      return {};
    }

    Run& run_;
    HttpClient http_;
    PatientChat chat_;
  };

  bool stopped() const { return ended_ || (watch_.stop && watch_.stop()); }

  void add(const ChatAnswer& answer) {
    const std::lock_guard lock(mutex_);
    scores_.prompt_tokens += answer.prompt_tokens;
    scores_.completion_tokens += answer.completion_tokens;
  }

  void note_try(const Judgement& judgement) {
    const std::lock_guard lock(mutex_);
    ++scores_.tries;
    if (judgement.verdict == Verdict::kTryAgain) show(judgement.what);
  }

  void note_failure(const Judgement& judgement) {
    const std::lock_guard lock(mutex_);
    failure_ = judgement.what;
    if (judgement.verdict == Verdict::kHopeless) give_up();
  }

  void count(const Question& question, const Judged& judged) {
    const std::lock_guard lock(mutex_);
    scores_.levels[level_of(question)].count(judged);
    failures_in_a_row_ = judged.grade == Grade::kFailed ? failures_in_a_row_ + 1 : 0;
    if (failures_in_a_row_ >= kMostFailuresInARow) give_up();
    show("");
  }

  void give_up() {
    given_up_ = failure_;
    ended_ = true;
  }

  void show(const std::string& trouble) const {
    if (watch_.on_progress) watch_.on_progress(scores_, trouble);
  }

  const LlmRun& run_;
  const Record& known_;
  RecordFile& file_;
  const LlmWatch& watch_;
  std::mutex mutex_;
  LlmScores scores_;
  int failures_in_a_row_ = 0;
  std::string failure_;
  std::string given_up_;
  std::atomic<bool> ended_{false};
};

}  // namespace

LlmEnd run_llm(const LlmRun& run, const Record& known, RecordFile& file, const LlmWatch& watch) {
  return Run(run, known, file, watch).all();
}

LlmScores replay(const Record& record) {
  LlmScores scores;
  scores.tries = record.tries;
  scores.seconds = record.seconds;
  for (const Question& question : record.questions) {
    const auto reply = [&](const Turn& turn, const std::string&) -> std::optional<ChatAnswer> {
      const Record::Reply* recorded = record.find(turn);
      if (recorded == nullptr) return {};
      scores.prompt_tokens += recorded->answer.prompt_tokens;
      scores.completion_tokens += recorded->answer.completion_tokens;
      return recorded->answer;
    };
    scores.levels[level_of(question)].count(interview(record.settings, question, reply));
  }
  return scores;
}

}  // namespace nrs
