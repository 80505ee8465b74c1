#include "serve/work_queue.h"

#include <algorithm>
#include <utility>

#include "base/status_line.h"
#include "base/threads.h"
#include "serve/work_batch.h"

namespace nrs::serve {
namespace {

// Formulas that a thread takes at a time. Networks fill their matrix products with a few, and a
// large request leaves room for small ones in between; a model that is done sooner than a thread is
// woken takes more.
constexpr std::size_t kLeast = 64;
constexpr std::size_t kMost = 1024;
constexpr double kPieceSeconds = 0.002;
// Requests for other models that are looked past to find more for this one.
constexpr std::size_t kPassed = 1024;

std::size_t piece_size(const ServedModel& model) {
  const double pace = model.seconds_each();
  if (pace <= 0) return kLeast;
  return static_cast<std::size_t>(std::clamp<double>(kPieceSeconds / pace, kLeast, kMost));
}

std::string body_of(const Ticket& ticket) {
  const Work& work = ticket.work;
  std::string body = begin_answers(work.form, work.model->name());
  std::size_t size = body.size() + 8;  // the end
  for (const std::string& text : ticket.texts) size += text.size();
  body.reserve(size);
  for (const std::string& text : ticket.texts) body += text;
  end_answers(work.form, body);
  return body;
}

}  // namespace

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
  const std::size_t count = work.formulas.size();
  const std::size_t size = piece_size(*work.model);
  auto ticket = std::make_shared<Ticket>();
  ticket->work = std::move(work);
  const std::size_t pieces = std::max<std::size_t>(1, (count + size - 1) / size);
  ticket->pieces = pieces;
  ticket->texts.resize(pieces);
  {
    const std::lock_guard lock(mutex_);
    if (formulas_ + count > limits_.queued_formulas) return false;
    formulas_ += count;
    for (std::size_t i = 0; i < pieces; ++i) {
      waiting_.push_back({ticket, i, i * size, std::min(size, count - i * size)});
    }
  }
  pieces > 1 ? more_.notify_all() : more_.notify_one();
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
std::vector<Piece> WorkQueue::take() {
  std::unique_lock lock(mutex_);
  more_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
  std::vector<Piece> taken;
  if (waiting_.empty()) return taken;
  const std::size_t most = piece_size(*waiting_.front().ticket->work.model);
  std::size_t count = 0;
  std::size_t passed = 0;
  for (auto piece = waiting_.begin();
       piece != waiting_.end() && count < most && passed < kPassed;) {
    if (taken.empty() || (taken.front().like(*piece) && count + piece->count <= most)) {
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
  if (!wanted.empty()) answer(wanted);
}

void WorkQueue::answer(std::vector<Piece>& pieces) {
  answer_together(pieces, limits_);
  for (Piece& piece : pieces) end(piece);
}

void WorkQueue::end(Piece& piece) {
  formulas_ -= piece.count;
  Ticket& ticket = *piece.ticket;
  if (--ticket.pieces == 0) {
    if (!ticket.result.late) ticket.result.body = body_of(ticket);
    ticket.work.finish(std::move(ticket.result));
  }
  piece.ticket.reset();
}

}  // namespace nrs::serve
