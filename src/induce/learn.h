#pragma once
// Rules with variables from worked examples.
//
//   ChainFile file = read_chains("derivatives.chains");
//   const Learned learned = learn_rules(file.terms, file.chains);
//
// A rule is the least general generalisation of steps, kept if it explains many of them and nothing
// speaks against it: no normal form that it would rewrite, no result with another normal form. The
// same chains and the same seed give the same rules.
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "induce/chain.h"
#include "induce/evidence.h"

namespace nrs::induce {

struct LearnOptions {
  std::uint64_t seed = 1;
  // Called now and then with a few words on what is being done.
  std::function<void(const std::string&)> progress{};
};

struct LearnedRule {
  Pair rule;
  std::uint64_t steps = 0;           // that it explains
  std::uint64_t redexes = 0;         // different ones among them
  std::vector<std::uint32_t> lines;  // of the file, in which it does
  bool guess = false;                // too few different redexes to be sure
  std::optional<Term> question{};    // of a guess: the term that would decide
};

struct Learned {
  std::vector<LearnedRule> rules;  // those that explain most first
  Strategy strategy = Strategy::kAny;
  std::uint64_t steps = 0;
  // Lines that do not follow the rules. Nothing was learned from them.
  std::vector<BadLine> suspicious;
};

Learned learn_rules(Terms& terms, std::span<const Chain> chains, const LearnOptions& options = {});

}  // namespace nrs::induce
