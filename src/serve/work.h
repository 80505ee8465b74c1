#pragma once
// What a request wants to have answered, and the pieces in which that is done.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "serve/answer_form.h"
#include "serve/model_store.h"
#include "serve/text_list.h"

namespace nrs::serve {

// What has become of the formulas of a request.
struct WorkEnd {
  bool late = false;   // work had not begun in time: there are no answers
  std::string body{};  // the answers in their form, in the order of the formulas
  std::map<std::string, std::size_t> outcomes{};  // stop reasons, or "error", with their counts
};

struct Work {
  std::shared_ptr<const ServedModel> model{};
  TextList formulas{};
  AnswerForm form = AnswerForm::kList;
  bool trace = false;
  std::size_t max_steps = 0;
  std::function<bool()> abandoned{};      // nobody wants the answers any longer
  std::function<void(WorkEnd)> finish{};  // called once, by a thread of the queue
};

// A request, until its last piece has been answered.
struct Ticket {
  Work work{};
  WorkEnd result{};
  std::mutex mutex{};                // of `result`
  std::vector<std::string> texts{};  // of the answers of each piece
  std::atomic<std::size_t> pieces = 0;
  std::atomic<bool> begun = false;
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
};

struct Piece {
  std::shared_ptr<Ticket> ticket;
  std::size_t number;  // among those of the request
  std::size_t from;
  std::size_t count;

  std::string_view formula(std::size_t i) const { return ticket->work.formulas[from + i]; }
  // Whether one run of a model can answer both.
  bool like(const Piece& other) const {
    const Work& a = ticket->work;
    const Work& b = other.ticket->work;
    return a.model == b.model && a.trace == b.trace && a.max_steps == b.max_steps;
  }
};

}  // namespace nrs::serve
