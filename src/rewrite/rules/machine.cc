#include "rewrite/rules/machine.h"

#include <algorithm>
#include <new>
#include <unordered_map>

#include "term/position.h"

// The addresses of labels, an extension of GCC and Clang: a third faster than a switch, because
// every instruction then has a jump of its own to be predicted.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

namespace nrs::rewrite::rules {
namespace {

constexpr std::size_t kFirstRegisters = std::size_t{1} << 16;
constexpr std::size_t kFirstFrames = std::size_t{1} << 14;

struct StepLimit {};

std::vector<std::uint32_t> arities_of(const term::Terms& terms) {
  std::vector<std::uint32_t> arities;
  for (std::uint32_t i = 0; i < terms.symbol_count(); ++i) {
    arities.push_back(static_cast<std::uint32_t>(terms.arity(term::Symbol{i})));
  }
  return arities;
}

}  // namespace

Machine::Machine(const Program& program, MachineLimits limits)
    : program_(program),
      limits_(limits),
      arities_(arities_of(program.terms())),
      heap_(arities_, limits.max_bytes, limits.first_bytes),
      code_(program, heap_),
      stack_(kFirstRegisters),
      frames_(kFirstFrames) {
  for (const std::uint32_t arity : arities_)
    moved_.resize(std::max<std::size_t>(moved_.size(), arity));
}

// Symbols that came after those of the rules have numbers that the program may use for others of
// its own, which never occur in terms.
void Machine::learn_symbols(const term::Terms& terms) {
  arities_.resize(std::max(arities_.size(), terms.symbol_count()));
  for (std::uint32_t i = program_.own_symbols(); i < terms.symbol_count(); ++i) {
    arities_[i] = static_cast<std::uint32_t>(terms.arity(term::Symbol{i}));
  }
}

std::optional<term::Term> Machine::normal_form(term::Terms& terms, term::Term term) {
  ended_ = Ended::kNormalForm;
  steps_left_ = limits_.max_steps;
  std::optional<term::Term> result;
  try {
    learn_symbols(terms);
    evaluate_all(terms, term::distinct_subterms(terms, term));
    roots_ = {roots_.back()};
    result = read_back(terms);
  } catch (const StepLimit&) {
    ended_ = Ended::kStepLimit;
  } catch (const OutOfMemory&) {
    ended_ = Ended::kMemoryLimit;
  } catch (const std::bad_alloc&) {
    ended_ = Ended::kMemoryLimit;
  }
  steps_ = limits_.max_steps - steps_left_;
  heap_.clear();
  roots_ = {};
  pending_ = 0;
  return result;
}

// Arguments come before the terms that have them, and equal parts once.
void Machine::evaluate_all(const term::Terms& terms, std::span<const term::Term> parts) {
  std::unordered_map<term::Term, std::size_t> root_of;
  std::vector<Value> args;
  for (const term::Term part : parts) {
    args.clear();
    for (const term::Term arg : terms.args(part)) args.push_back(roots_[root_of.at(arg)]);
    root_of.emplace(part, roots_.size());
    roots_.push_back(apply(term::number(terms.symbol(part)), args));
  }
}

Value Machine::apply(std::uint32_t symbol, std::span<const Value> args) {
  if (const std::uint32_t entry = symbol < program_.own_symbols() ? code_.entry(symbol) : 0) {
    return run(entry, args);
  }
  if (args.empty() && symbol < program_.own_symbols()) return code_.constant(symbol);
  return make_node(symbol, args);
}

Value Machine::make_node(std::uint32_t symbol, std::span<const Value> args) {
  const std::size_t words = node_words(args.size());
  std::copy(args.begin(), args.end(), grow_stack(0, args.size()));
  if (heap_.top() + words > heap_.limit()) {
    const std::size_t count = roots_.size();
    roots_.insert(roots_.end(), args.begin(), args.end());
    collect(0, 0, words);
    std::copy(roots_.begin() + static_cast<std::ptrdiff_t>(count), roots_.end(), stack_.begin());
    roots_.resize(count);
  }
  const auto node = static_cast<Value>(heap_.top());
  heap_.words()[node] = symbol;
  std::copy_n(stack_.begin(), args.size(), heap_.words() + node + 1);
  heap_.set_top(node + words);
  return node;
}

// Memory of the live registers of all pending calls, and of the one at `base`.
void Machine::collect(std::size_t base, std::uint32_t live, std::size_t words) {
  heap_.collect(
      [&](const Heap::VisitRoot& visit) {
        for (Value& root : roots_) visit(root);
        for (const Register reg : code_.live(live)) visit(stack_[base + reg]);
        for (std::size_t i = pending_; i-- > 0;) {
          base -= frames_[i].size;
          for (const Register reg : code_.live(code_.words()[frames_[i].place - 1])) {
            visit(stack_[base + reg]);
          }
        }
      },
      words);
}

// Room for so many registers from `base` on.
Value* Machine::grow_stack(std::size_t base, std::size_t count) {
  if (base + count > stack_.size()) {
    if ((base + count) * sizeof(Value) > limits_.max_bytes) throw OutOfMemory();
    stack_.resize(std::max(base + count, 2 * stack_.size()));
  }
  return stack_.data() + base;
}

void Machine::push_frame(const Frame& frame) {
  if (pending_ == frames_.size()) {
    if (2 * pending_ * sizeof(Frame) > limits_.max_bytes) throw OutOfMemory();
    frames_.resize(2 * pending_);
  }
  frames_[pending_++] = frame;
}

// The instructions are described in code.h. Long, because all of them share the registers of the
// machine, which must not go to memory between two of them.
Value Machine::run(std::uint32_t entry, std::span<const Value> args) {
  static const void* const kLabels[] = {
      &&halt,        &&switch1,      &&switch2,  &&switch_table, &&field,      &&unless_same,
      &&if_same,     &&unless_value, &&if_value, &&constant,     &&build1,     &&build2,
      &&build,       &&call1,        &&call2,    &&call,         &&step,       &&return_,
      &&return_step, &&tail1,        &&tail2,    &&tail,         &&step_tail1, &&step_tail2,
      &&step_tail,   &&stuck};
  const std::uint32_t* const code = code_.words().data();
  const std::uint32_t* const tables = code_.tables().data();
  const std::uint32_t symbols = code_.symbols();
  std::uint32_t* words = heap_.words();
  std::size_t top = heap_.top();
  std::size_t limit = heap_.limit();
  std::size_t steps = steps_left_;
  std::size_t base = 0;
  Value* r = grow_stack(0, std::max<std::size_t>(code[entry - 1], args.size()));
  std::copy(args.begin(), args.end(), r);
  pending_ = 0;
  push_frame({Code::kHaltPlace, 0, 0});
  const std::uint32_t* p = code + entry;
  Value value = 0;

  const auto make_room = [&](std::uint32_t live, std::size_t size) {
    heap_.set_top(top);
    steps_left_ = steps;
    collect(base, live, size);
    words = heap_.words();
    top = heap_.top();
    limit = heap_.limit();
  };
  // A new frame above the registers of the caller; p is behind the call.
  const auto enter = [&](std::uint32_t place, std::uint32_t target, std::uint32_t size) {
    steps_left_ = steps;
    push_frame({static_cast<std::uint32_t>(p - code), target, size});
    base += size;
    p = code + place;
    if (base + p[-1] > stack_.size()) grow_stack(base, p[-1]);
    r = stack_.data() + base;
  };
  const auto count = [&] {
    if (steps == 0) {
      steps_left_ = 0;
      throw StepLimit();
    }
    --steps;
  };

#define NRS_NEXT goto* kLabels[*p++]
  NRS_NEXT;

switch1 : {
  const std::uint32_t symbol = words[r[p[0]]];
  p = code + (symbol == p[1] ? p[2] : p[3]);
  NRS_NEXT;
}
switch2 : {
  const std::uint32_t symbol = words[r[p[0]]];
  p = code + (symbol == p[1] ? p[2] : symbol == p[3] ? p[4] : p[5]);
  NRS_NEXT;
}
switch_table : {
  const std::uint32_t symbol = words[r[p[0]]];
  const std::uint32_t found = symbol < symbols ? tables[p[1] + symbol] : 0;
  p = code + (found != 0 ? found : p[2]);
  NRS_NEXT;
}
field:
  r[p[0]] = words[r[p[1]] + p[2]];
  p += 3;
  NRS_NEXT;
unless_same:
  p = heap_.same(r[p[0]], r[p[1]]) ? p + 3 : code + p[2];
  NRS_NEXT;
if_same:
  p = heap_.same(r[p[0]], r[p[1]]) ? code + p[2] : p + 3;
  NRS_NEXT;
unless_value:
  p = r[p[0]] == p[1] ? p + 3 : code + p[2];
  NRS_NEXT;
if_value:
  p = r[p[0]] == p[1] ? code + p[2] : p + 3;
  NRS_NEXT;
constant:
  r[p[0]] = p[1];
  p += 2;
  NRS_NEXT;
build1 : {
  if (top + 2 > limit) make_room(p[0], 2);
  std::uint32_t* node = words + top;
  node[0] = p[2];
  node[1] = r[p[3]];
  r[p[1]] = static_cast<Value>(top);
  top += 2;
  p += 4;
  NRS_NEXT;
}
build2 : {
  if (top + 3 > limit) make_room(p[0], 3);
  std::uint32_t* node = words + top;
  node[0] = p[2];
  node[1] = r[p[3]];
  node[2] = r[p[4]];
  r[p[1]] = static_cast<Value>(top);
  top += 3;
  p += 5;
  NRS_NEXT;
}
build : {
  const std::uint32_t arity = p[3];
  const std::size_t size = node_words(arity);
  if (top + size > limit) make_room(p[0], size);
  std::uint32_t* node = words + top;
  node[0] = p[2];
  for (std::uint32_t i = 0; i < arity; ++i) node[1 + i] = r[p[4 + i]];
  r[p[1]] = static_cast<Value>(top);
  top += size;
  p += 4 + arity;
  NRS_NEXT;
}
call1 : {
  const Value a = r[p[3]];
  const std::uint32_t* const call = p;
  p += 5;
  enter(call[0], call[2], call[1]);
  r[0] = a;
  NRS_NEXT;
}
call2 : {
  const Value a = r[p[3]];
  const Value b = r[p[4]];
  const std::uint32_t* const call = p;
  p += 6;
  enter(call[0], call[2], call[1]);
  r[0] = a;
  r[1] = b;
  NRS_NEXT;
}
call : {
  const std::uint32_t* const call = p;
  const std::uint32_t arity = call[3];
  p += 5 + arity;
  enter(call[0], call[2], call[1]);
  const Value* const caller = r - call[1];
  for (std::uint32_t i = 0; i < arity; ++i) r[i] = caller[call[4 + i]];
  NRS_NEXT;
}
step:
  count();
  NRS_NEXT;
return_step:
  count();
return_ : {
  value = r[*p];
returned:
  const Frame& frame = frames_[--pending_];
  base -= frame.size;
  r -= frame.size;
  r[frame.target] = value;
  p = code + frame.place;
  NRS_NEXT;
}
step_tail1:
  count();
tail1 : {
  const Value a = r[p[1]];
  p = code + p[0];
  if (base + p[-1] > stack_.size()) r = grow_stack(base, p[-1]);
  r[0] = a;
  NRS_NEXT;
}
step_tail2:
  count();
tail2 : {
  const Value a = r[p[1]];
  const Value b = r[p[2]];
  p = code + p[0];
  if (base + p[-1] > stack_.size()) r = grow_stack(base, p[-1]);
  r[0] = a;
  r[1] = b;
  NRS_NEXT;
}
step_tail:
  count();
tail : {
  // An argument may be needed after its register is overwritten.
  const std::uint32_t arity = p[1];
  for (std::uint32_t i = 0; i < arity; ++i) moved_[i] = r[p[2 + i]];
  p = code + p[0];
  if (base + p[-1] > stack_.size()) r = grow_stack(base, p[-1]);
  for (std::uint32_t i = 0; i < arity; ++i) r[i] = moved_[i];
  NRS_NEXT;
}
stuck : {
  const std::uint32_t arity = p[2];
  if (arity == 0) {
    value = code_.constant(p[1]);
    goto returned;
  }
  if (top + 1 + arity > limit) make_room(p[0], 1 + arity);
  words[top] = p[1];
  std::copy_n(r, arity, words + top + 1);
  value = static_cast<Value>(top);
  top += 1 + arity;
  goto returned;
}
halt:
#undef NRS_NEXT
  heap_.set_top(top);
  steps_left_ = steps;
  return value;
}

// Bottom up over the nodes that the value needs, each once; no others are left when it begins.
term::Term Machine::read_back(term::Terms& terms) {
  collect(0, 0, 0);
  const Value root = roots_.back();
  std::vector<std::uint32_t> done(heap_.top(), 0);  // the number of its term plus one
  std::vector<Value> open{root};
  std::vector<term::Term> args;
  while (!open.empty()) {
    const Value node = open.back();
    args.clear();
    const std::size_t waiting = open.size();
    for (std::uint32_t i = done[node] == 0 ? heap_.arity(node) : 0; i-- > 0;) {
      if (done[heap_.arg(node, i)] == 0) open.push_back(heap_.arg(node, i));
    }
    if (open.size() > waiting) continue;
    open.pop_back();
    if (done[node] != 0) continue;
    for (std::uint32_t i = 0; i < heap_.arity(node); ++i) {
      args.push_back(static_cast<term::Term>(done[heap_.arg(node, i)] - 1));
    }
    done[node] = term::number(terms.make(term::Symbol{heap_.symbol(node)}, args)) + 1;
  }
  return static_cast<term::Term>(done[root] - 1);
}

}  // namespace nrs::rewrite::rules

#pragma GCC diagnostic pop
