#pragma once
// A domain: a convergent rewriting system that is known exactly. It generates formulas, reads them,
// and rewrites them without error. Everything specific to it is behind this interface.
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nrs/formula.h"

namespace nrs {

class Rng;

// An operator has at least two arguments.
inline constexpr int kLeastArgs = 2;

// Which formulas are meant: all that the domain accepts and that have a value, or only those that
// the paper's generator can make. The paper omits some, such as logic's (T&p).
enum class FormulaSpace { kWhole, kPaper };

// What a generated formula looks like.
struct Shape {
  int nesting = 1;        // bracket depth; 0 is an atom
  int args = kLeastArgs;  // arguments of every operator
  FormulaSpace space = FormulaSpace::kWhole;

  bool operator==(const Shape&) const = default;
};

struct Sample {
  std::string formula;
  std::string value;
  bool signs_merged = false;  // printed as people write it: `(5--3)` as `(5+3)`
};

// Const and thread-safe.
class Domain {
 public:
  virtual ~Domain() = default;

  virtual std::string_view name() const = 0;
  // Every character that a formula can contain.
  virtual std::string_view alphabet() const = 0;
  // Operators are generated with kLeastArgs to this many arguments, the same number throughout a
  // formula.
  virtual int most_args() const { return kLeastArgs; }

  // Reads a formula as people write it (spaces, other notations) and returns it in the form that
  // everything else works on. Throws Error with the column. Law: read(read(text)) == read(text).
  virtual std::string read(std::string_view text) const = 0;
  // A formula in the notation of the paper, where that differs.
  virtual std::string paper_notation(std::string_view formula) const {
    return std::string(formula);
  }

  virtual bool is_atom(std::string_view text) const = 0;
  // All leaves of a formula or of a fragment of one, from left to right. The last leaf is back().
  virtual std::vector<Span> leaves(std::string_view text) const = 0;
  // The atom that a leaf rewrites to; nothing if it is not a leaf.
  virtual std::optional<std::string> value(std::string_view leaf) const = 0;
  // No leaf is longer.
  virtual std::size_t longest_leaf() const = 0;
  // Bracket depth.
  virtual int nesting(std::string_view formula) const = 0;
  // Arguments of the operator of a leaf.
  virtual int args(std::string_view /*leaf*/) const { return 2; }
  // Merges adjacent signs, if the domain has signs.
  virtual void merge_signs(std::string& /*formula*/) const {}

  // Draws a formula of the given shape, with its value. Reuses the strings of `sample`.
  virtual void generate(const Shape& shape, Rng& rng, Sample& sample) const = 0;
  // An upper bound on the length of formulas of this shape (saturating).
  virtual std::size_t longest_formula(const Shape& shape) const = 0;

  // Law: in the whole space, a formula that read() accepts and whose arguments are all atoms is
  // visited exactly once, by for_each_leaf() if it has a value and else by for_each_valueless().
  using Visit = std::function<void(std::string_view formula, std::string_view value)>;
  using VisitText = std::function<void(std::string_view text)>;
  virtual void for_each_leaf(FormulaSpace space, const Visit& visit) const = 0;
  // What no rule rewrites, such as (a&b). A formula that contains one has no value either.
  virtual void for_each_valueless(const VisitText& /*visit*/) const {}
  virtual void for_each_atom(const VisitText& visit) const = 0;
  // The number of distinct formulas of a shape, if they are few enough to be listed.
  virtual std::optional<std::size_t> listable(const Shape& shape) const = 0;
  // Visits each of them once. Call it only for a listable shape.
  void for_each_formula(const Shape& shape, const Visit& visit) const;

 protected:
  // for_each_formula() for listable shapes that are deeper than a leaf.
  virtual void for_each_nested(const Shape& /*shape*/, const Visit& /*visit*/) const {}
};

// The built-in domains, in the order in which a formula of unknown domain is tried.
std::span<const Domain* const> all_domains();
// Throws Error (usage) with the known names.
const Domain& find_domain(std::string_view name);

struct ReadFormula {
  const Domain* domain = nullptr;
  std::string formula;
};
// Reads a formula with the first of these built-in domains that accepts it. Domains that have all
// its characters are tried first. If none accepts it, throws the error of the most likely domain.
ReadFormula read_in_any_domain(std::string_view text,
                               std::span<const Domain* const> domains = all_domains());

}  // namespace nrs
