#pragma once
// A Solver with the weights of a model.
#include <array>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/networks.h"
#include "nrs/modules.h"
#include "runtime/pool.h"
#include "runtime/seq2seq.h"

namespace nrs::runtime {

// Leaves that have been solved before: a formula's leaves repeat, and a Solver is a function.
// Bounded: a part that is full is emptied. Thread-safe.
class SolutionTable {
 public:
  // Remembers about this many leaves at most; 0: none.
  explicit SolutionTable(std::size_t capacity) : part_capacity_(capacity / kParts) {}

  std::optional<Solution> find(std::string_view leaf) const {
    const Part& part = parts_[part_of(leaf)];
    const std::lock_guard lock(part.mutex);
    const auto found = part.solutions.find(leaf);
    return found == part.solutions.end() ? std::nullopt : std::optional(found->second);
  }
  void add(std::string_view leaf, const Solution& solution) {
    if (part_capacity_ == 0) return;
    Part& part = parts_[part_of(leaf)];
    const std::lock_guard lock(part.mutex);
    if (part.solutions.size() >= part_capacity_) part.solutions.clear();
    part.solutions.emplace(leaf, solution);
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  struct Part {
    mutable std::mutex mutex;
    std::unordered_map<std::string, Solution, Hash, std::equal_to<>> solutions;
  };
  static constexpr std::size_t kParts = 16;
  static std::size_t part_of(std::string_view leaf) { return Hash()(leaf) / 7 % kParts; }

  std::size_t part_capacity_;
  std::array<Part, kParts> parts_;
};

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

  std::vector<Solution> solve(std::span<const std::string_view> leaves) const override;

  // From which the labels of label positions are drawn: the same leaf has the same labels.
  static std::uint64_t label_seed(std::string_view leaf);
  // For tests and benchmarks.
  const Seq2Seq& network() const { return network_; }

 private:
  struct Scratch {
    model::Tokens tokens;
    Seq2Seq::Scratch network;
  };
  // Leaves that are solved together. Each is distinct.
  void solve_batch(std::span<const std::string_view> leaves, std::span<Solution> solutions) const;

  const model::SolverModel& model_;
  SolverOptions options_;
  Seq2Seq network_;
  std::size_t batch_leaves_;
  mutable SolutionTable table_;
  mutable Pool<Scratch> scratches_;
};

}  // namespace nrs::runtime
