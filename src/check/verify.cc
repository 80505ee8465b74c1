#include "check/verify.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <vector>

namespace nrs::check {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostDepth = 500;
constexpr int kMostRewrites = 200'000;

// A claim that does not hold.
struct Refuted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Tree {
  std::string name;  // of a function symbol with its arity, "plus/2"; of a variable without
  bool variable = false;
  std::vector<Tree> args{};
  bool operator==(const Tree&) const = default;
};
using Bindings = std::map<std::string, Tree>;
struct TreeRule {
  Tree left;
  Tree right;
};

Tree tree_of(const term::Terms& terms, term::Term term) {
  Tree tree;
  tree.variable = terms.is_variable(term);
  tree.name = terms.name(terms.symbol(term));
  if (!tree.variable) tree.name.append("/").append(std::to_string(terms.args(term).size()));
  for (const term::Term arg : terms.args(term)) tree.args.push_back(tree_of(terms, arg));
  return tree;
}

bool contains_variable(const Tree& tree, const std::string& name) {
  if (tree.variable) return tree.name == name;
  return std::any_of(tree.args.begin(), tree.args.end(),
                     [&](const Tree& arg) { return contains_variable(arg, name); });
}

void count_symbols(const Tree& tree, std::map<std::string, long>& count) {
  ++count[(tree.variable ? "?" : "") + tree.name];
  for (const Tree& arg : tree.args) count_symbols(arg, count);
}

// --- the three orders ---------------------------------------------------------------------------

class PathCheck {
 public:
  explicit PathCheck(const Json& json) : level_(json.at("level")), status_(json.at("status")) {}

  bool greater(const Tree& s, const Tree& t) const {
    if (s.variable) return false;
    for (const Tree& arg : s.args) {
      if (arg == t || greater(arg, t)) return true;
    }
    if (t.variable) return false;
    const long f = level_.at(s.name).get<long>();
    const long g = level_.at(t.name).get<long>();
    if (f < g) return false;
    for (const Tree& arg : t.args) {
      if (!greater(s, arg)) return false;
    }
    return f > g || (status_.at(s.name) == status_.at(t.name) && greater_lists(s, t));
  }

 private:
  bool greater_lists(const Tree& s, const Tree& t) const {
    std::vector<Tree> a = s.args;
    std::vector<Tree> b = t.args;
    const std::string status = status_.at(s.name).get<std::string>();
    if (status == "multiset") return greater_bags(a, b);
    if (status == "right") {
      std::reverse(a.begin(), a.end());
      std::reverse(b.begin(), b.end());
    } else if (status != "left") {
      throw Refuted("unknown status " + status);
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (i == b.size()) return true;
      if (!(a[i] == b[i])) return greater(a[i], b[i]);
    }
    return false;
  }

  bool greater_bags(std::vector<Tree> a, std::vector<Tree> b) const {
    for (auto x = a.begin(); x != a.end();) {
      const auto same = std::find(b.begin(), b.end(), *x);
      if (same == b.end()) {
        ++x;
      } else {
        b.erase(same);
        x = a.erase(x);
      }
    }
    if (a.empty()) return false;
    for (const Tree& y : b) {
      if (std::none_of(a.begin(), a.end(), [&](const Tree& x) { return greater(x, y); }))
        return false;
    }
    return true;
  }

  const Json& level_;
  const Json& status_;
};

class WeightCheck {
 public:
  explicit WeightCheck(const Json& json)
      : variable_(json.at("variable_weight").get<long>()),
        weight_(json.at("weight")),
        level_(json.at("level")) {
    if (variable_ < 1) throw Refuted("variables must have a weight");
    std::set<long> levels;
    long highest = 0;
    for (const auto& [name, level] : level_.items()) {
      if (!levels.insert(level.get<long>()).second) throw Refuted("two symbols have one level");
      highest = std::max(highest, level.get<long>());
    }
    for (const auto& [name, weight] : weight_.items()) {
      const bool constant = name.ends_with("/0");
      const bool weightless =
          weight.get<long>() == 0 && name.ends_with("/1") && level_.at(name).get<long>() == highest;
      const bool unary = name.ends_with("/1");
      if (weight.get<long>() < 0) throw Refuted("a weight is negative");
      if (constant && weight.get<long>() < variable_) throw Refuted(name + " is too light");
      if (unary && weight.get<long>() == 0 && !weightless) throw Refuted(name + " has no weight");
    }
  }

  bool greater(const Tree& s, const Tree& t) const {
    std::map<std::string, long> a;
    std::map<std::string, long> b;
    count_symbols(s, a);
    count_symbols(t, b);
    for (const auto& [name, count] : b) {
      if (name.front() == '?' && a[name] < count) return false;
    }
    const long heavy = weigh(a);
    const long light = weigh(b);
    if (heavy != light) return heavy > light;
    if (s.variable) return false;
    if (t.variable) return contains_variable(s, t.name);
    if (s.name != t.name) return level_.at(s.name).get<long>() > level_.at(t.name).get<long>();
    for (std::size_t i = 0; i < s.args.size(); ++i) {
      if (!(s.args[i] == t.args[i])) return greater(s.args[i], t.args[i]);
    }
    return false;
  }

 private:
  long weigh(const std::map<std::string, long>& counts) const {
    long sum = 0;
    for (const auto& [name, count] : counts) {
      sum += count * (name.front() == '?' ? variable_ : weight_.at(name).get<long>());
    }
    return sum;
  }

  long variable_;
  const Json& weight_;
  const Json& level_;
};

class PolynomialCheck {
 public:
  explicit PolynomialCheck(const Json& json) : coefficients_(json.at("coefficients")) {
    for (const auto& [name, numbers] : coefficients_.items()) {
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i].get<long>() < (i == 0 ? 0 : 1)) throw Refuted(name + " is not monotone");
      }
    }
  }

  // -1: grows or cannot be said, 0: does not grow, 1: shrinks.
  int compare(const TreeRule& rule) const {
    std::map<std::string, long> value;
    add(rule.left, 1, value);
    add(rule.right, -1, value);
    if (std::any_of(value.begin(), value.end(), [](const auto& it) { return it.second < 0; }))
      return -1;
    return value[""] > 0 ? 1 : 0;
  }

 private:
  void add(const Tree& tree, long factor, std::map<std::string, long>& value) const {
    if (factor > (1L << 45) || factor < -(1L << 45)) throw Refuted("numbers are too large");
    if (tree.variable) {
      value["?" + tree.name] += factor;
      return;
    }
    const Json& numbers = coefficients_.at(tree.name);
    if (numbers.size() != tree.args.size() + 1) throw Refuted(tree.name + " has other arguments");
    value[""] += factor * numbers[0].get<long>();
    for (std::size_t i = 0; i < tree.args.size(); ++i) {
      add(tree.args[i], factor * numbers[i + 1].get<long>(), value);
    }
  }

  const Json& coefficients_;
};

// --- rewriting and critical pairs
// -----------------------------------------------------------------

bool match(const Tree& pattern, const Tree& subject, Bindings& bindings) {
  if (pattern.variable) {
    const auto [found, is_new] = bindings.try_emplace(pattern.name, subject);
    return is_new || found->second == subject;
  }
  if (pattern.name != subject.name || subject.variable) return false;
  for (std::size_t i = 0; i < pattern.args.size(); ++i) {
    if (!match(pattern.args[i], subject.args[i], bindings)) return false;
  }
  return true;
}

Tree fill(const Tree& tree, const Bindings& bindings) {
  if (tree.variable) {
    const auto found = bindings.find(tree.name);
    return found == bindings.end() ? tree : found->second;
  }
  Tree filled = tree;
  for (Tree& arg : filled.args) arg = fill(arg, bindings);
  return filled;
}

class Joining {
 public:
  explicit Joining(const std::vector<TreeRule>& rules) : rules_(rules) {}

  // The number of critical pairs; throws Refuted if one does not join.
  std::size_t check_all() {
    std::size_t pairs = 0;
    for (std::size_t inner = 0; inner < rules_.size(); ++inner) {
      const TreeRule below{renamed(rules_[inner].left), renamed(rules_[inner].right)};
      for (std::size_t outer = 0; outer < rules_.size(); ++outer) {
        std::vector<std::size_t> path;
        pairs += check_below(rules_[outer], below, rules_[outer].left, path, inner < outer);
      }
    }
    return pairs;
  }

 private:
  static Tree renamed(Tree tree) {
    if (tree.variable) tree.name = "other " + tree.name;
    for (Tree& arg : tree.args) arg = renamed(std::move(arg));
    return tree;
  }

  std::size_t check_below(const TreeRule& outer, const TreeRule& inner, const Tree& at,
                          std::vector<std::size_t>& path, bool root_counts) {
    if (at.variable) return 0;
    std::size_t pairs = 0;
    Bindings bindings;
    if ((!path.empty() || root_counts) && unify(at, inner.left, bindings)) {
      ++pairs;
      check_pair(outer, inner, path, bindings);
    }
    for (std::size_t i = 0; i < at.args.size(); ++i) {
      path.push_back(i);
      pairs += check_below(outer, inner, at.args[i], path, root_counts);
      path.pop_back();
    }
    return pairs;
  }

  void check_pair(const TreeRule& outer, const TreeRule& inner,
                  const std::vector<std::size_t>& path, const Bindings& bindings) {
    Tree other = outer.left;
    Tree* place = &other;
    for (const std::size_t i : path) place = &place->args[i];
    *place = inner.right;
    fuel_ = kMostRewrites;
    if (!(normal_form(resolve(outer.right, bindings)) == normal_form(resolve(other, bindings)))) {
      throw Refuted("a critical pair does not join");
    }
  }

  // Bindings may hold variables that are bound themselves; unify() keeps them free of cycles.
  static Tree resolve(const Tree& tree, const Bindings& bindings) {
    if (tree.variable) {
      const auto found = bindings.find(tree.name);
      return found == bindings.end() ? tree : resolve(found->second, bindings);
    }
    Tree result = tree;
    for (Tree& arg : result.args) arg = resolve(arg, bindings);
    return result;
  }

  static bool unify(const Tree& a, const Tree& b, Bindings& bindings) {
    const Tree s = resolve(a, bindings);
    const Tree t = resolve(b, bindings);
    if (s == t) return true;
    if (s.variable || t.variable) {
      const Tree& variable = s.variable ? s : t;
      const Tree& value = s.variable ? t : s;
      if (contains_variable(value, variable.name)) return false;
      bindings.emplace(variable.name, value);
      return true;
    }
    if (s.name != t.name) return false;
    for (std::size_t i = 0; i < s.args.size(); ++i) {
      if (!unify(s.args[i], t.args[i], bindings)) return false;
    }
    return true;
  }

  Tree normal_form(Tree tree) {
    while (true) {
      if (--fuel_ < 0) throw Refuted("a critical pair was not joined within the limit");
      for (Tree& arg : tree.args) arg = normal_form(std::move(arg));
      bool rewritten = false;
      for (const TreeRule& rule : rules_) {
        Bindings bindings;
        if (!match(rule.left, tree, bindings)) continue;
        tree = fill(rule.right, bindings);
        rewritten = true;
        break;
      }
      if (!rewritten) return tree;
    }
  }

  const std::vector<TreeRule>& rules_;
  int fuel_ = 0;
};

// --- the certificate
// --------------------------------------------------------------------------------

template <class Order>
void check_strict(const Order& order, const std::vector<TreeRule>& rules,
                  const std::set<std::size_t>& left) {
  for (const std::size_t i : left) {
    if (!order.greater(rules[i].left, rules[i].right)) {
      throw Refuted("rule " + std::to_string(i + 1) + " does not shrink under the order");
    }
  }
}

// The rules that a step removes: for path orders and weights it must be all that are left.
std::set<std::size_t> check_step(const Json& step, const std::vector<TreeRule>& rules,
                                 const std::set<std::size_t>& left) {
  const std::string order = step.at("order").get<std::string>();
  const auto removed = step.at("removes").get<std::set<std::size_t>>();
  if (removed.empty()) throw Refuted("a step removes nothing");
  if (order == "polynomials") {
    const PolynomialCheck check(step);
    for (const std::size_t i : left) {
      if (check.compare(rules[i]) < (removed.contains(i) ? 1 : 0)) {
        throw Refuted("rule " + std::to_string(i + 1) + " grows under the polynomials");
      }
    }
    return removed;
  }
  if (removed != left) throw Refuted("this order must shrink all rules that are left");
  if (order == "path") {
    check_strict(PathCheck(step), rules, left);
  } else if (order == "Knuth-Bendix") {
    check_strict(WeightCheck(step), rules, left);
  } else {
    throw Refuted("unknown order " + order);
  }
  return removed;
}

void check_termination(const Json& steps, const std::vector<TreeRule>& rules) {
  std::set<std::size_t> left;
  for (std::size_t i = 0; i < rules.size(); ++i) left.insert(i);
  for (const Json& step : steps) {
    for (const std::size_t i : check_step(step, rules, left)) {
      if (left.erase(i) == 0) throw Refuted("a rule is removed twice");
    }
  }
  if (!left.empty()) throw Refuted("some rules are never removed");
}

void check_certificate(const term::RuleSet& set, const Json& json) {
  std::vector<TreeRule> rules;
  std::vector<std::string> lines;
  for (const term::Rule& rule : set.rules) {
    if (set.terms.depth(rule.left) > kMostDepth || set.terms.depth(rule.right) > kMostDepth) {
      throw Refuted("a rule is too deep to be checked");
    }
    if (!rule.conditions.empty()) throw Refuted("a rule has conditions");
    rules.push_back({tree_of(set.terms, rule.left), tree_of(set.terms, rule.right)});
    lines.push_back(term::to_string(set.terms, rule));
  }
  if (json.at("rules").get<std::vector<std::string>>() != lines)
    throw Refuted("it is for other rules");
  const bool terminates = !json.at("termination").is_null();
  if (terminates) check_termination(json.at("termination"), rules);
  const Json& confluence = json.at("confluence");
  // Without termination, rewriting both sides may not come to an end.
  if (!confluence.at("joined").get<bool>() || !terminates) return;
  const std::size_t pairs = Joining(rules).check_all();
  if (pairs != confluence.at("critical_pairs").get<std::size_t>()) {
    throw Refuted("there are " + std::to_string(pairs) + " critical pairs");
  }
}

}  // namespace

std::optional<std::string> refute_certificate(const term::RuleSet& rules, std::string_view json) {
  try {
    check_certificate(rules, Json::parse(json));
    return std::nullopt;
  } catch (const Refuted& error) {
    return error.what();
  } catch (const Json::exception&) {
    return "it is not a certificate of rules";
  }
}

}  // namespace nrs::check
