#include "rewrite/rules/program.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "nrs/error.h"
#include "term/match.h"
#include "term/position.h"

namespace nrs::rewrite::rules {

using term::Symbol;
using term::Term;
using Kind = Operation::Kind;

namespace {

constexpr std::size_t kMostPatternSymbols = 10'000;
// From so many operations of one function on, rules are tried one after the other: a tree for
// patterns that overlap in unlucky ways can be exponentially large.
constexpr std::size_t kMostTreeOperations = 20'000;

}  // namespace

// Compiles the rules of one symbol.
class FunctionCompiler {
 public:
  FunctionCompiler(Program& program, const term::RuleSet& rules, Symbol symbol)
      : program_(program), terms_(program.terms_), rules_(rules), symbol_(symbol) {}

  void run(std::span<const std::uint32_t> rules) {
    first_ = here();
    const auto arity = static_cast<Register>(terms_.arity(symbol_));
    Point start{.rows = {}, .known = {}, .next_register = arity, .from = {}};
    for (const std::uint32_t rule : rules) start.rows.push_back(row_of(rule));
    pending_.push_back(std::move(start));
    while (!pending_.empty()) {
      Point point = std::move(pending_.back());
      pending_.pop_back();
      compile(std::move(point));
    }
    program_.functions_.push_back({symbol_, first_, here(), registers_});
  }

 private:
  // What is left to test of a rule, and what is known of it.
  struct Test {
    Register reg;
    Term pattern;
  };
  struct Row {
    std::uint32_t rule;
    std::vector<Test> tests{};
    std::vector<std::pair<Symbol, Register>> bound{};
    std::vector<std::pair<Register, Register>> same{};  // of repeated variables
    std::vector<std::pair<Term, Register>> matched{};   // subterms of the left side
  };

  // Terms over registers (a variable for each), and the registers with their normal forms.
  using Known = std::map<Term, Register>;

  // Where the number of an operation is to be written once it is known.
  struct Slot {
    enum class Kind { kNext, kOther, kOperand } kind;
    std::uint32_t number;  // of the operation, or of the operand
  };

  // A term whose arguments go to registers.
  struct Fields {
    Register reg = 0;
    Register first = 0;
    std::uint32_t count = 0;
  };

  // A point of the tree that is still to be compiled.
  struct Point {
    std::vector<Row> rows;
    Known known;
    Register next_register;
    std::vector<Slot> from;
    Fields fields{};
  };

  std::uint32_t here() const { return static_cast<std::uint32_t>(program_.operations_.size()); }

  Row row_of(std::uint32_t rule) {
    Row row{.rule = rule};
    const Term left = rules_.rules[rule].left;
    if (terms_.size(left) > kMostPatternSymbols) {
      throw Error(ErrorKind::kInput, "the left side of rule " + std::to_string(rule + 1) +
                                         " has more than " + std::to_string(kMostPatternSymbols) +
                                         " symbols");
    }
    for (Register i = 0; i < terms_.args(left).size(); ++i) add_test(row, i, terms_.arg(left, i));
    return row;
  }

  // A variable is bound, or must be the same as before; everything else is tested.
  void add_test(Row& row, Register reg, Term pattern) const {
    if (!terms_.is_variable(pattern)) {
      row.tests.push_back({reg, pattern});
      return;
    }
    const Symbol variable = terms_.symbol(pattern);
    const auto found = std::find_if(row.bound.begin(), row.bound.end(),
                                    [&](const auto& pair) { return pair.first == variable; });
    if (found == row.bound.end()) {
      row.bound.emplace_back(variable, reg);
    } else {
      row.same.emplace_back(found->second, reg);
    }
  }

  // The test has succeeded: its arguments, in registers from `first` on, are next.
  void refine(Row& row, Register reg, Register first) const {
    const auto test = std::find_if(row.tests.begin(), row.tests.end(),
                                   [&](const Test& other) { return other.reg == reg; });
    if (test == row.tests.end()) return;
    const Term pattern = test->pattern;
    row.tests.erase(test);
    row.matched.emplace_back(pattern, reg);
    for (std::size_t i = 0; i < terms_.args(pattern).size(); ++i) {
      add_test(row, first + static_cast<Register>(i), terms_.arg(pattern, i));
    }
  }

  std::uint32_t emit(Operation operation, std::span<const std::uint32_t> operands = {}) {
    operation.first_operand = static_cast<std::uint32_t>(program_.operands_.size());
    operation.operands = static_cast<std::uint32_t>(operands.size());
    operation.next = here() + 1;
    program_.operands_.insert(program_.operands_.end(), operands.begin(), operands.end());
    program_.operations_.push_back(operation);
    return here() - 1;
  }

  // What leads to the point goes on here.
  void enter(const Point& point) {
    for (const Slot& slot : point.from) {
      switch (slot.kind) {
        case Slot::Kind::kNext:
          program_.operations_[slot.number].next = here();
          break;
        case Slot::Kind::kOther:
          program_.operations_[slot.number].other = here();
          break;
        case Slot::Kind::kOperand:
          program_.operands_[slot.number] = here();
          break;
      }
    }
    load(point.fields);
    registers_ = std::max(registers_, point.next_register);
  }

  void load(const Fields& fields) {
    for (std::uint32_t i = 0; i < fields.count; ++i) {
      emit({.kind = Kind::kField, .target = fields.first + i, .reg = fields.reg, .index = i});
    }
  }

  void compile(Point point) {
    enter(point);
    if (point.rows.empty()) {
      emit({.kind = Kind::kStuck});
    } else if (point.rows.front().tests.empty()) {
      const Register next = point.next_register;
      compile_rule(std::move(point), {}, next);
    } else if (here() - first_ < kMostTreeOperations) {
      compile_switch(point);
    } else {
      compile_tests(std::move(point));
    }
  }

  static const Test* test_of(const Row& row, Register reg) {
    const auto found = std::find_if(row.tests.begin(), row.tests.end(),
                                    [&](const Test& test) { return test.reg == reg; });
    return found == row.tests.end() ? nullptr : &*found;
  }

  // Of the registers that the first row tests, the one that the most rows test.
  static Register best_register(const std::vector<Row>& rows) {
    std::ptrdiff_t most = 0;
    Register best = 0;
    for (const Test& test : rows.front().tests) {
      const auto tests = std::count_if(rows.begin(), rows.end(), [&](const Row& row) {
        return test_of(row, test.reg) != nullptr;
      });
      if (tests > most) best = test.reg;
      most = std::max(most, tests);
    }
    return best;
  }

  // Emits a switch without its targets.
  std::uint32_t emit_switch(Register reg, std::span<const Symbol> cases) {
    std::vector<std::uint32_t> operands;
    for (const Symbol symbol : cases) {
      operands.push_back(term::number(symbol));
      operands.push_back(0);
    }
    return emit({.kind = Kind::kSwitch, .reg = reg}, operands);
  }

  void compile_switch(const Point& point) {
    const Register reg = best_register(point.rows);
    std::vector<Symbol> cases;
    Point rest{.rows = {}, .known = point.known, .next_register = point.next_register, .from = {}};
    for (const Row& row : point.rows) {
      const Test* test = test_of(row, reg);
      if (test == nullptr) {
        rest.rows.push_back(row);
      } else if (std::find(cases.begin(), cases.end(), terms_.symbol(test->pattern)) ==
                 cases.end()) {
        cases.push_back(terms_.symbol(test->pattern));
      }
    }
    const std::uint32_t at = emit_switch(reg, cases);
    rest.from.push_back({Slot::Kind::kOther, at});
    pending_.push_back(std::move(rest));
    std::uint32_t operand = program_.operations_[at].first_operand + 1;
    for (const Symbol symbol : cases) {
      pending_.push_back(point_of_case(point, reg, symbol));
      pending_.back().from.push_back({Slot::Kind::kOperand, operand});
      operand += 2;
    }
  }

  Point point_of_case(const Point& point, Register reg, Symbol symbol) const {
    const auto arity = static_cast<std::uint32_t>(terms_.arity(symbol));
    Point inside{.rows = {},
                 .known = point.known,
                 .next_register = point.next_register + arity,
                 .from = {},
                 .fields = {reg, point.next_register, arity}};
    for (const Row& row : point.rows) {
      const Test* test = test_of(row, reg);
      if (test != nullptr && terms_.symbol(test->pattern) != symbol) continue;
      refine(inside.rows.emplace_back(row), reg, point.next_register);
    }
    return inside;
  }

  // The first rule alone; where a test fails, the others are next.
  void compile_tests(Point point) {
    std::vector<Slot> failed;
    const Register before = point.next_register;
    Row& row = point.rows.front();
    while (!row.tests.empty()) {
      const Test test = row.tests.front();
      const Symbol symbol = terms_.symbol(test.pattern);
      const std::uint32_t at = emit_switch(test.reg, std::span(&symbol, 1));
      program_.operands_[program_.operations_[at].first_operand + 1] = here();
      failed.push_back({Slot::Kind::kOther, at});
      const auto arity = static_cast<std::uint32_t>(terms_.arity(symbol));
      load({test.reg, point.next_register, arity});
      refine(row, test.reg, point.next_register);
      point.next_register += arity;
    }
    registers_ = std::max(registers_, point.next_register);
    compile_rule(std::move(point), std::move(failed), before);
  }

  // The left side of the first rule matches, except for repeated variables and conditions. If these
  // fail, or as in `failed`, the others are next; they may use registers from `rest_register` on.
  void compile_rule(Point point, std::vector<Slot> failed, Register rest_register) {
    const Row row = point.rows.front();
    const term::Rule& rule = rules_.rules[row.rule];
    // What the other rules may use: all that is known before anything can fail.
    Known shared = point.known;
    const bool tested = !failed.empty() || !row.same.empty();
    for (const auto& [one, other] : row.same) failed.push_back(emit_same(one, other, true));
    const term::Substitution registers = note_registers(row, point.known);
    for (const term::Condition& condition : rule.conditions) {
      const Register left = evaluate(condition.left, registers, point);
      const Register right = evaluate(condition.right, registers, point);
      if (&condition == &rule.conditions.front() && !tested) {
        shared = point.known;
        rest_register = point.next_register;
      }
      failed.push_back(emit_same(left, right, condition.equal));
    }
    if (!failed.empty()) {
      pending_.push_back({{std::make_move_iterator(point.rows.begin() + 1),
                           std::make_move_iterator(point.rows.end())},
                          std::move(shared),
                          rest_register,
                          std::move(failed)});
    }
    emit({.kind = Kind::kStep, .index = row.rule});
    finish(rule.right, registers, point);
    registers_ = std::max(registers_, point.next_register);
  }

  // Where to go if two registers are not the same term, or if they are.
  Slot emit_same(Register one, Register other, bool same) {
    const std::uint32_t at = emit({.kind = Kind::kSame, .reg = one}, std::span(&other, 1));
    if (same) return {Slot::Kind::kOther, at};
    program_.operations_[at].other = here();
    return {Slot::Kind::kNext, at};
  }

  Term variable_of(Register reg) {
    std::string name = "%";
    name += std::to_string(reg);
    return terms_.variable(name);
  }

  // The variables of the rule as registers; its subterms are known.
  term::Substitution note_registers(const Row& row, Known& known) {
    term::Substitution registers;
    for (const auto& [variable, reg] : row.bound) registers.bind(variable, variable_of(reg));
    for (const auto& [variable, reg] : row.bound) known.emplace(variable_of(reg), reg);
    for (const auto& [pattern, reg] : row.matched) {
      known.emplace(term::instantiate(terms_, pattern, registers), reg);
    }
    return registers;
  }

  Register evaluate(Term term, const term::Substitution& registers, Point& point) {
    const Term goal = term::instantiate(terms_, term, registers);
    for (const Term part : unknown_parts(goal, point.known)) emit_value(part, point);
    return point.known.at(goal);
  }

  void finish(Term right, const term::Substitution& registers, Point& point) {
    const Term goal = term::instantiate(terms_, right, registers);
    std::vector<Term> parts = unknown_parts(goal, point.known);
    const bool call = !parts.empty() && program_.defined(terms_.symbol(goal)) && !constant(goal);
    if (call) parts.pop_back();
    for (const Term part : parts) emit_value(part, point);
    if (call) {
      const std::vector<std::uint32_t> args = registers_of(goal, point.known);
      emit({.kind = Kind::kTailCall, .symbol = terms_.symbol(goal)}, args);
    } else {
      emit({.kind = Kind::kReturn, .reg = point.known.at(goal)});
    }
  }

  // In a normal form whatever the arguments are.
  bool constant(Term term) const {
    if (!terms_.ground(term)) return false;
    const std::vector<Term> parts = term::distinct_subterms(terms_, term);
    return std::none_of(parts.begin(), parts.end(),
                        [&](Term part) { return program_.defined(terms_.symbol(part)); });
  }

  // The parts whose normal forms are not known, arguments first.
  std::vector<Term> unknown_parts(Term goal, const Known& known) const {
    std::vector<Term> found;
    std::vector<Term> open{goal};
    while (!open.empty()) {
      const Term part = open.back();
      open.pop_back();
      if (known.contains(part)) continue;
      found.push_back(part);
      if (constant(part)) continue;
      for (const Term arg : terms_.args(part)) open.push_back(arg);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  std::vector<std::uint32_t> registers_of(Term term, const Known& known) const {
    std::vector<std::uint32_t> registers;
    for (const Term arg : terms_.args(term)) registers.push_back(known.at(arg));
    return registers;
  }

  void emit_value(Term term, Point& point) {
    const Register target = point.next_register++;
    const Symbol symbol = terms_.symbol(term);
    if (constant(term)) {
      const auto index = static_cast<std::uint32_t>(program_.constants_.size());
      program_.constants_.push_back(term);
      emit({.kind = Kind::kConstant, .target = target, .index = index});
    } else {
      const Kind kind = program_.defined(symbol) ? Kind::kCall : Kind::kBuild;
      emit({.kind = kind, .target = target, .symbol = symbol}, registers_of(term, point.known));
    }
    point.known.emplace(term, target);
    registers_ = std::max(registers_, point.next_register);
  }

  Program& program_;
  term::Terms& terms_;
  const term::RuleSet& rules_;
  const Symbol symbol_;
  std::uint32_t first_ = 0;
  Register registers_ = 0;
  std::vector<Point> pending_;
};

Program::Program(const term::RuleSet& rules)
    : terms_(rules.terms), own_symbols_(static_cast<std::uint32_t>(rules.terms.symbol_count())) {
  std::map<Symbol, std::vector<std::uint32_t>> by_root;
  for (std::uint32_t i = 0; i < rules.rules.size(); ++i) {
    by_root[terms_.symbol(rules.rules[i].left)].push_back(i);
  }
  defined_.resize(terms_.symbol_count());
  for (const auto& [symbol, numbers] : by_root) defined_[term::number(symbol)] = true;
  for (const auto& [symbol, numbers] : by_root) {
    FunctionCompiler(*this, rules, symbol).run(numbers);
  }
}

std::optional<Term> Program::constant_operand(const Operation& same) const {
  const auto i = static_cast<std::size_t>(&same - operations_.data());
  if (i == 0) return std::nullopt;
  const Operation& before = operations_[i - 1];
  const bool loaded = before.kind == Kind::kConstant && before.target == operands(same)[0];
  return loaded ? std::optional(constants_[before.index]) : std::nullopt;
}

}  // namespace nrs::rewrite::rules
