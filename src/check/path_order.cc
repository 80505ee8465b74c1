#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

#include "check/orders.h"
#include "term/position.h"

namespace nrs::check {
namespace {

using Status = PathOrder::Status;
constexpr std::array<Status, 3> kStatuses{Status::kLeft, Status::kRight, Status::kMultiset};
constexpr std::size_t kMostTrials = 3000;

// Compares terms under one path order. The terms of rules are small: prove_termination() leaves
// deep ones aside.
class Comparison {
 public:
  Comparison(const term::Terms& terms, const PathOrder& order) : terms_(terms), order_(order) {}

  bool greater(Term s, Term t) {
    if (s == t || terms_.is_variable(s)) return false;
    const std::uint64_t key = std::uint64_t{term::number(s)} << 32 | term::number(t);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const bool result = decide(s, t);
    known_.emplace(key, result);
    return result;
  }

 private:
  bool decide(Term s, Term t) {
    for (const Term arg : terms_.args(s)) {
      if (arg == t || greater(arg, t)) return true;
    }
    if (terms_.is_variable(t)) return false;
    const int above = order_.level.at(terms_.symbol(s));
    const int below = order_.level.at(terms_.symbol(t));
    if (above < below) return false;
    for (const Term arg : terms_.args(t)) {
      if (!greater(s, arg)) return false;
    }
    return above > below || greater_args(s, t);
  }

  bool greater_args(Term s, Term t) {
    const Status status = order_.status.at(terms_.symbol(s));
    if (status != order_.status.at(terms_.symbol(t))) return false;
    std::vector<Term> a(terms_.args(s).begin(), terms_.args(s).end());
    std::vector<Term> b(terms_.args(t).begin(), terms_.args(t).end());
    if (status == Status::kMultiset) return greater_multiset(a, b);
    if (status == Status::kRight) {
      std::reverse(a.begin(), a.end());
      std::reverse(b.begin(), b.end());
    }
    const std::size_t common = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < common; ++i) {
      if (a[i] != b[i]) return greater(a[i], b[i]);
    }
    return a.size() > b.size();
  }

  bool greater_multiset(std::vector<Term> a, std::vector<Term> b) {
    std::erase_if(a, [&](Term x) {
      const auto same = std::find(b.begin(), b.end(), x);
      if (same == b.end()) return false;
      b.erase(same);
      return true;
    });
    return !a.empty() && std::all_of(b.begin(), b.end(), [&](Term y) {
      return std::any_of(a.begin(), a.end(), [&](Term x) { return greater(x, y); });
    });
  }

  const term::Terms& terms_;
  const PathOrder& order_;
  std::unordered_map<std::uint64_t, bool> known_;
};

// A symbol stands above those that its rules bring in; those that bring in each other are equal, or
// not, which is tried.
class PathOrderSearch {
 public:
  PathOrderSearch(const term::RuleSet& rules, const std::vector<std::size_t>& left)
      : rules_(rules), left_(left), symbols_(symbols_of(rules)) {
    for (const std::size_t i : left) {
      const Symbol root = rules.terms.symbol(rules.rules[i].left);
      for (const Term part : term::distinct_subterms(rules.terms, rules.rules[i].right)) {
        if (!rules.terms.is_variable(part)) uses_[root].insert(rules.terms.symbol(part));
      }
    }
    close();
  }

  std::optional<PathOrder> run() {
    for (const bool equal : {true, false}) {
      PathOrder order = first_order(equal);
      if (improve(order)) return order;
    }
    return std::nullopt;
  }

 private:
  void close() {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& [symbol, used] : uses_) {
        std::set<Symbol> more = used;
        for (const Symbol other : used) {
          if (const auto found = uses_.find(other); found != uses_.end()) {
            more.insert(found->second.begin(), found->second.end());
          }
        }
        changed = changed || more.size() > used.size();
        used = std::move(more);
      }
    }
  }

  // The level counts what a symbol uses, so that those which use each other have the same one.
  PathOrder first_order(bool equal) const {
    PathOrder order;
    std::vector<Symbol> sorted = symbols_;
    const auto uses = [&](Symbol symbol) {
      const auto found = uses_.find(symbol);
      return found == uses_.end() ? std::size_t{0} : found->second.size();
    };
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](Symbol a, Symbol b) { return uses(a) < uses(b); });
    int level = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const bool same =
          i > 0 && equal && uses(sorted[i]) != 0 && in_one_cycle(sorted[i - 1], sorted[i]);
      order.level[sorted[i]] = same ? level : ++level;
      order.status[sorted[i]] = Status::kLeft;
    }
    return order;
  }

  bool in_one_cycle(Symbol a, Symbol b) const {
    const auto one = uses_.find(a);
    const auto two = uses_.find(b);
    return one != uses_.end() && two != uses_.end() && one->second.contains(b) &&
           two->second.contains(a);
  }

  std::size_t oriented(const PathOrder& order) const {
    Comparison comparison(rules_.terms, order);
    return static_cast<std::size_t>(std::count_if(left_.begin(), left_.end(), [&](std::size_t i) {
      return comparison.greater(rules_.rules[i].left, rules_.rules[i].right);
    }));
  }

  // Changes one symbol at a time, its status or its level, as long as more rules shrink.
  bool improve(PathOrder& order) {
    std::size_t best = oriented(order);
    std::size_t trials = 0;
    for (bool better = true; better && best < left_.size();) {
      better = false;
      for (const Symbol symbol : symbols_) {
        for (const PathOrder& next : neighbours(order, symbol)) {
          if (++trials > kMostTrials) return false;
          const std::size_t now = oriented(next);
          if (now <= best) continue;
          order = next;
          best = now;
          better = true;
          break;
        }
        if (best == left_.size()) return true;
      }
    }
    return best == left_.size();
  }

  std::vector<PathOrder> neighbours(const PathOrder& order, Symbol symbol) const {
    std::vector<PathOrder> next;
    const int level = order.level.at(symbol);
    for (const Status status : kStatuses) {
      PathOrder other = order;
      for (const auto& [peer, at] : order.level) {
        if (at == level) other.status[peer] = status;
      }
      next.push_back(std::move(other));
    }
    for (const Symbol peer : symbols_) {
      if (peer == symbol) continue;
      for (const int step : {0, 1}) {  // beside another one, or just above it
        PathOrder other = order;
        const int to = order.level.at(peer) + step;
        if (step == 1) {
          for (auto& [each, at] : other.level) at += at >= to;
        }
        other.level[symbol] = to;
        if (step == 0) other.status[symbol] = other.status[peer];
        next.push_back(std::move(other));
      }
    }
    return next;
  }

  const term::RuleSet& rules_;
  const std::vector<std::size_t>& left_;
  const std::vector<Symbol> symbols_;
  std::map<Symbol, std::set<Symbol>> uses_;
};

}  // namespace

bool find_path_order(const term::RuleSet& rules, const std::vector<std::size_t>& left,
                     TerminationStep& step) {
  std::optional<PathOrder> order = PathOrderSearch(rules, left).run();
  if (!order) return false;
  step = {std::move(*order), left};
  return true;
}

}  // namespace nrs::check
