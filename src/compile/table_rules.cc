#include "compile/table_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <unordered_set>

namespace nrs::compile {
namespace {

constexpr std::size_t kFewestLeaves = 3;  // that make a rule
constexpr double kMostExceptions = 0.1;   // of the leaves of a rule
constexpr std::size_t kShownExamples = 3;
constexpr std::string_view kNames = "xyzuvwpqrs";

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A leaf as a shape with final texts in its places.
struct Shaped {
  std::string shape;  // a NUL for each place
  std::vector<std::string> parts;
};
struct Case {
  std::vector<std::string> parts;
  std::string leaf;
  std::string value;
  bool covered = false;
};

class Finals {
 public:
  void add(const std::string& text) {
    texts_.insert(text);
    longest_ = std::max(longest_, text.size());
  }

  // `touching`: whether a sign behind a final text may begin another, as in +5*x-3*x.
  Shaped shape(const std::string& leaf, bool touching) const {
    Shaped shaped;
    for (std::size_t at = 0; at < leaf.size();) {
      const bool behind_part = !shaped.shape.empty() && shaped.shape.back() == '\0';
      const bool may_begin = !behind_part || touching || is_alphanumeric(leaf[at]);
      std::size_t size = may_begin ? std::min(longest_, leaf.size() - at) : 0;
      while (size > 0 && !texts_.contains(leaf.substr(at, size))) --size;
      if (size > 0) {
        shaped.parts.push_back(leaf.substr(at, size));
        shaped.shape += '\0';
        at += size;
      } else {
        shaped.shape += leaf[at++];
      }
    }
    return shaped;
  }

 private:
  std::unordered_set<std::string> texts_;
  std::size_t longest_ = 0;
};

// What is said of the parts of a leaf: one is a certain text, or two are the same.
struct Condition {
  std::size_t part = 0;
  std::string text{};
  std::size_t same_as = 0;  // another part, if it is not `part`

  bool any() const { return text.empty() && same_as == part; }
  auto operator<=>(const Condition&) const = default;
};

// The value: a part, or always the same text.
struct Right {
  int part = -1;
  std::string text{};

  bool holds(const Case& one) const {
    return (part >= 0 ? one.parts[static_cast<std::size_t>(part)] : text) == one.value;
  }
  auto operator<=>(const Right&) const = default;
};

class ShapeRules {
 public:
  ShapeRules(std::string shape, std::vector<Case> cases)
      : shape_(std::move(shape)), cases_(std::move(cases)) {}

  void find(std::vector<TableRule>& rules) {
    std::vector<Candidate> candidates = usable();
    while (true) {
      Candidate* best = nullptr;
      for (Candidate& candidate : candidates) {
        count_covered(candidate);
        const std::size_t covered = candidate.rule.covered;
        const std::size_t most = best == nullptr ? 0 : best->rule.covered;
        if (covered > most && covered >= kFewestLeaves) best = &candidate;
      }
      if (best == nullptr) break;
      for (const std::uint32_t i : best->holds) cases_[i].covered = true;
      rules.push_back(best->rule);
    }
    add_rest(rules);
  }

 private:
  // A rule, with the leaves that its condition is about: those that it is right about come first.
  struct Candidate {
    TableRule rule;
    std::vector<std::uint32_t> holds{};
    std::size_t right = 0;
  };

  void count_covered(Candidate& candidate) const {
    candidate.rule.covered = 0;
    for (std::size_t k = 0; k < candidate.right; ++k) {
      candidate.rule.covered += cases_[candidate.holds[k]].covered ? 0 : 1;
    }
  }

  // For each condition the right side that most of its leaves suggest, if few contradict it.
  std::vector<Candidate> usable() const {
    std::map<Condition, std::vector<std::uint32_t>> leaves;
    for (std::uint32_t i = 0; i < cases_.size(); ++i) {
      for (const Condition& condition : conditions(cases_[i])) leaves[condition].push_back(i);
    }
    std::vector<Candidate> candidates;
    for (auto& [condition, holds] : leaves) {
      if (holds.size() < kFewestLeaves) continue;
      std::map<Right, std::size_t> votes;
      for (const std::uint32_t i : holds) {
        for (const Right& right : rights(cases_[i])) ++votes[right];
      }
      const auto [right, count] =
          *std::ranges::max_element(votes, {}, &std::pair<const Right, std::size_t>::second);
      const auto exceptions = static_cast<double>(holds.size() - count);
      if (count < kFewestLeaves || exceptions > kMostExceptions * static_cast<double>(holds.size()))
        continue;
      candidates.push_back(candidate(condition, right, std::move(holds)));
    }
    return candidates;
  }

  static std::vector<Condition> conditions(const Case& one) {
    std::vector<Condition> all = {{}};
    for (std::size_t i = 0; i < one.parts.size(); ++i) {
      all.push_back({.part = i, .text = one.parts[i], .same_as = i});
      for (std::size_t k = i + 1; k < one.parts.size(); ++k) {
        if (one.parts[i] == one.parts[k]) all.push_back({.part = i, .same_as = k});
      }
    }
    return all;
  }

  static std::vector<Right> rights(const Case& one) {
    std::vector<Right> all = {{.text = one.value}};
    for (std::size_t i = 0; i < one.parts.size(); ++i) {
      if (one.parts[i] == one.value) all.push_back({.part = static_cast<int>(i)});
    }
    return all;
  }

  Candidate candidate(const Condition& condition, const Right& right,
                      std::vector<std::uint32_t> holds) const {
    const auto first_exception = std::stable_partition(
        holds.begin(), holds.end(), [&](std::uint32_t i) { return right.holds(cases_[i]); });
    const auto rightly = static_cast<std::size_t>(first_exception - holds.begin());
    const auto exceptions = std::span<const std::uint32_t>(holds).subspan(rightly);
    TableRule rule{.left = spell(condition),
                   .right = right.part < 0 ? right.text
                                           : name(static_cast<std::size_t>(right.part), condition),
                   .leaves = holds.size(),
                   .exceptions = exceptions.size()};
    for (const std::uint32_t i : exceptions) {
      if (rule.some_exceptions.size() == kShownExamples) break;
      rule.some_exceptions.push_back(cases_[i].leaf + " -> " + cases_[i].value);
    }
    return {std::move(rule), std::move(holds), rightly};
  }

  // Variables are named in the order in which they come.
  static std::string name(std::size_t part, const Condition& condition) {
    const bool pair = condition.same_as != condition.part;
    if (pair && part == condition.same_as) part = condition.part;
    if (!pair && !condition.any() && part == condition.part) return condition.text;
    const std::size_t unnamed = pair ? condition.same_as : condition.part;
    if (!condition.any() && part > unnamed) --part;
    return std::string(1, kNames[part % kNames.size()]);
  }

  std::string spell(const Condition& condition) const {
    std::string text;
    std::size_t part = 0;
    for (const char c : shape_) text += c == '\0' ? name(part++, condition) : std::string(1, c);
    return text;
  }

  // A few are told one by one.
  void add_rest(std::vector<TableRule>& rules) const {
    TableRule rest;
    rest.left = spell({});
    std::set<std::string> values;
    for (const Case& one : cases_) {
      ++rest.leaves;
      if (one.covered) continue;
      ++rest.covered;
      values.insert(one.value);
      if (rest.examples.size() < kShownExamples)
        rest.examples.push_back(one.leaf + " -> " + one.value);
    }
    rest.values = values.size();
    if (rest.covered == 0) return;
    if (rest.covered > rest.examples.size()) {
      rules.push_back(std::move(rest));
      return;
    }
    for (const Case& one : cases_) {
      if (!one.covered)
        rules.push_back({.left = one.leaf, .right = one.value, .leaves = 1, .covered = 1});
    }
  }

  std::string shape_;
  std::vector<Case> cases_;
};

std::map<std::string, std::vector<Case>> by_shape(
    const std::vector<std::pair<std::string, std::string>>& steps, const Finals& finals,
    bool touching) {
  std::map<std::string, std::vector<Case>> shapes;
  for (const auto& [leaf, value] : steps) {
    Shaped shaped = finals.shape(leaf, touching);
    shapes[shaped.shape].push_back({std::move(shaped.parts), leaf, value});
  }
  return shapes;
}

}  // namespace

std::vector<TableRule> rules_of(const runtime::LeafTable& table) {
  const auto texts = model::LeafGuard(table.parts().leaves).texts(table.size());
  Finals finals;
  std::vector<std::pair<std::string, std::string>> steps;
  for (const std::string& leaf : *texts) {
    std::string_view copied;
    const runtime::TableValue* const value = table.find(leaf, copied);
    if (value->omega) {
      finals.add(leaf);
    } else {
      steps.emplace_back(leaf, value->text + std::string(copied));
    }
  }
  std::map<std::string, std::vector<Case>> shapes = by_shape(steps, finals, false);
  std::map<std::string, std::vector<Case>> touching = by_shape(steps, finals, true);
  if (touching.size() < shapes.size()) shapes.swap(touching);
  std::vector<TableRule> rules;
  for (auto& [shape, cases] : shapes) ShapeRules(shape, std::move(cases)).find(rules);
  return rules;
}

std::string to_text(const std::vector<TableRule>& rules) {
  std::size_t width = 0;
  for (const TableRule& rule : rules) {
    width = std::max(width, rule.left.size() + (rule.right.empty() ? 9 : rule.right.size() + 4));
  }
  width = std::min<std::size_t>(width, 40);
  std::string text;
  for (const TableRule& rule : rules) {
    const bool computed = rule.right.empty();
    text += fmt::format("{:<{}}  # {} {}",
                        computed ? rule.left + " computed" : rule.left + " -> " + rule.right, width,
                        computed ? rule.covered : rule.leaves,
                        (computed ? rule.covered : rule.leaves) == 1 ? "leaf" : "leaves");
    if (computed)
      text += fmt::format(", {} values: {}", rule.values, fmt::join(rule.examples, ", "));
    if (rule.exceptions > 0) {
      text += fmt::format("; {} exception{}: {}", rule.exceptions, rule.exceptions == 1 ? "" : "s",
                          fmt::join(rule.some_exceptions, ", "));
    }
    text += '\n';
  }
  return text;
}

}  // namespace nrs::compile
