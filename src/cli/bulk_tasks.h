#pragma once
// nrs bulk plan and nrs bulk run.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bulk/plan.h"
#include "bulk/submit.h"
#include "cli/answering.h"

namespace nrs::cli {

struct BulkPlanOptions {
  std::vector<std::string> inputs;
  std::string folder;
  std::uint64_t shard_lines = 100'000;
  bool commands = false;
  std::string submit;
  bulk::Submission submission;
  AnsweringOptions answering;
};

// `verb` knows which of the options were given.
int plan_bulk(const CLI::App& verb, const BulkPlanOptions& options);

// The answering options of a plan, as they were given. Throws Error.
AnsweringOptions answering_of(const bulk::Plan& plan);
// What answers, as it is now; nothing for exact rules.
std::optional<bulk::Source> source_of(const AnsweringOptions& options,
                                      const service::Answerer& answerer);

struct BulkRunOptions {
  std::string folder;
  std::vector<std::string> tasks;
  bool all = false;
  std::size_t every = 0;  // 0: only the tasks themselves
  int jobs = 0;           // 0: as many as fit
};

int run_bulk(const BulkRunOptions& options);

}  // namespace nrs::cli
