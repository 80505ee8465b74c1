#pragma once
// What was learned, written down.
#include <string>
#include <vector>

#include "induce/learn.h"
#include "induce/numbers.h"

namespace nrs::induce {

// The rules in our own text form (docs/rule-files.md), each with a comment that says how many steps
// it explains and where; guesses come with the question that would decide, suspicious lines last.
// Rules about numbers are comments, because no rule file can say them.
std::string to_text(const ChainFile& file, const Learned& learned,
                    const std::vector<LearnedNumberRule>& number_rules = {});

// The same as one JSON object.
std::string to_json(const ChainFile& file, const Learned& learned,
                    const std::vector<LearnedNumberRule>& number_rules = {});

// "leftmost-innermost", "innermost", "any order"
std::string strategy_name(Strategy strategy);

}  // namespace nrs::induce
