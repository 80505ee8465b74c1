#pragma once
// Runs a program: normal forms of terms, innermost, with limits.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "rewrite/rules/code.h"
#include "rewrite/rules/heap.h"
#include "rewrite/rules/program.h"

namespace nrs::rewrite::rules {

struct MachineLimits {
  std::size_t max_steps = std::numeric_limits<std::size_t>::max();
  // For terms and for pending calls, each.
  std::size_t max_bytes = std::numeric_limits<std::uint32_t>::max();
  std::size_t first_bytes = std::size_t{1} << 22;  // taken at the start
};

// How a run ended.
enum class Ended { kNormalForm, kStepLimit, kMemoryLimit };

// Not thread-safe: each thread has a machine of its own, for the same program.
class Machine {
 public:
  // The program must outlive the machine.
  Machine(const Program& program, MachineLimits limits);

  // The normal form of a term in `terms`, as a term of the same store; nothing if a limit was
  // reached. Symbols that the program does not know are free.
  std::optional<term::Term> normal_form(term::Terms& terms, term::Term term);

  void set_max_steps(std::size_t steps) { limits_.max_steps = steps; }
  Ended ended() const { return ended_; }
  // Rules applied in the last run.
  std::size_t steps() const { return steps_; }

 private:
  // A call that waits for its value.
  struct Frame {
    std::uint32_t place;   // where it goes on
    std::uint32_t target;  // register for the value
    std::uint32_t size;    // registers of the caller
  };

  void learn_symbols(const term::Terms& terms);
  void evaluate_all(const term::Terms& terms, std::span<const term::Term> parts);
  Value apply(std::uint32_t symbol, std::span<const Value> args);
  Value make_node(std::uint32_t symbol, std::span<const Value> args);
  Value run(std::uint32_t entry, std::span<const Value> args);
  void collect(std::size_t base, std::uint32_t live, std::size_t words);
  Value* grow_stack(std::size_t base, std::size_t count);
  void push_frame(const Frame& frame);
  term::Term read_back(term::Terms& terms);

  const Program& program_;
  MachineLimits limits_;
  std::vector<std::uint32_t> arities_;
  Heap heap_;
  Code code_;
  std::vector<Value> stack_;  // registers of all pending calls
  std::size_t pending_ = 0;   // calls in frames_
  std::vector<Frame> frames_;
  std::vector<Value> moved_;  // arguments of a call that replaces its caller
  std::vector<Value> roots_;  // normal forms of parts of the term
  std::size_t steps_left_ = 0;
  std::size_t steps_ = 0;
  Ended ended_ = Ended::kNormalForm;
};

}  // namespace nrs::rewrite::rules
