#include "rewrite/rules/code.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "term/position.h"

namespace nrs::rewrite::rules {

using Kind = Operation::Kind;
using Live = std::set<Register>;

class CodeWriter {
 public:
  CodeWriter(const Program& program, Heap& heap, Code& code)
      : program_(program), heap_(heap), code_(code) {}

  void run() {
    make_constants();
    code_.words_ = {list_of({}), static_cast<std::uint32_t>(Op::kHalt)};
    code_.entries_.resize(program_.terms().symbol_count(), 0);
    places_.resize(program_.operations().size() + 1, 0);
    for (const Function& function : program_.functions()) write(function);
    for (const auto& [word, operation] : jumps_) code_.words_[word] = places_[operation];
    for (const auto& [word, operation] : table_jumps_) code_.tables_[word] = places_[operation];
    for (const auto& [word, symbol] : calls_) {
      code_.words_[word] = code_.entries_[term::number(symbol)];
    }
  }

 private:
  // Bottom up; equal terms are one node.
  void make_constants() {
    const term::Terms& terms = program_.terms();
    for (const term::Term constant : program_.constants()) {
      for (const term::Term part : term::distinct_subterms(terms, constant)) {
        if (values_.contains(part)) continue;
        std::vector<Value> args;
        for (const term::Term arg : terms.args(part)) args.push_back(values_.at(arg));
        values_[part] = heap_.make_fixed(term::number(terms.symbol(part)), args);
        if (args.empty()) constants_[term::number(terms.symbol(part))] = values_[part];
      }
    }
    code_.constants_.resize(terms.symbol_count());
    for (std::uint32_t symbol = 0; symbol < terms.symbol_count(); ++symbol) {
      const auto found = constants_.find(symbol);
      if (terms.arity(term::Symbol{symbol}) > 0) continue;
      code_.constants_[symbol] =
          found != constants_.end() ? found->second : heap_.make_fixed(symbol, {});
    }
    heap_.seal();
  }

  std::uint32_t list_of(const Live& live) {
    const auto [found, added] = lists_.try_emplace(std::vector<Register>(live.begin(), live.end()),
                                                   static_cast<std::uint32_t>(lists_.size()));
    if (added) code_.live_.push_back(found->first);
    return found->second;
  }

  // From the end: all that follows an operation has a larger number.
  void find_live(const Function& function) {
    live_.assign(function.end - function.first + 1, {});
    counted_.assign(function.end - function.first + 1, false);
    for (std::uint32_t i = function.end; i-- > function.first;) {
      const Operation& operation = program_.operations()[i];
      Live live = after(function, i);
      live.erase(defines(operation) ? operation.target : ~0u);
      const bool dropped = dead(function, i);
      if (!dropped) add_uses(function, operation, live);
      live_[i - function.first] = std::move(live);
    }
  }

  static bool defines(const Operation& operation) {
    return operation.kind == Kind::kField || operation.kind == Kind::kConstant ||
           operation.kind == Kind::kBuild || operation.kind == Kind::kCall;
  }

  // What is needed after the operation.
  Live after(const Function& function, std::uint32_t i) const {
    const Operation& operation = program_.operations()[i];
    const auto at = [&](std::uint32_t next) -> const Live& { return live_[next - function.first]; };
    Live live;
    switch (operation.kind) {
      case Kind::kReturn:
      case Kind::kTailCall:
      case Kind::kStuck:
        break;
      case Kind::kSwitch:
        live = at(operation.other);
        for (std::size_t k = 1; k < operation.operands; k += 2) {
          live.merge(Live(at(program_.operands(operation)[k])));
        }
        break;
      case Kind::kSame:
        live = at(operation.other);
        [[fallthrough]];
      default:
        live.merge(Live(at(operation.next)));
    }
    return live;
  }

  // Nobody reads what it loads.
  bool dead(const Function& function, std::uint32_t i) const {
    const Operation& operation = program_.operations()[i];
    return (operation.kind == Kind::kField || operation.kind == Kind::kConstant) &&
           !live_[i + 1 - function.first].contains(operation.target);
  }

  void add_uses(const Function& function, const Operation& operation, Live& live) const {
    const std::span<const std::uint32_t> operands = program_.operands(operation);
    switch (operation.kind) {
      case Kind::kSame:
        live.insert(operation.reg);
        if (!constant_of(operation)) live.insert(operands[0]);
        break;
      case Kind::kSwitch:
      case Kind::kField:
      case Kind::kReturn:
        live.insert(operation.reg);
        break;
      case Kind::kStuck:
        for (Register r = 0; r < program_.terms().arity(function.symbol); ++r) live.insert(r);
        break;
      case Kind::kBuild:
      case Kind::kCall:
      case Kind::kTailCall:
        live.insert(operands.begin(), operands.end());
        break;
      default:
        break;
    }
  }

  // The node of the constant symbol that a comparison is with, if it is with one.
  std::optional<Value> constant_of(const Operation& same) const {
    const std::optional<term::Term> constant = program_.constant_operand(same);
    if (!constant || !program_.terms().args(*constant).empty()) return std::nullopt;
    return values_.at(*constant);
  }

  void put(Op op) { put(static_cast<std::uint32_t>(op)); }
  void put(std::uint32_t word) { code_.words_.push_back(word); }
  void put_jump(std::uint32_t operation) {
    jumps_.emplace_back(code_.words_.size(), operation);
    put(0u);
  }
  void put_entry(term::Symbol symbol) {
    calls_.emplace_back(code_.words_.size(), symbol);
    put(0u);
  }
  void put_all(std::span<const std::uint32_t> words) {
    code_.words_.insert(code_.words_.end(), words.begin(), words.end());
  }

  void write(const Function& function) {
    find_live(function);
    find_counted(function);
    put(function.registers);
    code_.entries_[term::number(function.symbol)] = static_cast<std::uint32_t>(code_.words_.size());
    for (std::uint32_t i = function.first; i < function.end; ++i) {
      places_[i] = static_cast<std::uint32_t>(code_.words_.size());
      if (!dead(function, i)) write(function, i);
    }
  }

  // A step is counted by its last instruction, unless there is a call before that: it might never
  // come back.
  void find_counted(const Function& function) {
    for (std::uint32_t i = function.first; i < function.end; ++i) {
      if (program_.operations()[i].kind != Kind::kStep) continue;
      std::uint32_t last = i;
      bool calls = false;
      while (program_.operations()[last].kind != Kind::kReturn &&
             program_.operations()[last].kind != Kind::kTailCall) {
        calls = calls || program_.operations()[last].kind == Kind::kCall;
        ++last;
      }
      counted_[(calls ? i : last) - function.first] = true;
    }
  }

  void write(const Function& function, std::uint32_t i) {
    const Operation& operation = program_.operations()[i];
    const bool counted = counted_[i - function.first];
    switch (operation.kind) {
      case Kind::kSwitch:
        write_switch(operation);
        break;
      case Kind::kField:
        put(Op::kField);
        put_all(std::array{operation.target, operation.reg, operation.index + 1});
        break;
      case Kind::kSame:
        write_same(operation, i);
        break;
      case Kind::kConstant:
        put(Op::kConstant);
        put(operation.target);
        put(values_.at(program_.constants()[operation.index]));
        break;
      case Kind::kBuild:
        write_build(function, operation, i);
        break;
      case Kind::kCall:
        write_call(function, operation, i);
        break;
      case Kind::kStep:
        if (counted) put(Op::kStep);
        break;
      case Kind::kReturn:
        put(counted ? Op::kReturnStep : Op::kReturn);
        put(operation.reg);
        break;
      case Kind::kTailCall:
        write_tail(operation, counted);
        break;
      case Kind::kStuck:
        put(Op::kStuck);
        put(list_of(live_[i - function.first]));
        put(term::number(function.symbol));
        put(static_cast<std::uint32_t>(program_.terms().arity(function.symbol)));
        break;
    }
  }

  void write_switch(const Operation& operation) {
    const std::span<const std::uint32_t> operands = program_.operands(operation);
    const std::size_t cases = operands.size() / 2;
    put(cases == 1 ? Op::kSwitch1 : cases == 2 ? Op::kSwitch2 : Op::kSwitchTable);
    put(operation.reg);
    if (cases <= 2) {
      for (std::size_t k = 0; k < operands.size(); k += 2) {
        put(operands[k]);
        put_jump(operands[k + 1]);
      }
    } else {
      const std::size_t table = code_.tables_.size();
      put(static_cast<std::uint32_t>(table));
      code_.tables_.resize(table + program_.terms().symbol_count(), 0);
      for (std::size_t k = 0; k < operands.size(); k += 2) {
        table_jumps_.emplace_back(table + operands[k], operands[k + 1]);
      }
    }
    put_jump(operation.other);
  }

  void write_same(const Operation& operation, std::uint32_t i) {
    const bool inverted = operation.next != i + 1;
    if (const std::optional<Value> value = constant_of(operation)) {
      put(inverted ? Op::kIfValue : Op::kUnlessValue);
      put(operation.reg);
      put(*value);
    } else {
      put(inverted ? Op::kIfSame : Op::kUnlessSame);
      put(operation.reg);
      put(program_.operands(operation)[0]);
    }
    put_jump(inverted ? operation.next : operation.other);
  }

  void write_build(const Function& function, const Operation& operation, std::uint32_t i) {
    const std::span<const std::uint32_t> args = program_.operands(operation);
    put(args.size() == 1 ? Op::kBuild1 : args.size() == 2 ? Op::kBuild2 : Op::kBuild);
    put(list_of(live_[i - function.first]));
    put(operation.target);
    put(term::number(operation.symbol));
    if (args.size() > 2) put(static_cast<std::uint32_t>(args.size()));
    put_all(args);
  }

  void write_call(const Function& function, const Operation& operation, std::uint32_t i) {
    const std::span<const std::uint32_t> args = program_.operands(operation);
    put(args.size() == 1 ? Op::kCall1 : args.size() == 2 ? Op::kCall2 : Op::kCall);
    put_entry(operation.symbol);
    put(function.registers);
    put(operation.target);
    if (args.empty() || args.size() > 2) put(static_cast<std::uint32_t>(args.size()));
    put_all(args);
    Live live = after(function, i);
    live.erase(operation.target);
    put(list_of(live));
  }

  void write_tail(const Operation& operation, bool counted) {
    const std::span<const std::uint32_t> args = program_.operands(operation);
    const Op plain = args.size() == 1 ? Op::kTail1 : args.size() == 2 ? Op::kTail2 : Op::kTail;
    const auto step =
        static_cast<std::uint32_t>(Op::kStepTail1) - static_cast<std::uint32_t>(Op::kTail1);
    put(static_cast<std::uint32_t>(plain) + (counted ? step : 0));
    put_entry(operation.symbol);
    if (args.empty() || args.size() > 2) put(static_cast<std::uint32_t>(args.size()));
    put_all(args);
  }

  const Program& program_;
  Heap& heap_;
  Code& code_;
  std::map<term::Term, Value> values_;
  std::map<std::uint32_t, Value> constants_;
  std::map<std::vector<Register>, std::uint32_t> lists_;
  std::vector<std::uint32_t> places_;  // of each operation
  std::vector<std::pair<std::size_t, std::uint32_t>> jumps_;
  std::vector<std::pair<std::size_t, std::uint32_t>> table_jumps_;
  std::vector<std::pair<std::size_t, term::Symbol>> calls_;
  std::vector<Live> live_;     // before each operation of the function
  std::vector<bool> counted_;  // of each operation: whether it counts the step
};

Code::Code(const Program& program, Heap& heap) {
  CodeWriter(program, heap, *this).run();
}

}  // namespace nrs::rewrite::rules
