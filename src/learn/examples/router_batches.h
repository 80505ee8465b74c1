#pragma once
// Turns whole formulas into the columns that a Neural Data Router reads and the targets of those
// that its answer is read from.
#include <cstdint>
#include <vector>

#include "learn/examples/whole_source.h"
#include "model/tokenizer.h"
#include "nn/packing.h"
#include "nn/router_config.h"

namespace nrs {

struct RouterBatch {
  TokenRows columns;                  // N
  Packing answers;                    // rows of the next two
  std::vector<std::int32_t> read;     // [M] which columns the answers are read from
  std::vector<std::int32_t> targets;  // [M] tokens of the value, then end symbols
};

class RouterBatcher {
 public:
  RouterBatcher(const RouterConfig& config, Tokenizer input, Tokenizer output);

  // Throws Error (input) if the value has more tokens than are read.
  void add(const WholeExample& example, RouterBatch& batch) const;
  const Tokenizer& input() const { return input_; }
  const Tokenizer& output() const { return output_; }

 private:
  RouterConfig config_;
  Tokenizer input_, output_;
};

// Consecutive rows, about equally many columns in each part; a part may be empty.
std::vector<RouterBatch> split(const RouterBatch& batch, int parts);

}  // namespace nrs
