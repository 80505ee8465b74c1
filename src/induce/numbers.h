#pragma once
// Steps whose results are computed: plus(15,5) -> 20 generalises to nothing, because no part of the
// result stands on the left.
//
// While rules are learned, a number n is the term #(n) (mark_numbers), so that a variable under #
// stands for numbers only: such rules come out of the same search as all others. Steps that differ
// in nothing but numbers and have results that are neither the same nor copied are taken out before
// (take_computed): they are one rule with computed places, and questions with answers.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "induce/learn.h"
#include "term/number_rule.h"

namespace nrs::induce {

struct TaughtAnswer {
  std::string answer;
  std::uint32_t times = 0;  // in how many steps
};

struct LearnedNumberRule {
  term::NumberRule rule;
  LearnedRule support;  // all but its rule
  // What was asked (numbers in the order of the left side) and answered; empty if nothing is
  // computed.
  std::map<std::vector<std::string>, TaughtAnswer> answers{};
};

// What was learned from a file of chains.
struct LearnedSystem {
  Learned learned;  // without rules about numbers
  std::vector<LearnedNumberRule> number_rules;
};

// Whether there are so many different numbers that they are data, not symbols. If so, every number
// in the chains is marked from now on.
bool mark_numbers(ChainFile& file);

// Takes the computed steps out of chains with marked numbers: a chain is cut in two where one was,
// and some of the steps stay as chains that are explained.
std::vector<LearnedNumberRule> take_computed(Terms& terms, std::vector<Chain>& chains);

// All of it: the rules, those about numbers, and what has to be computed.
LearnedSystem learn_system(ChainFile& file, const LearnOptions& options = {});

// Good and Turing's estimate of how likely the next question is a new one: the fraction of all that
// were met once.
double share_of_new_questions(const std::vector<LearnedNumberRule>& rules);

}  // namespace nrs::induce
