#pragma once
// What chains say about the rules: which terms are normal forms, and for each step between which
// subterms a rule can have made it.
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "induce/audit.h"
#include "induce/chain.h"
#include "induce/pattern.h"

namespace nrs::induce {

// What is taken for granted about the order of the steps. Each says more than the one before it.
enum class Strategy {
  kAny,            // only the last term of a complete chain is known to be normal
  kInnermost,      // and what is below the place of a rewrite
  kLeftInnermost,  // and what is left of it
};

// A step and its candidates. The lowest node that covers all differences of the two terms is the
// redex or lies in it, so a candidate is the pair of subterms at that node or at one above it.
struct Step {
  std::uint32_t chain;       // its number among those given
  std::uint32_t index;       // the step leads from this term of the chain to the next
  std::vector<Pair> levels;  // lowest first
  std::vector<std::uint32_t>
      examples{};  // the levels that are not known to be normal, lowest first
};

// A pair of subterms that some steps may be instances of.
struct Example {
  Pair pair;
  std::vector<std::uint32_t> steps{};  // that have it as a candidate
  bool lowest = false;  // the lowest candidate of some step: then `left` is not normal
};

// Normal forms and examples with one root symbol.
struct RootFacts {
  std::vector<Term> normals;
  std::vector<std::uint32_t> examples;
};

// Whether a step may rewrite several places at once: then differences under several arguments of a
// node are steps of their own. With rules that are known to some extent, a node is taken apart only
// if they explain a difference below it.
struct Parallel {
  bool split = false;
  std::vector<Pair> known{};
};

class Evidence {
 public:
  Evidence(Terms& terms, std::span<const Chain> chains, const Parallel& parallel = {});

  Strategy strategy() const { return strategy_; }
  std::span<const Chain> chains() const { return chains_; }
  const std::vector<Step>& steps() const { return steps_; }
  const std::vector<Example>& examples() const { return examples_; }
  // Empty for a symbol that roots nothing.
  const RootFacts& of_root(Symbol root) const;
  std::size_t root_count() const { return roots_.size(); }
  // Whether some step may have rewritten several places at once.
  bool has_splittable_steps() const;

  bool normal(Term term) const;
  // The normal form that the chains show, if they do.
  std::optional<Term> normal_form(Term term) const;
  // What the lowest candidate with this left side becomes.
  std::optional<Term> contractum(Term redex) const;

 private:
  void read_steps(const Parallel& parallel);
  void add_step(std::uint32_t chain, std::uint32_t index);
  void add_parts(std::uint32_t chain, std::uint32_t index, Audit* known);
  void choose_strategy();
  void claim_all(Strategy strategy);
  void claim(Term term);
  bool contradicts_whole_terms() const;
  std::vector<char> inner_terms() const;
  void drop_refuted_claims();
  std::vector<std::uint32_t> candidates(const Step& step) const;
  void find_redexes();
  void make_examples();
  void follow_normal_forms();
  void follow(const Step& step, std::size_t s);

  Terms& terms_;
  std::span<const Chain> chains_;
  Strategy strategy_ = Strategy::kAny;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> paths_;      // of all steps, from the root to the lowest level
  std::vector<std::size_t> path_starts_;  // one for each step and one for the end
  std::vector<char> normal_;              // by number of the term
  std::vector<Term> claimed_;
  std::vector<char> redex_;  // by number of the term: known to have one in it
  std::unordered_map<Term, std::uint32_t> reducible_;  // whole terms that a step leads from
  std::vector<Example> examples_;
  std::vector<RootFacts> roots_;
  std::unordered_map<Term, Term> normal_forms_;
  std::unordered_map<Term, Term> contracta_;
};

}  // namespace nrs::induce
