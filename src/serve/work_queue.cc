#include "serve/work_queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/clock.h"
#include "base/threads.h"

namespace nrs::serve {
namespace {

// Formulas that a thread takes at a time: more fill the matrix products no better, and a large
// request leaves room for small ones in between.
constexpr std::size_t kMost = 64;
// Requests for other models that are looked past to find more for this one.
constexpr std::size_t kPassed = 1024;

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

}  // namespace

// A request, until its last piece has been answered.
struct WorkQueue::Ticket {
  Work work{};
  WorkEnd result{};
  std::mutex mutex{};  // of `result`
  std::atomic<std::size_t> pieces = 0;
  std::atomic<bool> begun = false;
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
};

struct WorkQueue::Piece {
  std::shared_ptr<Ticket> ticket;
  std::size_t from;
  std::size_t count;

  // Whether one run of a model can answer both.
  bool like(const Piece& other) const {
    const Work& a = ticket->work;
    const Work& b = other.ticket->work;
    return a.model == b.model && a.trace == b.trace && a.max_steps == b.max_steps;
  }
};

WorkQueue::WorkQueue(const Limits& limits, int threads) : limits_(limits) {
  for (int i = 0; i < thread_count(threads); ++i) threads_.emplace_back([this] { run(); });
}

WorkQueue::~WorkQueue() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  more_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool WorkQueue::add(Work work) {
  const std::size_t count = work.answers.size();
  auto ticket = std::make_shared<Ticket>();
  ticket->work = std::move(work);
  ticket->result.answers.resize(count);
  ticket->pieces = std::max<std::size_t>(1, (count + kMost - 1) / kMost);
  {
    const std::lock_guard lock(mutex_);
    if (formulas_ + count > limits_.queued_formulas) return false;
    formulas_ += count;
    for (std::size_t i = 0; i < ticket->pieces; ++i) {
      waiting_.push_back({ticket, i * kMost, std::min(kMost, count - i * kMost)});
    }
  }
  ticket->pieces > 1 ? more_.notify_all() : more_.notify_one();
  return true;
}

void WorkQueue::run() {
  for (;;) {
    std::vector<Piece> pieces = take();
    if (pieces.empty()) return;
    work_on(std::move(pieces));
  }
}

// The piece that has waited longest, and others like it. Nothing: the end.
std::vector<WorkQueue::Piece> WorkQueue::take() {
  std::unique_lock lock(mutex_);
  more_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
  std::vector<Piece> taken;
  std::size_t count = 0;
  std::size_t passed = 0;
  for (auto piece = waiting_.begin();
       piece != waiting_.end() && count < kMost && passed < kPassed;) {
    if (taken.empty() || (taken.front().like(*piece) && count + piece->count <= kMost)) {
      count += piece->count;
      taken.push_back(std::move(*piece));
      piece = waiting_.erase(piece);
    } else {
      ++piece;
      ++passed;
    }
  }
  return taken;
}

void WorkQueue::work_on(std::vector<Piece> pieces) {
  std::vector<Piece> wanted;
  for (Piece& piece : pieces) {
    Ticket& ticket = *piece.ticket;
    const bool late = !ticket.begun && seconds_since(ticket.since) > limits_.queue_seconds;
    if (late) {
      const std::lock_guard lock(ticket.mutex);
      ticket.result.late = true;
    }
    if (late || ticket.work.abandoned()) {
      end(piece);
    } else {
      ticket.begun = true;
      wanted.push_back(std::move(piece));
    }
  }
  if (!wanted.empty()) answer(wanted.front().ticket->work, wanted);
}

void WorkQueue::answer(const Work& like, std::vector<Piece>& pieces) {
  std::vector<service::Answer> batch;
  for (Piece& piece : pieces) {
    const auto first = piece.ticket->work.answers.begin() + static_cast<std::ptrdiff_t>(piece.from);
    std::move(first, first + static_cast<std::ptrdiff_t>(piece.count), std::back_inserter(batch));
  }
  std::vector<std::string> lines(batch.size());
  service::Style style{.trace = like.trace};
  const auto show = [&](const service::Answer& answer) {
    const bool too_long = like.trace && !answer.error && trace_bytes(answer) > limits_.trace_bytes;
    service::Answer refused{.text = answer.text};
    if (too_long) {
      service::fail(refused, Error(ErrorKind::kInput, "the trace of this formula is too long",
                                   "ask without \"trace\", or for fewer steps"));
    }
    lines[static_cast<std::size_t>(&answer - batch.data())] =
        service::to_json(too_long ? refused : answer, style);
    return std::string();
  };
  try {
    const service::Answerer& answerer = like.model->answerer();
    style.threshold = answerer.threshold();
    answerer.answer(batch, 1, show, {.max_steps = like.max_steps, .keep_rounds = like.trace});
  } catch (const Error& error) {
    for (service::Answer& answer : batch) {
      answer.error = error;
      show(answer);
    }
  }
  std::size_t next = 0;
  for (Piece& piece : pieces) {
    {
      const std::lock_guard lock(piece.ticket->mutex);
      WorkEnd& result = piece.ticket->result;
      for (std::size_t i = 0; i < piece.count; ++i, ++next) {
        const service::Answer& answer = batch[next];
        ++result.outcomes[answer.error ? "error" : std::string(name_of(answer.result.stop))];
        result.answers[piece.from + i] = std::move(lines[next]);
      }
    }
    end(piece);
  }
}

void WorkQueue::end(Piece& piece) {
  formulas_ -= piece.count;
  Ticket& ticket = *piece.ticket;
  if (--ticket.pieces == 0) ticket.work.finish(std::move(ticket.result));
  piece.ticket.reset();
}

}  // namespace nrs::serve
