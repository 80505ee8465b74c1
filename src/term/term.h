#pragma once
// Terms: symbols, and a store in which equal terms are one node.
//
//   Terms terms;
//   const Symbol s = terms.symbol("s", 1);
//   const Term zero = terms.constant("0");
//   const Term one = terms.make(s, {zero});
//   terms.args(one)[0] == zero;              // equal terms have equal numbers
//   const Term x = terms.variable("x");      // a variable is a term with a symbol of its own kind
//
// A term is a number that means something only together with the store that made it. Arguments are
// made before the term that has them, so their numbers are smaller, no term contains itself, and
// nothing here or in the files beside it recurses: a term may be a million deep.
#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace nrs::term {

// A function symbol or a variable of one store.
enum class Symbol : std::uint32_t {};
// A term of one store.
enum class Term : std::uint32_t {};

constexpr std::uint32_t number(Symbol symbol) {
  return static_cast<std::uint32_t>(symbol);
}
constexpr std::uint32_t number(Term term) {
  return static_cast<std::uint32_t>(term);
}

// Not thread-safe while terms are made; reading from several threads is fine.
class Terms {
 public:
  Terms();

  // The function symbol of this name and arity; made if it is new. The same name with another arity
  // is another symbol: readers that allow only one arity look at arities_of() first.
  Symbol symbol(std::string_view name, std::size_t arity);
  // The symbol of a variable; never the same as a constant of that name.
  Symbol variable_symbol(std::string_view name);
  // All arities, in order of first use, with which a name stands for a function symbol.
  std::vector<std::size_t> arities_of(std::string_view name) const;
  // Whether the function symbol is known already.
  bool has_symbol(std::string_view name, std::size_t arity) const;

  const std::string& name(Symbol symbol) const { return symbols_[number(symbol)].name; }
  std::size_t arity(Symbol symbol) const { return symbols_[number(symbol)].arity; }
  bool is_variable(Symbol symbol) const { return symbols_[number(symbol)].variable; }
  // Symbols have the numbers 0 to symbol_count() - 1, variables among them.
  std::size_t symbol_count() const { return symbols_.size(); }

  // The term of a symbol and as many arguments as its arity says.
  Term make(Symbol symbol, std::span<const Term> args);
  Term make(Symbol symbol, std::initializer_list<Term> args) {
    return make(symbol, std::span(args.begin(), args.size()));
  }
  Term constant(std::string_view name) { return make(symbol(name, 0), {}); }
  Term variable(std::string_view name) { return make(variable_symbol(name), {}); }

  Symbol symbol(Term term) const { return nodes_[number(term)].symbol; }
  // Valid until the next term is made.
  std::span<const Term> args(Term term) const {
    const Node& node = nodes_[number(term)];
    return {args_.data() + node.first_arg, symbols_[number(node.symbol)].arity};
  }
  Term arg(Term term, std::size_t i) const { return args_[nodes_[number(term)].first_arg + i]; }
  bool is_variable(Term term) const { return is_variable(symbol(term)); }
  // No variable in it.
  bool ground(Term term) const { return nodes_[number(term)].ground; }
  // Symbols in it, written out as a tree; kHuge if they are more than that. Nodes are shared, so a
  // small store can hold a term that is too large to write.
  std::uint64_t size(Term term) const { return nodes_[number(term)].size; }
  static constexpr std::uint64_t kHuge = std::uint64_t{1} << 62;
  // A constant or a variable has depth 1.
  std::size_t depth(Term term) const { return nodes_[number(term)].depth; }

  // Terms have the numbers 0 to count() - 1.
  std::size_t count() const { return nodes_.size(); }
  // Forgets all terms but the first `count`, as count() was at some time. Symbols stay.
  void shrink(std::size_t count);

 private:
  struct SymbolRecord {
    std::string name;
    std::size_t arity;
    bool variable;
  };
  struct Key {  // points into a SymbolRecord
    std::string_view name;
    std::size_t arity;
    bool variable;
    bool operator==(const Key&) const = default;
  };
  struct HashKey {
    std::size_t operator()(const Key& key) const;
  };
  struct Node {
    Symbol symbol;
    std::uint32_t depth;
    std::uint64_t first_arg;
    std::uint64_t size;
    bool ground;
  };

  Symbol intern(const Key& key);
  std::size_t hash(Symbol symbol, std::span<const Term> args) const;
  bool equals(Term term, Symbol symbol, std::span<const Term> args) const;
  Term append(Symbol symbol, std::span<const Term> args);
  void grow_slots();

  std::deque<SymbolRecord> symbols_;  // a deque: names stay where they are
  std::unordered_map<Key, Symbol, HashKey> symbol_of_;
  std::vector<Node> nodes_;
  std::vector<Term> args_;
  // Open addressing with linear probing: the number of a term plus 1, or 0.
  std::vector<std::uint32_t> slots_;
};

}  // namespace nrs::term
