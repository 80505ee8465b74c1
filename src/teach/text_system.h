#pragma once
// A text system learned from examples.
//
//   const TextSystem system = learn_text(file.examples, {});
//
// Leaves are found by patterns, which are read off the examples. Their values are a table; where
// the table is a sample of very many, `pairs` are what a Solver can be trained on.
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "examples/examples.h"
#include "teach/draft.h"
#include "text/patterns.h"

namespace nrs::teach {

struct TextOptions {
  std::function<void(const std::string&)> progress{};
  Solve solve{};  // values of leaves that no example shows; may say nothing
};

// How much of the examples a pattern explains.
struct PatternSupport {
  std::uint64_t rewrites = 0;
  std::uint64_t leaves = 0;          // different ones
  std::vector<std::uint32_t> lines;  // the first few
};

struct TextSystem {
  text::PatternSet patterns;
  // The value that most examples give to a leaf, and how often it was met; as the lexer spells
  // them.
  struct Known {
    std::string value;
    std::uint64_t times = 0;
    bool sure = true;  // false: one wrong example would be enough to make it wrong
  };
  std::map<std::string, Known> table;
  std::vector<PatternSupport> support;        // one for each pattern
  std::vector<examples::BadLine> suspicious;  // worst first
  std::uint64_t steps = 0;                    // that were read
  std::uint64_t explained = 0;  // of these; of answers: questions that it answers right
  // The share of leaves that will be met and are not in the table, as far as can be told: that of
  // leaves that were met only once; and how many these were.
  double unseen = 0;
  std::uint64_t once = 0;
  bool erases = false;  // a value is empty

  // Whether the table is all there is: long questions have hundreds of leaves.
  bool closed() const { return unseen < 0.0005 || once < 20; }
};

// From steps. Throws Error (input) if nothing in them looks like a rewriting system.
TextSystem learn_from_steps(std::span<const examples::Example> examples,
                            const TextOptions& options);
// From questions and answers only.
TextSystem learn_from_answers(std::span<const examples::Example> examples,
                              const TextOptions& options);

}  // namespace nrs::teach
