#include "induce/pattern.h"

#include <algorithm>

#include "term/match.h"

namespace nrs::induce {

Pattern::Pattern(const Terms& terms, const Pair& rule) : terms_(terms), rule_(rule) {
  slots_.resize(1);
  compile(rule.left, 0, left_);
  right_slot_ = static_cast<std::uint32_t>(slots_.size());
  slots_.resize(slots_.size() + 1);
  compile(rule.right, right_slot_, right_);
}

void Pattern::compile(Term side, std::uint32_t slot, std::vector<Test>& tests) {
  std::vector<std::pair<Term, std::uint32_t>> open{{side, slot}};
  for (std::size_t next = 0; next < open.size(); ++next) {  // breadth first: cheap tests first
    const auto [part, at] = open[next];
    if (terms_.ground(part)) {
      tests.push_back({Kind::kSame, at, term::number(part), 0});
    } else if (terms_.is_variable(part)) {
      const Symbol name = terms_.symbol(part);
      const auto found = std::find_if(variables_.begin(), variables_.end(),
                                      [&](const auto& known) { return known.first == name; });
      if (found == variables_.end()) {
        variables_.emplace_back(name, at);
      } else {
        tests.push_back({Kind::kBound, at, found->second, 0});
      }
    } else {
      const auto first = static_cast<std::uint32_t>(slots_.size());
      tests.push_back({Kind::kSymbol, at, term::number(terms_.symbol(part)), first});
      const std::span<const Term> args = terms_.args(part);
      slots_.resize(slots_.size() + args.size());
      for (std::uint32_t i = 0; i < args.size(); ++i) open.emplace_back(args[i], first + i);
    }
  }
}

bool Pattern::run(const std::vector<Test>& tests) {
  for (const Test& test : tests) {
    const Term at = slots_[test.slot];
    switch (test.kind) {
      case Kind::kSame:
        if (term::number(at) != test.value) return false;
        break;
      case Kind::kBound:
        if (at != slots_[test.value]) return false;
        break;
      case Kind::kSymbol: {
        if (term::number(terms_.symbol(at)) != test.value) return false;
        const std::span<const Term> args = terms_.args(at);
        std::copy(args.begin(), args.end(), slots_.begin() + test.first);
      }
    }
  }
  return true;
}

bool Pattern::matches(Term subject) {
  slots_[0] = subject;
  return run(left_);
}

bool Pattern::gives(Term result) {
  slots_[right_slot_] = result;
  return run(right_);
}

Term Pattern::result(Terms& terms) const {
  term::Substitution substitution;
  for (const auto& [name, slot] : variables_) substitution.bind(name, slots_[slot]);
  return term::instantiate(terms, rule_.right, substitution);
}

}  // namespace nrs::induce
