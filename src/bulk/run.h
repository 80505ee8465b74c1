#pragma once
// Does one task: answers the formulas of a shard, or runs a command.
#include <cstddef>
#include <functional>

#include "bulk/plan.h"
#include "bulk/record.h"
#include "service/answerer.h"

namespace nrs::bulk {

struct Answering {
  const service::Answerer* answerer = nullptr;
  service::Answerer::Show show{};
  // Told of each answer that is an error, or no normal form.
  std::function<void(const service::Answer&)> on_trouble{};
};

enum class TaskEnd {
  kDone,
  kBefore,       // it was done already
  kTaken,        // somebody else is doing it
  kInterrupted,  // a command was told to stop
};

// The output appears under its name when it is complete. Whatever a runner that was killed has left
// behind is removed. Throws Error if the task fails, and then the failure is written down, too.
class TaskRunner {
 public:
  TaskRunner(const Plan& plan, const PlanFiles& files, Answering answering)
      : plan_(plan), files_(files), answering_(std::move(answering)) {}

  TaskEnd run(std::size_t task, int threads) const;

 private:
  bool make(std::size_t task, int threads) const;
  Record answer_shard(std::size_t task, int threads) const;
  std::optional<Record> run_command(std::size_t task) const;

  const Plan& plan_;
  const PlanFiles& files_;
  Answering answering_;
};

}  // namespace nrs::bulk
