#include "compile/compile_selector.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

#include "base/rng.h"
#include "compile/byte_kinds.h"
#include "compile/merge_states.h"
#include "nrs/error.h"

namespace nrs::compile {
namespace {

using runtime::Mark;
using runtime::MarkAutomata;

constexpr std::size_t kMostStates = MarkAutomata::kMostStates - 2;
constexpr std::size_t kKeptDisagreements = 20;
constexpr std::size_t kLearnt = 2000;        // formulas that one comparison adds to the sample
constexpr std::size_t kLongestLearnt = 400;  // longer formulas show nothing new
constexpr std::uint64_t kDrawnAtOnce = 256;
// A cell that was right so often stays as it is: the Selector that differs once is told, not
// obeyed, for asking it in all such contexts would make the automata useless.
constexpr std::uint32_t kFirm = 10'000;
constexpr std::array<std::size_t, 4> kViews{1, 6, 12, 24};       // characters to the right
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
      std::vector<Labelled> surprising;
      result.comparison = compare(result.repairs, surprising);
      if (surprising.empty() || result.repairs == request_.repairs) break;
      std::ranges::move(surprising, std::back_inserter(sample_));
    }
    result.asked = static_cast<std::size_t>(std::ranges::count(cells_, Cell::kAsked));
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
      std::ranges::move(label(*request_.selector, std::move(texts), request_.threads),
                        std::back_inserter(sample_));
      report(fmt::format("marks of {} characters", characters));
    }
  }

  // With the first view of what is to the right that tells enough.
  void learn() {
    report(fmt::format("states, from {} formulas", sample_.size()));
    std::optional<Error> too_large;
    for (; view_ < kViews.size(); ++view_) {
      try {
        learn_with(kViews[view_]);
      } catch (const Error& error) {
        too_large = error;
        continue;
      }
      if (std::ranges::count(cells_, Cell::kAsked) == 0) return;
      ambiguous_.push_back(view_);
    }
    if (ambiguous_.empty()) throw Error(*too_large);
    view_ = ambiguous_.front();
    learn_with(kViews[view_]);
  }

  // First from one side, where a view of what is on the other stands for its states; then in turn,
  // each side with the states of the other.
  void learn_with(std::size_t view) {
    Automaton right = request_.last_leaf
                          ? merged("right", looking(view, true))
                          : merged("right", backwards(merged("left", looking(view, false))));
    const Automaton left = merged("left", forwards(right));
    right = merged("right", backwards(left));
    fill(left, right);
  }

  Automaton merged(const char* side, const std::vector<SymbolRow>& all) const {
    Automaton automaton = merge_states(all, kinds_.count, kMostStates);
    report(fmt::format("{} states from the {}", automaton.states(), side));
    return automaton;
  }

  template <class Ask>
  std::vector<SymbolRow> rows(const Ask& ask) const {
    std::vector<SymbolRow> all(sample_.size());
    for (std::size_t i = 0; i < sample_.size(); ++i) {
      for (const char c : sample_[i].text) all[i].symbols.push_back(kind(c));
      for (const Mark mark : sample_[i].marks) {
        all[i].answers.push_back(static_cast<std::uint8_t>(mark));
      }
      ask(all[i]);
    }
    return all;
  }

  std::uint8_t kind(char c) const { return kinds_.kind_of[static_cast<unsigned char>(c)]; }
  std::uint32_t question(std::uint8_t kind_here, std::uint32_t rest) const {
    return static_cast<std::uint32_t>(kind_here + kinds_.count * rest);
  }

  // Rows read from the left that look ahead, or from the right that look back.
  std::vector<SymbolRow> looking(std::size_t view, bool from_right) const {
    return rows([&](SymbolRow& row) {
      if (from_right) turn(row);
      look_ahead(view, row);
    });
  }

  static void turn(SymbolRow& row) {
    std::ranges::reverse(row.symbols);
    std::ranges::reverse(row.questions);
    std::ranges::reverse(row.answers);
  }

  // The kinds of the character and of the next ones; of one next one also its mark.
  void look_ahead(std::size_t view, SymbolRow& row) const {
    const std::size_t size = row.symbols.size();
    for (std::size_t i = 0; i < size; ++i) {
      if (view > 1) {
        const auto from = row.symbols.begin() + static_cast<std::ptrdiff_t>(i);
        const std::string ahead(from,
                                from + static_cast<std::ptrdiff_t>(std::min(view + 1, size - i)));
        row.questions.push_back(static_cast<std::uint32_t>(hash_text(ahead)));
        continue;
      }
      const std::uint32_t next = i + 1 == size ? 0 : row.symbols[i + 1];
      const std::uint32_t mark = i + 1 == size ? 3 : row.answers[i + 1];
      row.questions.push_back(question(row.symbols[i], 4 * next + mark));
    }
  }

  std::vector<SymbolRow> backwards(const Automaton& left) const {
    return rows([&](SymbolRow& row) {
      std::uint8_t state = MarkAutomata::kEdge;
      for (const std::uint8_t symbol : row.symbols) {
        row.questions.push_back(question(symbol, state));
        state = left.step(state, symbol);
      }
      turn(row);
    });
  }

  std::vector<SymbolRow> forwards(const Automaton& right) const {
    return rows([&](SymbolRow& row) {
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
                 .marks = {},
                 .neighbours = std::vector<std::uint8_t>(kinds_.count * kinds_.count)};
    automata_.marks.assign(left.states() * kinds_.count * right.states(), Mark::kUnknown);
    cells_.assign(automata_.marks.size(), Cell::kNew);
    agreed_.assign(automata_.marks.size(), 0);
    for (const Labelled& one : sample_) read(one);
  }

  // What a text had to do with the table.
  struct Reading {
    std::uint64_t asked = 0;  // characters whose context was never seen, or seen with other marks
    std::uint64_t different = 0;
    std::size_t place = 0;  // of the last difference
    bool surprising = false;
  };

  // Compares the marks of a text with the table, and notes there what is new. A cell that has had
  // two marks is asked about for ever, unless it is firm.
  Reading read(const Labelled& one) {
    rights_.resize(one.text.size());
    std::uint8_t state = MarkAutomata::kEdge;
    for (std::size_t i = one.text.size(); i-- > 0;) {
      rights_[i] = state;
      state = automata_.before(state, one.text[i]);
    }
    Reading reading;
    state = MarkAutomata::kEdge;
    note_neighbours(one.text, reading);
    for (std::size_t i = 0; i < one.text.size(); ++i) {
      note(cell_of(state, one.text[i], rights_[i]), one.marks[i], i, reading);
      state = automata_.after(state, one.text[i]);
    }
    return reading;
  }

  void note_neighbours(const std::string& text, Reading& reading) {
    std::size_t last = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      const std::size_t one = i < text.size() ? kind(text[i]) : 0;
      std::uint8_t& met = automata_.neighbours[last * kinds_.count + one];
      if (met == 0) ++reading.asked;
      met = 1;
      last = one;
    }
  }

  // Cell 0 is that of all contexts that were never seen.
  std::size_t cell_of(std::uint8_t left, char c, std::uint8_t right) const {
    if (left == MarkAutomata::kNever || right == MarkAutomata::kNever || kind(c) == 0) return 0;
    return (left * kinds_.count + kind(c)) * automata_.right_states() + right;
  }

  void note(std::size_t cell, Mark mark, std::size_t place, Reading& reading) {
    Mark& known = automata_.marks[cell];
    if (cell != 0 && cells_[cell] == Cell::kKnown && known == mark) {
      ++agreed_[cell];
      return;
    }
    if (cells_[cell] == Cell::kKnown && agreed_[cell] >= kFirm) {
      ++reading.different;
      reading.place = place;
      return;
    }
    reading.surprising = reading.surprising || cells_[cell] != Cell::kAsked;
    ++reading.asked;
    if (cell == 0) return;
    if (cells_[cell] == Cell::kNew) {
      cells_[cell] = Cell::kKnown;
      known = mark;
    } else if (cells_[cell] == Cell::kKnown) {
      cells_[cell] = Cell::kAsked;
      known = Mark::kUnknown;
      ++reading.different;
      reading.place = place;
    }
  }

  // On new formulas. Those that the table did not know are learnt from the next time; as soon as
  // there are enough of them, the rest can wait.
  Comparison compare(int repairs, std::vector<Labelled>& surprising) {
    Comparison all;
    const std::uint64_t from = kComparedFrom * static_cast<std::uint64_t>(repairs + 1);
    for (std::uint64_t number = from; all.contexts < request_.contexts; number += kDrawnAtOnce) {
      for (Labelled& one : drawn(number)) {
        const Reading reading = read(one);
        ++all.formulas;
        all.contexts += one.text.size();
        all.asked += reading.asked;
        all.different += reading.different;
        keep(one, reading, all);
        if (reading.surprising && one.text.size() <= kLongestLearnt) {
          surprising.push_back(std::move(one));
        }
      }
      report(fmt::format("compared on {} characters, {} asked, {} different", all.contexts,
                         all.asked, all.different));
      if (surprising.size() > kLearnt && repairs < request_.repairs) break;
    }
    return all;
  }

  std::vector<Labelled> drawn(std::uint64_t number) const {
    std::vector<std::string> texts;
    for (std::uint64_t i = 0; i < kDrawnAtOnce; ++i) {
      std::ranges::move(request_.texts.draw(number + i), std::back_inserter(texts));
    }
    return label(*request_.selector, std::move(texts), request_.threads);
  }

  static void keep(const Labelled& one, const Reading& reading, Comparison& all) {
    if (reading.different == 0 || all.first.size() >= kKeptDisagreements) return;
    all.first.push_back({one.text, reading.place});
  }

  enum class Cell : std::uint8_t { kNew, kKnown, kAsked };

  const SelectorRequest& request_;
  std::vector<Labelled> sample_;
  ByteKinds kinds_;
  MarkAutomata automata_;
  std::vector<Cell> cells_;            // of the table of marks
  std::vector<std::uint32_t> agreed_;  // how often each had the mark that it has
  std::vector<std::uint8_t> rights_;
  std::size_t view_ = 0;                // in kViews
  std::vector<std::size_t> ambiguous_;  // views that do not tell everything
};

}  // namespace

CompiledSelector compile_selector(const SelectorRequest& request) {
  return SelectorCompiler(request).run();
}

}  // namespace nrs::compile
