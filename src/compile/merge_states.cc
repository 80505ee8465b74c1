#include "compile/merge_states.h"

#include <algorithm>
#include <deque>
#include <map>

#include "nrs/error.h"

namespace nrs::compile {
namespace {

constexpr std::uint8_t kAmbiguous =
    0xFF;                           // a question that was answered differently in one context
constexpr std::uint32_t kNone = 0;  // no node
constexpr std::size_t kFewest = 3;  // rows that make a context worth a state of its own

// A context, first alone, then with all that were merged into it.
struct Node {
  std::vector<std::pair<std::uint8_t, std::uint32_t>> next;     // by symbol
  std::vector<std::pair<std::uint32_t, std::uint8_t>> answers;  // by question, in order
  std::uint32_t rows = 0;

  std::uint32_t* find(std::uint8_t symbol) {
    for (auto& [one, node] : next) {
      if (one == symbol) return &node;
    }
    return nullptr;
  }
};

class Merger {
 public:
  Merger(std::span<const SymbolRow> rows, std::size_t symbols, std::size_t most)
      : symbols_(symbols), most_(most) {
    nodes_.resize(2);  // none, and the start
    for (const SymbolRow& row : rows) add(row);
  }

  Automaton run() {
    reds_ = {kNone, 1};
    for (std::uint32_t blue = 0; next_blue(blue);) place(blue);
    Automaton automaton{.symbols = symbols_, .next = std::vector<std::uint8_t>(symbols_, 0)};
    std::map<std::uint32_t, std::uint8_t> numbers;
    for (std::size_t i = 1; i < reds_.size(); ++i) numbers[reds_[i]] = static_cast<std::uint8_t>(i);
    automaton.next.resize(reds_.size() * symbols_);
    for (std::size_t i = 1; i < reds_.size(); ++i) {
      for (const auto& [symbol, node] : nodes_[reds_[i]].next) {
        if (node != kNone) automaton.next[i * symbols_ + symbol] = numbers.at(node);
      }
    }
    return automaton;
  }

 private:
  void add(const SymbolRow& row) {
    std::uint32_t at = 1;
    for (std::size_t i = 0; i < row.symbols.size(); ++i) {
      ++nodes_[at].rows;
      answer(nodes_[at], row.questions[i], row.answers[i]);
      if (const std::uint32_t* next = nodes_[at].find(row.symbols[i])) {
        at = *next;
        continue;
      }
      const auto fresh = static_cast<std::uint32_t>(nodes_.size());
      nodes_[at].next.emplace_back(row.symbols[i], fresh);
      nodes_.emplace_back();
      at = fresh;
    }
  }

  static void answer(Node& node, std::uint32_t question, std::uint8_t answer) {
    const auto place = std::ranges::lower_bound(node.answers, std::pair(question, std::uint8_t{0}));
    if (place == node.answers.end() || place->first != question) {
      node.answers.emplace(place, question, answer);
    } else if (place->second != answer) {
      place->second = kAmbiguous;
    }
  }

  // The context with most rows that a state leads to and that is no state yet.
  bool next_blue(std::uint32_t& blue) {
    std::uint32_t best_rows = 0;
    for (std::size_t i = 1; i < reds_.size(); ++i) {
      for (const auto& entry : nodes_[reds_[i]].next) {
        const std::uint32_t node = entry.second;
        if (node == kNone || is_red(node) || nodes_[node].rows <= best_rows) continue;
        best_rows = nodes_[node].rows;
        blue = node;
      }
    }
    if (best_rows == 0) drop_empty();
    return best_rows > 0;
  }

  // What only ends rows is asked nothing and leads nowhere.
  void drop_empty() {
    for (std::size_t i = 1; i < reds_.size(); ++i) {
      for (auto& entry : nodes_[reds_[i]].next) {
        if (entry.second != kNone && !is_red(entry.second)) entry.second = kNone;
      }
    }
  }

  bool is_red(std::uint32_t node) const { return std::ranges::find(reds_, node) != reds_.end(); }

  // Into the state that it agrees with most, or makes it one; forgets it if too little is known.
  void place(std::uint32_t blue) {
    std::size_t best = 0, best_score = 0;
    for (std::size_t i = 1; i < reds_.size(); ++i) {
      std::size_t score = 0;
      redirect(blue, reds_[i]);
      const bool fits = fold(reds_[i], blue, score);
      undo();
      if (fits && score > best_score) {
        best = i;
        best_score = score;
      }
    }
    if (best > 0) {
      std::size_t score = 0;
      redirect(blue, reds_[best]);
      fold(reds_[best], blue, score);
      journal_.clear();
    } else if (nodes_[blue].rows < kFewest) {
      redirect(blue, kNone);
      journal_.clear();
    } else {
      if (reds_.size() > most_) {
        throw Error(ErrorKind::kInput,
                    "its leaves depend on too much: the automata would need "
                    "too many states");
      }
      reds_.push_back(blue);
    }
  }

  // First of all, so that what is folded below goes where it will be read.
  void redirect(std::uint32_t from, std::uint32_t to) {
    for (std::size_t i = 1; i < reds_.size(); ++i) {
      for (auto& entry : nodes_[reds_[i]].next) {
        if (entry.second != from) continue;
        journal_.push_back({reds_[i], from, Change::kTarget, entry.first});
        entry.second = to;
      }
    }
  }

  // Puts all that is known of a tree of contexts into what is known of another; false where they
  // contradict each other. What it changes is in the journal.
  bool fold(std::uint32_t into, std::uint32_t from, std::size_t& score) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> todo = {{into, from}};
    while (!todo.empty()) {
      const auto [a, b] = todo.back();
      todo.pop_back();
      if (!fold_answers(a, b, score)) return false;
      for (const auto& [symbol, target] : nodes_[b].next) {
        if (target == kNone) continue;
        std::uint32_t* const known = nodes_[a].find(symbol);
        if (known == nullptr) {
          journal_.push_back({a, nodes_[a].next.size(), Change::kNext});
          nodes_[a].next.emplace_back(symbol, target);
        } else if (*known == kNone) {
          continue;  // forgotten before
        } else {
          todo.emplace_back(*known, target);
        }
      }
    }
    return true;
  }

  bool fold_answers(std::uint32_t a, std::uint32_t b, std::size_t& score) {
    std::vector<std::pair<std::uint32_t, std::uint8_t>>& known = nodes_[a].answers;
    journal_.push_back({a, nodes_[b].rows, Change::kRows});
    nodes_[a].rows += nodes_[b].rows;
    for (const auto& [question, answer] : nodes_[b].answers) {
      const auto place = std::ranges::lower_bound(known, std::pair(question, std::uint8_t{0}));
      if (place == known.end() || place->first != question) {
        known.emplace(place, question, answer);
        journal_.push_back({a, question, Change::kAnswer});
      } else if (place->second == answer) {
        ++score;
      } else if (place->second != kAmbiguous && answer != kAmbiguous) {
        return false;
      }
    }
    return true;
  }

  void undo() {
    for (; !journal_.empty(); journal_.pop_back()) {
      const Change& change = journal_.back();
      Node& node = nodes_[change.node];
      if (change.kind == Change::kTarget) {
        *node.find(change.symbol) = static_cast<std::uint32_t>(change.what);
      } else if (change.kind == Change::kNext) {
        node.next.pop_back();
      } else if (change.kind == Change::kRows) {
        node.rows -= static_cast<std::uint32_t>(change.what);
      } else {
        const std::pair key(static_cast<std::uint32_t>(change.what), std::uint8_t{0});
        node.answers.erase(std::ranges::lower_bound(node.answers, key));
      }
    }
  }

  struct Change {
    std::uint32_t node = 0;
    std::size_t what = 0;
    enum Kind { kTarget, kNext, kAnswer, kRows } kind = kNext;
    std::uint8_t symbol = 0;
  };

  std::size_t symbols_;
  std::size_t most_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> reds_;  // the states: nodes by number
  std::vector<Change> journal_;
};

}  // namespace

Automaton merge_states(std::span<const SymbolRow> rows, std::size_t symbols, std::size_t most) {
  return Merger(rows, symbols, most).run();
}

}  // namespace nrs::compile
