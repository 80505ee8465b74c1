#pragma once
// The state of one formula on its way through the NRS: one leaf is written, found and rewritten at
// a time. The engine carries its questions to the modules, so that these see many at once.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "nrs/modules.h"
#include "nrs/rewriter.h"

namespace nrs::rewrite {

class LeafDerivation {
 public:
  LeafDerivation(std::unique_ptr<LeafWriter::Draft> draft, const RunOptions& options);

  bool running() const { return running_; }

  // First question of a step, to the writer.
  LeafWriter::Draft* draft() const { return draft_.get(); }
  void written(std::vector<LeafCandidate> candidates);

  // Second question, to the Solver.
  const std::string& question() const { return candidates_.front().text; }
  // Rewrites, or stops with a reason.
  void solved(const Solution& solution);

  Result finish() &&;

 private:
  void stop(Stop reason);
  void record(const Solution& solution, bool applied);
  bool came_back(std::size_t size_before);

  RunOptions options_;
  std::size_t max_steps_;
  std::unique_ptr<LeafWriter::Draft> draft_;
  bool running_ = true;
  Result result_;
  std::vector<LeafCandidate> candidates_;   // of this step, best first
  std::unordered_set<std::uint64_t> seen_;  // hashes of formulas
};

}  // namespace nrs::rewrite
