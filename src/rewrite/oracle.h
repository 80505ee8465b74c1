#pragma once
// The exact Selector and Solver of a domain: what the neural ones are measured against. Together
// they are a Rewriter without a model.
#include <map>
#include <span>

#include "nrs/domain.h"
#include "nrs/modules.h"
#include "rewrite/modular.h"

namespace nrs::rewrite {

class OracleSelector : public Selector {
 public:
  // `domain` must outlive this.
  explicit OracleSelector(const Domain& domain) : domain_(domain) {}
  std::vector<std::vector<SelectedLeaf>> select(std::span<const Fragment> fragments) const override;
  // A leaf is recognised by its own characters alone.
  std::size_t reach() const override { return domain_.longest_leaf(); }

 private:
  const Domain& domain_;
};

class OracleSolver : public Solver {
 public:
  explicit OracleSolver(const Domain& domain) : domain_(domain) {}
  std::vector<Solution> solve(std::span<const std::string_view> leaves) const override;

 private:
  const Domain& domain_;
};

class OracleRewriter final : public FastNrs {
 public:
  explicit OracleRewriter(const Domain& domain)
      : FastNrs(selector_, solver_), selector_(domain), solver_(domain) {}

 private:
  OracleSelector selector_;
  OracleSolver solver_;
};

// One for each of several domains.
class Oracles {
 public:
  explicit Oracles(std::span<const Domain* const> domains) {
    for (const Domain* domain : domains) rewriters_.try_emplace(domain, *domain);
  }
  const Rewriter& of(const Domain* domain) const { return rewriters_.at(domain); }

 private:
  std::map<const Domain*, OracleRewriter> rewriters_;
};

}  // namespace nrs::rewrite
