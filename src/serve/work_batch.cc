#include "serve/work_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

#include "base/status_line.h"

namespace nrs::serve {
namespace {

// Characters of all formulas in a trace, each round with the formula as it then stood.
std::size_t trace_bytes(const service::Answer& answer) {
  std::size_t length = answer.formula.size();
  std::size_t sum = 0;
  for (const Round& round : answer.result.record) {
    sum += length;
    for (const Attempt& attempt : round) {
      if (attempt.applied) length += attempt.step.value.size() - attempt.step.leaf.size();
    }
  }
  return sum;
}

// Pieces that are answered together, and how their answers are shown.
class Batch {
 public:
  Batch(std::span<const Piece> pieces, const Limits& limits)
      : limits_(limits),
        pieces_(pieces),
        answers_(count_of(pieces)),
        forms_(answers_.size()),
        lengths_(answers_.size()) {
    std::size_t next = 0;
    for (const Piece& piece : pieces) {
      for (std::size_t i = 0; i < piece.count; ++i, ++next) {
        ask(piece.formula(i), answers_[next]);
        forms_[next] = piece.ticket->work.form;
      }
    }
  }

  void run() {
    const Work& like = pieces_.front().ticket->work;
    style_.trace = like.trace;
    const auto show = [this](const service::Answer& answer, std::string& text) {
      this->show(answer, text);
    };
    std::string text;
    try {
      const service::Answerer& answerer = like.model->answerer();
      const auto began = std::chrono::steady_clock::now();
      style_.threshold = answerer.threshold();
      text = answerer.answer(answers_, 1, show,
                             {.max_steps = like.max_steps, .keep_rounds = like.trace});
      const auto count = static_cast<double>(std::max<std::size_t>(1, answers_.size()));
      like.model->note_pace(seconds_since(began) / count);
    } catch (const Error& error) {
      for (service::Answer& answer : answers_) {
        answer.error = error;
        show(answer, text);
      }
    }
    hand_out(text);
  }

 private:
  static std::size_t count_of(std::span<const Piece> pieces) {
    std::size_t count = 0;
    for (const Piece& piece : pieces) count += piece.count;
    return count;
  }
  void ask(std::string_view formula, service::Answer& answer) const {
    answer.text = formula;
    if (formula.size() <= limits_.formula_length) return;
    service::fail(answer, Error(ErrorKind::kInput,
                                fmt::format("the formula has {} characters; this server takes at "
                                            "most {}",
                                            formula.size(), limits_.formula_length)));
  }
  void show(const service::Answer& answer, std::string& text) {
    const bool too_long =
        style_.trace && !answer.error && trace_bytes(answer) > limits_.trace_bytes;
    if (too_long) {
      service::Answer refused{.text = answer.text};
      service::fail(refused, Error(ErrorKind::kInput, "the trace of this formula is too long",
                                   "ask without \"trace\", or for fewer steps"));
      return add(refused, number_of(answer), text);
    }
    add(answer, number_of(answer), text);
  }
  std::size_t number_of(const service::Answer& answer) const {
    return static_cast<std::size_t>(&answer - answers_.data());
  }
  // Where memory was short an answer comes twice; the second one counts.
  void add(const service::Answer& answer, std::size_t number, std::string& text) {
    const std::size_t before = text.size();
    add_answer(forms_[number], answer, style_, text);
    lengths_[number] = text.size() - before;
  }

  // The answers follow each other in the text, those to one piece after those to another.
  void hand_out(std::string_view text) {
    auto answers = std::span<const service::Answer>(answers_);
    auto lengths = std::span<const std::size_t>(lengths_);
    for (const Piece& piece : pieces_) {
      const auto its = lengths.first(piece.count);
      const std::size_t length = std::accumulate(its.begin(), its.end(), std::size_t{0});
      piece.ticket->texts[piece.number] = text.substr(0, length);
      count_outcomes(answers.first(piece.count), *piece.ticket);
      text.remove_prefix(length);
      lengths = lengths.subspan(piece.count);
      answers = answers.subspan(piece.count);
    }
  }
  static void count_outcomes(std::span<const service::Answer> answers, Ticket& ticket) {
    std::array<std::size_t, static_cast<std::size_t>(Stop::kMemoryLimit) + 1> stops{};
    std::size_t errors = 0;
    for (const service::Answer& answer : answers) {
      ++(answer.error ? errors : stops[static_cast<std::size_t>(answer.result.stop)]);
    }
    const std::lock_guard lock(ticket.mutex);
    std::map<std::string, std::size_t>& outcomes = ticket.result.outcomes;
    if (errors > 0) outcomes["error"] += errors;
    for (std::size_t i = 0; i < stops.size(); ++i) {
      if (stops[i] > 0) outcomes[std::string(name_of(static_cast<Stop>(i)))] += stops[i];
    }
  }

  const Limits& limits_;
  std::span<const Piece> pieces_;
  std::vector<service::Answer> answers_;
  std::vector<AnswerForm> forms_;     // of each answer
  std::vector<std::size_t> lengths_;  // of its text
  service::Style style_;
};

}  // namespace

void answer_together(std::span<const Piece> pieces, const Limits& limits) {
  Batch(pieces, limits).run();
}

}  // namespace nrs::serve
