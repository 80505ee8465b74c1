#include "compile/compile_selector.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/threads.h"
#include "compile/byte_kinds.h"
#include "compile/merge_states.h"

namespace nrs::compile {
namespace {

using runtime::Mark;
using runtime::MarkAutomata;

constexpr std::size_t kMostStates = MarkAutomata::kMostStates - 2;
constexpr std::size_t kKeptDisagreements = 20;
constexpr std::size_t kLearnt = 2000;         // formulas that one comparison adds to the sample
constexpr int kMostRepairs = 12;
constexpr std::size_t kLongestLearnt = 400;   // longer formulas show nothing new
constexpr std::uint64_t kDrawnAtOnce = 256;
constexpr std::uint64_t kComparedFrom = std::uint64_t{1} << 40;  // numbers of texts not learnt from

class SelectorCompiler {
 public:
  explicit SelectorCompiler(const SelectorRequest& request) : request_(request) {}

  CompiledSelector run() {
    draw_sample();
    report("kinds of characters");
    kinds_ = find_kinds(*request_.selector, request_.texts, sample_, request_.threads);
    CompiledSelector result;
    for (;; ++result.repairs) {
      learn();
      automata_.check();
      result.comparison = compare(result.repairs);
      if (result.comparison.different + result.comparison.unknown == 0) break;
      if (result.repairs == kMostRepairs) break;
    }
    result.automata = std::move(automata_);
    return result;
  }

 private:
  void report(const std::string& what) const {
    if (request_.progress && !request_.progress(what)) throw Interrupted{};
  }

  void draw_sample() {
    std::unordered_set<std::string> seen;
    std::uint64_t characters = 0;
    for (std::uint64_t number = 0; characters < request_.sample; number += kDrawnAtOnce) {
      std::vector<std::string> texts;
      for (std::uint64_t i = 0; i < kDrawnAtOnce; ++i) {
        for (std::string& text : request_.texts.draw(number + i)) {
          if (text.size() > kLongestLearnt || !seen.insert(text).second) continue;
          characters += text.size();
          texts.push_back(std::move(text));
        }
      }
      if (texts.empty() && number > 64 * kDrawnAtOnce) break;  // there are no more
      learn_from(label(*request_.selector, std::move(texts), request_.threads));
      report(fmt::format("marks of {} characters", characters));
    }
  }

  void learn_from(std::vector<Labelled> labelled) {
    std::ranges::move(labelled, std::back_inserter(sample_));
  }

  // First from the left, where the next mark stands for what is to the right; then in turn, each
  // side with the states of the other.
  void learn() {
    report(fmt::format("states, from {} formulas", sample_.size()));
    const Automaton first = merge_states(rows([this](const Labelled& one, SymbolRow& row) {
                                           ask_next_marks(one, row);
                                         }),
                                         kinds_.count, kMostStates);
    report(fmt::format("{} states from the left", first.states()));
    const Automaton right = merge_states(backwards(first), kinds_.count, kMostStates);
    report(fmt::format("{} states from the right", right.states()));
    const Automaton left = merge_states(forwards(right), kinds_.count, kMostStates);
    report(fmt::format("{} states from the left", left.states()));
    fill(left, merge_states(backwards(left), kinds_.count, kMostStates));
  }

  template <class Ask>
  std::vector<SymbolRow> rows(const Ask& ask) const {
    std::vector<SymbolRow> all(sample_.size());
    for (std::size_t i = 0; i < sample_.size(); ++i) {
      for (const char c : sample_[i].text) all[i].symbols.push_back(kind(c));
      for (const Mark mark : sample_[i].marks) {
        all[i].answers.push_back(static_cast<std::uint8_t>(mark));
      }
      ask(sample_[i], all[i]);
    }
    return all;
  }

  std::uint8_t kind(char c) const { return kinds_.kind_of[static_cast<unsigned char>(c)]; }
  std::uint32_t question(std::uint8_t kind_here, std::uint32_t rest) const {
    return static_cast<std::uint32_t>(kind_here + kinds_.count * rest);
  }

  // The kind of the character, that of the next one and its mark.
  void ask_next_marks(const Labelled& one, SymbolRow& row) const {
    const std::size_t size = one.text.size();
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t next = i + 1 == size ? 0 : row.symbols[i + 1];
      const std::uint32_t mark = i + 1 == size ? 3 : static_cast<std::uint32_t>(one.marks[i + 1]);
      row.questions.push_back(question(row.symbols[i], 4 * next + mark));
    }
  }

  std::vector<SymbolRow> backwards(const Automaton& left) const {
    std::vector<SymbolRow> all = rows([&](const Labelled&, SymbolRow& row) {
      std::uint8_t state = MarkAutomata::kEdge;
      for (const std::uint8_t symbol : row.symbols) {
        row.questions.push_back(question(symbol, state));
        state = left.step(state, symbol);
      }
      std::ranges::reverse(row.symbols);
      std::ranges::reverse(row.questions);
      std::ranges::reverse(row.answers);
    });
    return all;
  }

  std::vector<SymbolRow> forwards(const Automaton& right) const {
    return rows([&](const Labelled&, SymbolRow& row) {
      std::uint8_t state = MarkAutomata::kEdge;
      for (std::size_t i = row.symbols.size(); i-- > 0;) {
        row.questions.push_back(question(row.symbols[i], state));
        state = right.step(state, row.symbols[i]);
      }
      std::ranges::reverse(row.questions);
    });
  }

  // The table of marks: what the sample says, and nothing where it says nothing or two things.
  void fill(const Automaton& left, const Automaton& right) {
    automata_ = {.class_of = kinds_.kind_of,
                 .classes = kinds_.count,
                 .left = left.next,
                 .right = right.next,
                 .marks = {}};
    automata_.marks.assign(left.states() * kinds_.count * right.states(), Mark::kUnknown);
    std::vector<bool> seen(automata_.marks.size());
    std::vector<std::uint8_t> rights;
    for (const Labelled& one : sample_) {
      rights.resize(one.text.size());
      std::uint8_t state = MarkAutomata::kEdge;
      for (std::size_t i = one.text.size(); i-- > 0;) {
        rights[i] = state;
        state = right.step(state, kind(one.text[i]));
      }
      state = MarkAutomata::kEdge;
      for (std::size_t i = 0; i < one.text.size(); ++i) {
        const std::size_t cell =
            (state * kinds_.count + kind(one.text[i])) * right.states() + rights[i];
        if (state != MarkAutomata::kNever && rights[i] != MarkAutomata::kNever) {
          Mark& mark = automata_.marks[cell];
          mark = seen[cell] && mark != one.marks[i] ? Mark::kUnknown : one.marks[i];
          seen[cell] = true;
        }
        state = left.step(state, kind(one.text[i]));
      }
    }
  }

  // On new formulas. Those with a disagreement, or with what was never seen, are learnt from the
  // next time; as soon as there are enough of them, the rest can wait.
  Comparison compare(int repairs) {
    Comparison all;
    std::vector<Labelled> learnt;
    const std::uint64_t from = kComparedFrom * static_cast<std::uint64_t>(repairs + 1);
    for (std::uint64_t number = from; all.contexts < request_.contexts; number += kDrawnAtOnce) {
      std::vector<std::string> texts;
      for (std::uint64_t i = 0; i < kDrawnAtOnce; ++i) {
        std::ranges::move(request_.texts.draw(number + i), std::back_inserter(texts));
      }
      for (Labelled& one : label(*request_.selector, std::move(texts), request_.threads)) {
        if (compare(one, all)) continue;
        if (one.text.size() <= kLongestLearnt || learnt.size() < 50) learnt.push_back(std::move(one));
      }
      report(fmt::format("compared on {} characters, {} unknown, {} different", all.contexts,
                         all.unknown, all.different));
      if (learnt.size() > kLearnt && repairs < kMostRepairs) break;
    }
    learn_from(std::move(learnt));
    return all;
  }

  bool compare(const Labelled& one, Comparison& all) {
    automata_.read(one.text, read_);
    ++all.formulas;
    all.contexts += one.text.size();
    if (read_ == one.marks) return true;
    for (std::size_t i = 0; i < read_.size(); ++i) {
      if (read_[i] == one.marks[i]) continue;
      ++(read_[i] == Mark::kUnknown ? all.unknown : all.different);
      if (read_[i] != Mark::kUnknown && all.first.size() < kKeptDisagreements) {
        all.first.push_back({one.text, i});
      }
    }
    return false;
  }

  const SelectorRequest& request_;
  std::vector<Labelled> sample_;
  ByteKinds kinds_;
  MarkAutomata automata_;
  std::vector<Mark> read_;
};

}  // namespace

CompiledSelector compile_selector(const SelectorRequest& request) {
  return SelectorCompiler(request).run();
}

}  // namespace nrs::compile
