#pragma once
// Does one task: answers the formulas of a shard, or runs a command.
#include <cstddef>
#include <functional>

#include "bulk/plan.h"
#include "bulk/record.h"
#include "service/answerer.h"

namespace nrs::bulk {

// For shards what answers them and shows the answers. The others may be empty.
struct RunnerOptions {
  const service::Answerer* answerer = nullptr;
  service::Answerer::Show show{};
  std::function<void(const service::Answer&)> on_trouble{};  // an error, or no normal form
  std::function<void(const std::string&)> on_errors{};  // what a command wrote to standard error
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
  TaskRunner(const Plan& plan, const PlanFiles& files, RunnerOptions options)
      : plan_(plan), files_(files), options_(std::move(options)) {}

  TaskEnd run(std::size_t task, int threads) const;

 private:
  bool make(std::size_t task, int threads) const;
  Record answer_shard(std::size_t task, int threads) const;
  std::optional<Record> run_command(std::size_t task) const;

  const Plan& plan_;
  const PlanFiles& files_;
  RunnerOptions options_;
};

}  // namespace nrs::bulk
