#include <algorithm>

#include "base/rng.h"
#include "check/orders.h"
#include "term/position.h"

namespace nrs::check {
namespace {

constexpr std::int64_t kMostConstant = 5;
constexpr std::int64_t kMostFactor = 3;
constexpr int kStarts = 8;
constexpr int kChanges = 1500;
constexpr std::int64_t kMostValue = std::int64_t{1} << 40;

// A linear polynomial in the variables of a rule; the constant is under the variable kConstant.
using Linear = std::map<std::uint32_t, std::int64_t>;
constexpr std::uint32_t kConstant = 0xffffffff;

class PolynomialSearch {
 public:
  PolynomialSearch(const term::RuleSet& rules, const std::vector<std::size_t>& left)
      : rules_(rules), terms_(rules.terms), left_(left), symbols_(symbols_of(rules)), rng_(1) {}

  bool run(TerminationStep& step) {
    for (int start = 0; start < kStarts; ++start) {
      Polynomials best = draw();
      std::int64_t cost = rate(best);
      for (int i = 0; i < kChanges && cost > 0; ++i) {
        Polynomials next = changed(best);
        const std::int64_t now = rate(next);
        if (now > cost) continue;
        best = std::move(next);
        cost = now;
      }
      if (cost == 0 && take(best, step)) return true;
    }
    return false;
  }

 private:
  Polynomials draw() {
    Polynomials result;
    for (const Symbol symbol : symbols_) {
      std::vector<std::int64_t>& numbers = result.coefficients[symbol];
      numbers.assign(terms_.arity(symbol) + 1, 1);
      numbers[0] = static_cast<std::int64_t>(rng_.below(3));
    }
    return result;
  }

  Polynomials changed(const Polynomials& from) {
    Polynomials next = from;
    std::vector<std::int64_t>& numbers = next.coefficients[symbols_[rng_.below(symbols_.size())]];
    const std::size_t i = rng_.below(numbers.size());
    numbers[i] = i == 0 ? rng_.between(0, kMostConstant) : rng_.between(1, kMostFactor);
    return next;
  }

  // Nothing if it is too large to count with.
  std::optional<Linear> value(Term term, const Polynomials& polynomials) const {
    Linear sum;
    std::vector<std::pair<Term, std::int64_t>> open{{term, 1}};
    while (!open.empty()) {
      const auto [part, factor] = open.back();
      open.pop_back();
      if (factor > kMostValue) return std::nullopt;
      if (terms_.is_variable(part)) {
        sum[term::number(terms_.symbol(part))] += factor;
        continue;
      }
      const std::vector<std::int64_t>& numbers = polynomials.coefficients.at(terms_.symbol(part));
      sum[kConstant] += factor * numbers[0];
      for (std::size_t i = 0; i < terms_.args(part).size(); ++i) {
        open.emplace_back(terms_.arg(part, i), factor * numbers[i + 1]);
      }
    }
    return sum;
  }

  // How much the right side is larger than the left one; 0 if it is not. `strict`: whether smaller.
  std::int64_t excess(std::size_t rule, const Polynomials& polynomials, bool& strict) const {
    strict = false;
    const std::optional<Linear> left = value(rules_.rules[rule].left, polynomials);
    const std::optional<Linear> right = value(rules_.rules[rule].right, polynomials);
    if (!left || !right) return kMostValue;
    Linear difference = *left;
    for (const auto& [variable, factor] : *right) difference[variable] -= factor;
    std::int64_t sum = 0;
    for (const auto& [variable, factor] : difference) sum += std::max<std::int64_t>(0, -factor);
    strict = sum == 0 && difference[kConstant] > 0;
    return sum;
  }

  // 0 if no rule grows and some shrink.
  std::int64_t rate(const Polynomials& polynomials) const {
    std::int64_t sum = 0;
    bool any = false;
    for (const std::size_t rule : left_) {
      bool strict = false;
      sum += std::min<std::int64_t>(excess(rule, polynomials, strict), 100);
      any = any || strict;
    }
    return sum + (any ? 0 : 1);
  }

  bool take(const Polynomials& polynomials, TerminationStep& step) const {
    std::vector<std::size_t> removed;
    for (const std::size_t rule : left_) {
      bool strict = false;
      excess(rule, polynomials, strict);
      if (strict) removed.push_back(rule);
    }
    step = {polynomials, removed};
    return !removed.empty();
  }

  const term::RuleSet& rules_;
  const term::Terms& terms_;
  const std::vector<std::size_t>& left_;
  const std::vector<Symbol> symbols_;
  Rng rng_;
};

}  // namespace

bool find_polynomials(const term::RuleSet& rules, const std::vector<std::size_t>& left,
                      TerminationStep& step) {
  return PolynomialSearch(rules, left).run(step);
}

}  // namespace nrs::check
