#pragma once
// Rules as a program: for each symbol with rules a function that takes arguments in normal form and
// gives the normal form of the symbol applied to them. The machine runs it, src/compile writes it
// as C++.
//
// What makes it fast is decided here: a decision tree looks at every symbol of the arguments at
// most once; equal subterms of a right side are evaluated once; subterms of the left side are used
// again; conditions of successive rules share what they compute; a call that is the whole right
// side replaces its caller.
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "term/rule.h"

namespace nrs::rewrite::rules {

// A place for a normal form. The arguments of a function are in the registers 0 to arity - 1.
using Register = std::uint32_t;

// One operation; what comes next is an operation with a larger number, so there are no loops.
struct Operation {
  enum class Kind : std::uint8_t {
    kSwitch,    // goes on by the root symbol of `reg`: operands are pairs (symbol, operation)
    kField,     // target = argument number `index` of `reg`
    kSame,      // goes on to next if `reg` and operand 0 are the same term, else to other
    kConstant,  // target = the ground term `index`, which is in normal form
    kBuild,     // target = the term of `symbol` with the operands, which no rule rewrites
    kCall,      // target = the normal form of `symbol` with the operands
    kStep,      // the rule number `index` applies
    kReturn,    // the value is `reg`
    kTailCall,  // the value is the normal form of `symbol` with the operands
    kStuck,     // the value is the symbol of the function with its arguments
  };

  Kind kind;
  Register target = 0;
  Register reg = 0;
  std::uint32_t index = 0;
  term::Symbol symbol{};
  std::uint32_t next = 0;
  std::uint32_t other = 0;  // of kSame, and the default of kSwitch
  std::uint32_t first_operand = 0;
  std::uint32_t operands = 0;
};

struct Function {
  term::Symbol symbol{};
  std::uint32_t first = 0;  // its operations: [first, end)
  std::uint32_t end = 0;
  std::uint32_t registers = 0;  // how many it needs, with those of its arguments
};

class Program {
 public:
  // Throws Error if a left side is too large to compile.
  explicit Program(const term::RuleSet& rules);

  // The symbols, and the ground terms of kConstant.
  const term::Terms& terms() const { return terms_; }
  // Symbols with smaller numbers are those of the rule set; others stand for registers.
  std::uint32_t own_symbols() const { return own_symbols_; }
  const std::vector<Function>& functions() const { return functions_; }
  const std::vector<Operation>& operations() const { return operations_; }
  std::span<const std::uint32_t> operands(const Operation& operation) const {
    return {operands_.data() + operation.first_operand, operation.operands};
  }
  const std::vector<term::Term>& constants() const { return constants_; }
  // The constant that a kSame compares with, if it was loaded just before.
  std::optional<term::Term> constant_operand(const Operation& same) const;
  // Whether some rule rewrites this symbol.
  bool defined(term::Symbol symbol) const {
    return term::number(symbol) < defined_.size() && defined_[term::number(symbol)];
  }

 private:
  friend class FunctionCompiler;

  term::Terms terms_;
  std::uint32_t own_symbols_;
  std::vector<bool> defined_;
  std::vector<Function> functions_;
  std::vector<Operation> operations_;
  std::vector<std::uint32_t> operands_;
  std::vector<term::Term> constants_;
};

}  // namespace nrs::rewrite::rules
