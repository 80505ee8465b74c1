#pragma once
// The examples of a large file that a model was not taught: they are only checked.
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "examples/examples.h"
#include "examples/sampler.h"
#include "nrs/rewriter.h"
#include "taught/replay.h"

namespace nrs::taught {

struct Rest {
  LengthScore score{};
  std::vector<examples::BadLine> wrong{};    // the first of them
  std::vector<examples::Example> refused{};  // short ones first; as many as there is room for
};

class RestChecker {
 public:
  // `known` are the examples that the model was taught. `rewriter` must outlive this.
  RestChecker(const Rewriter& rewriter, std::span<const examples::Example> known,
              std::size_t most_bytes, const ReplayOptions& options);

  void take(examples::Example&& example);
  Rest result();

 private:
  void check_waiting();

  const Rewriter& rewriter_;
  ReplayOptions options_;
  std::unordered_set<std::uint64_t> known_;  // their questions
  examples::Sampler refused_;
  std::vector<examples::Example> waiting_;
  Rest rest_;
};

}  // namespace nrs::taught
