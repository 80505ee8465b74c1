#include "term/term.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "nrs/error.h"

namespace nrs::term {
namespace {

constexpr std::size_t kFirstSlots = 1024;
constexpr std::size_t kMostTerms = std::numeric_limits<std::uint32_t>::max() - 1;

std::uint64_t mixed(std::uint64_t h) {
  h *= 0x9e3779b97f4a7c15;
  return h ^ (h >> 29);
}

}  // namespace

Terms::Terms() : slots_(kFirstSlots, 0) {}

std::size_t Terms::HashKey::operator()(const Key& key) const {
  return mixed(std::hash<std::string_view>()(key.name) + 2 * key.arity + (key.variable ? 1 : 0));
}

Symbol Terms::intern(const Key& key) {
  if (const auto found = symbol_of_.find(key); found != symbol_of_.end()) return found->second;
  const auto symbol = static_cast<Symbol>(symbols_.size());
  symbols_.push_back({std::string(key.name), key.arity, key.variable});
  symbol_of_.emplace(Key{symbols_.back().name, key.arity, key.variable}, symbol);
  return symbol;
}

Symbol Terms::symbol(std::string_view name, std::size_t arity) {
  return intern({name, arity, false});
}

Symbol Terms::variable_symbol(std::string_view name) {
  return intern({name, 0, true});
}

std::vector<std::size_t> Terms::arities_of(std::string_view name) const {
  std::vector<std::size_t> arities;
  for (const SymbolRecord& symbol : symbols_) {
    if (!symbol.variable && symbol.name == name) arities.push_back(symbol.arity);
  }
  return arities;
}

bool Terms::has_symbol(std::string_view name, std::size_t arity) const {
  return symbol_of_.contains({name, arity, false});
}

std::size_t Terms::hash(Symbol symbol, std::span<const Term> args) const {
  std::uint64_t h = mixed(number(symbol) + 1);
  for (const Term arg : args) h = mixed(h + number(arg) + 1);
  return h;
}

bool Terms::equals(Term term, Symbol symbol, std::span<const Term> args) const {
  const Node& node = nodes_[number(term)];
  return node.symbol == symbol &&
         std::equal(args.begin(), args.end(), args_.data() + node.first_arg);
}

Term Terms::make(Symbol symbol, std::span<const Term> args) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash(symbol, args) & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const auto term = static_cast<Term>(slots_[slot] - 1);
    if (equals(term, symbol, args)) return term;
  }
  const Term made = append(symbol, args);
  slots_[slot] = number(made) + 1;
  if (2 * nodes_.size() > slots_.size()) grow_slots();
  return made;
}

Term Terms::append(Symbol symbol, std::span<const Term> args) {
  if (nodes_.size() >= kMostTerms) {
    throw Error(ErrorKind::kInput, "more than 4 billion different terms", "use smaller terms");
  }
  Node node{.symbol = symbol,
            .depth = 1,
            .first_arg = args_.size(),
            .size = 1,
            .ground = !is_variable(symbol)};
  for (const Term arg : args) {
    const Node& below = nodes_[number(arg)];
    node.depth = std::max(node.depth, below.depth + 1);
    node.ground = node.ground && below.ground;
    node.size = std::min(kHuge, node.size + below.size);
  }
  // One by one, from their places: `args` may point into args_ itself, which may move.
  const bool own = !args.empty() && std::less_equal<>()(args_.data(), args.data()) &&
                   std::less<>()(args.data(), args_.data() + args_.size());
  const std::size_t inside = own ? static_cast<std::size_t>(args.data() - args_.data()) : 0;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Term arg = own ? args_[inside + i] : args[i];
    args_.push_back(arg);
  }
  nodes_.push_back(node);
  return static_cast<Term>(nodes_.size() - 1);
}

// In the order of their numbers, as if they had been put into the larger table one by one: shrink()
// counts on that.
void Terms::grow_slots() {
  slots_.assign(2 * slots_.size(), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const auto term = static_cast<Term>(i);
    std::size_t slot = hash(symbol(term), args(term)) & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = i + 1;
  }
}

// The last term in is the first out, so no term that stays was ever moved on by one that goes.
void Terms::shrink(std::size_t count) {
  const std::size_t mask = slots_.size() - 1;
  while (nodes_.size() > count) {
    const auto last = static_cast<Term>(nodes_.size() - 1);
    std::size_t slot = hash(symbol(last), args(last)) & mask;
    while (slots_[slot] != number(last) + 1) slot = (slot + 1) & mask;
    slots_[slot] = 0;
    args_.resize(nodes_.back().first_arg);
    nodes_.pop_back();
  }
}

}  // namespace nrs::term
