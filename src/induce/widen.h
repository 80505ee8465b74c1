#pragma once
// Generalises a rule beyond what its examples have in common, as far as nothing speaks against it.
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "induce/evidence.h"
#include "induce/pattern.h"

namespace nrs::induce {

// An argument of a symbol.
struct Place {
  Symbol above{};
  std::size_t arg = 0;
  bool operator==(const Place&) const = default;
};

struct Found {
  Pair rule;
  std::vector<std::uint32_t> explained;  // examples
};

class Widener {
 public:
  // What a rule explains; null if something speaks against it.
  using Ask = std::function<const std::vector<std::uint32_t>*(const Pair&)>;

  // `found`: all rules, to see which symbols belong to the system.
  Widener(Terms& terms, const Evidence& evidence, std::span<const Found> found, Ask ask);

  // Least general generalisation keeps what all examples share. That is too much where they are
  // few, and where a place can hold nothing else: a single constant of its kind, or a stuck term of
  // a symbol that has rules. Of all rules that nothing speaks against, this is the one with the
  // least to say: each symbol on its left side costs something, depending on what and where it is.
  // How often the rule was seen does not matter: that nothing else was seen at a place is as
  // surprising if the symbol there is meant as if it is not.
  Pair widen(const Found& found);

 private:
  // A part of the left side that may become a variable.
  struct Node {
    Term part;
    std::size_t parent;
    Place place{};
    std::vector<std::size_t> below{};  // by argument; the number of nodes for a variable
    double cost = 0;                   // of keeping it rather than making it a variable
  };
  using Kept = std::uint64_t;  // a set of nodes
  // What to do with constants on the right side that became variables on the left, and with equal
  // parts that became variables.
  enum class Constants { kFollow, kStay };
  enum class Equal { kApart, kSame };
  struct Way {
    Equal equal;
    Constants constants;
  };
  struct Variable {
    Term variable;
    Place place;   // on the left
    int used = 0;  // on the right
  };
  struct Replaced {
    Term part;
    std::vector<Variable> variables{};
    Term take(std::optional<Place> place);
  };
  struct RightSide {
    std::vector<Replaced> replaced;
    std::vector<Term> kept;     // constants on the left side
    std::vector<Term> applied;  // those that are applied to arguments, in applicative systems
    Constants constants;
  };

  void look_at(const Found& found);
  bool is_own(Term part) const;
  std::vector<Node> nodes_of(const Pair& rule) const;
  std::vector<Term> moved_parts(const Pair& rule) const;
  void rate(const Pair& rule, std::vector<Node>& nodes, std::size_t at,
            const std::vector<Term>& moved_ones) const;
  bool is_known_result(const Pair& rule) const;
  Pair widest(const Pair& rule);
  std::pair<double, double> cost_of(const std::vector<Node>& nodes, Kept kept) const;
  Pair with_variables(const Pair& rule, const std::vector<Node>& nodes, Kept kept, Way way);
  Term on_right(Term part, std::optional<Place> place, RightSide& side);
  bool widen_to_more(Pair& rule);
  bool split_variable(Pair& rule);
  std::ptrdiff_t direct_examples(const Pair& rule) const;
  bool try_rule(Pair& rule, const Pair& next);
  std::vector<term::Position> places(Term side, Term variable) const;

  Terms& terms_;
  const Evidence& evidence_;
  Ask ask_;
  std::unordered_set<Symbol> own_constants_;  // that rules bring in or are surely about
  std::unordered_set<Symbol> defined_;        // roots of rules, and functions that are applied
  std::unordered_map<Term, std::vector<Term>> rights_;  // left sides of the rules, by right side
  bool same_known_ = false;   // some rule surely has a variable twice on its left
  bool applicative_ = false;  // all terms are made of constants and one symbol
};

}  // namespace nrs::induce
