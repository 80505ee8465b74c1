#pragma once
// A Solver with the weights of a model.
#include <span>
#include <string_view>
#include <vector>

#include "model/networks.h"
#include "nn/decoder.h"
#include "nn/encoder.h"
#include "nrs/modules.h"
#include "runtime/pool.h"
#include "runtime/solution_table.h"

namespace nrs::runtime {

struct SolverOptions {
  std::size_t remembered = std::size_t{1} << 16;  // leaves; 0: none
  int threads = 1;                                // for one call of solve()
};

// Writes the likeliest symbol each time. A leaf that the model's guard does not accept is not
// known: the network is not asked. A leaf that it cannot read or whose value does not end gets an
// empty value of log-probability -infinity. Law: the same leaf has the same solution, to the bit,
// whatever is asked before and beside it.
class ModelSolver : public Solver {
 public:
  // `model` must outlive this and have passed check_model().
  explicit ModelSolver(const model::SolverModel& model, SolverOptions options = {});
  ModelSolver(model::SolverModel&&, SolverOptions = {}) = delete;
  ~ModelSolver() override;

  std::vector<Solution> solve(std::span<const std::string_view> leaves) const override;

  // From which the labels of label positions are drawn: the same leaf has the same labels.
  static std::uint64_t label_seed(std::string_view leaf);
  // The two networks, for tests and benchmarks.
  const nn::Encoder& encoder() const { return encoder_; }
  const nn::Decoder& decoder() const { return decoder_; }

 private:
  struct Scratch;
  // Leaves that are solved together. Each is distinct.
  void solve_batch(std::span<const std::string_view> leaves, std::span<Solution> solutions) const;

  const model::SolverModel& model_;
  SolverOptions options_;
  nn::Encoder encoder_;
  nn::Decoder decoder_;
  std::size_t batch_leaves_;
  mutable SolutionTable table_;
  mutable Pool<Scratch> scratches_;
};

}  // namespace nrs::runtime
