#pragma once
// The part of an emitted C++ program that is the same for all compiled models: it does what
// runtime::MarkedRun does. emit_cpp.cc writes the tables before it.
#include <string_view>

namespace nrs::compile {

inline constexpr std::string_view kCppLoop =
    R"cpp(
  enum Mark : std::uint8_t { kOutside, kBegin, kInside, kUnknown };
  enum Stop { kGoOn, kFinal, kMalformed, kLowConfidence, kUnknownLeaf, kNoLeaf, kCycle, kStepLimit };
  static const char* const kStops[] = {
      "", "final", "malformed", "low_confidence", "unknown_leaf", "no_leaf", "cycle", "step_limit"};

  static inline std::uint8_t class_at(char c) {
    return kClassOf[(unsigned char)c];
  }
  static inline std::uint8_t after(std::uint8_t state, char c) {
    return kLeft[state * kClasses + class_at(c)];
  }
  static inline std::uint8_t before(std::uint8_t state, char c) {
    return kRight[state * kClasses + class_at(c)];
  }

  // ---- The table. A leaf is read in two parts: the first leads to a row, the second to a cell of
  // it.
  static const Value* find(const std::string& leaf, std::string_view& copied) {
    std::size_t state = 1;
    std::uint32_t counts[2] = {0, 0};
    for (const char c : leaf) {
      const std::size_t arc = state * kLeafClasses + kLeafClassOf[(unsigned char)c];
      if (kNext[arc] == 0) return nullptr;
      counts[kRowBegins[state]] += kSkip[arc];
      state = kNext[arc];
    }
    if (!kAccepting[state]) return nullptr;
    const Row& row = kRows[counts[0]];
    const std::size_t kept = std::size_t(row.copied) + row.skipped;
    copied = kept > leaf.size() ? std::string_view()
                                : std::string_view(leaf).substr(leaf.size() - kept, row.copied);
    return &kValues[kCells[row.begin + counts[1]]];
  }

  // ---- The loop. Each character keeps the states of both automata; after a rewrite only those are
  // read again whose states have changed.
  using Link = std::uint32_t;
  constexpr Link kEdge = 0;  // before the first character and behind the last
  constexpr std::uint8_t kStart = 1, kNotRead = 0xFF, kGone = 0xFE;
  struct Cell {
    Link next, previous;
    std::uint32_t round;
    char text;
    std::uint8_t left, right, mark;
  };
  struct Leaf {
    Link first, last;
    std::size_t begin, end;  // of its value
  };

  static std::vector<Cell> cells;
  static std::size_t size;
  static std::uint32_t turn;
  static std::vector<Leaf> leaves;
  static std::vector<std::pair<Link, Link>> places;
  static std::vector<Link> changed;
  static std::string leaf_text, values;
  static std::unordered_set<std::string> seen;

  static std::string text() {
    std::string all;
    for (Link link = cells[kEdge].next; link != kEdge; link = cells[link].next)
      all += cells[link].text;
    return all;
  }

  static inline std::uint8_t mark_of(const Cell& cell) {
    return kMarks[(cell.left * kClasses + class_at(cell.text)) * kRightStates + cell.right];
  }

  static inline bool met(Link first, Link second) {
    const std::size_t one = first == kEdge ? 0 : class_at(cells[first].text);
    const std::size_t other = second == kEdge ? 0 : class_at(cells[second].text);
    return kNeighbours[one * kClasses + other];
  }

  static bool read_first(const std::string& formula) {
    size = formula.size();
    cells.assign(size + 1, Cell{});
    leaves.clear();
    seen.clear();
    turn = 1;
    std::uint8_t state = kStart;
    for (Link i = 1; i <= size; ++i) {
      cells[i] = {i == size ? kEdge : i + 1, i - 1, 0, formula[i - 1], state, kNotRead, kOutside};
      state = after(state, formula[i - 1]);
    }
    cells[kEdge].next = size == 0 ? kEdge : 1;
    cells[kEdge].previous = Link(size);
    for (Link i = 0; i <= size; ++i)
      if (!met(i, cells[i].next)) return false;
    state = kStart;
    Link end = kEdge;
    for (Link i = Link(size); i >= 1; --i) {
      Cell& cell = cells[i];
      cell.right = state;
      cell.mark = mark_of(cell);
      state = before(state, cell.text);
      if (cell.mark == kUnknown) return false;
      if (cell.mark == kOutside) {
        end = kEdge;
        continue;
      }
      if (end == kEdge) end = i;
      if (cell.mark == kInside) continue;
      leaves.push_back({i, end, 0, 0});
      end = kEdge;
    }
    return size > 0;
  }

  static int balance(const char* from, std::size_t count) {
    int open = 0;
    for (; count > 0; --count, ++from)
      open += std::strchr("([{", *from) ? 1 : std::strchr(")]}", *from) ? -1 : 0;
    return open;
  }

  static Stop look_up(Leaf& leaf, bool& usable) {
    leaf_text.clear();
    for (Link link = leaf.first;; link = cells[link].next) {
      leaf_text += cells[link].text;
      if (link == leaf.last) break;
    }
    std::string_view copied;
    const Value* const value = find(leaf_text, copied);
    if (value == nullptr || !value->sure) return kGoOn;
    if (value->omega)  // of a part it says nothing of the whole
      return leaf.first == cells[kEdge].next && leaf.last == cells[kEdge].previous ? kFinal : kGoOn;
    leaf.begin = values.size();
    values.append(value->text).append(copied);
    leaf.end = values.size();
    usable = (leaf.end > leaf.begin || kErases) &&
             (!kBalanced || balance(leaf_text.data(), leaf_text.size()) ==
                                balance(values.data() + leaf.begin, leaf.end - leaf.begin));
    return usable ? kGoOn : kMalformed;
  }

  static Stop why_stuck() {
    Stop stop = kNoLeaf;
    for (Link link = cells[kEdge].next; link != kEdge;) {
      const Link first = link;
      link = cells[link].next;
      if (cells[first].mark != kBegin) continue;
      leaf_text.assign(1, cells[first].text);
      for (; link != kEdge && cells[link].mark == kInside; link = cells[link].next)
        leaf_text += cells[link].text;
      std::string_view copied;
      if (find(leaf_text, copied) == nullptr) return kUnknownLeaf;
      stop = kLowConfidence;
    }
    return stop;
  }

  static Stop judge() {
    std::size_t kept = 0;
    values.clear();
    for (Leaf& leaf : leaves) {
      bool usable = false;
      if (const Stop stop = look_up(leaf, usable)) return stop;
      if (usable) leaves[kept++] = leaf;
    }
    leaves.resize(kept);
    return kept > 0 ? kGoOn : why_stuck();
  }

  static void replace(const Leaf& leaf) {
    const Link left = cells[leaf.first].previous, right = cells[leaf.last].next;
    Link at = left, spare = leaf.first;
    for (std::size_t i = leaf.begin; i < leaf.end; ++i) {
      Link link = spare;
      if (link == right) {
        link = Link(cells.size());
        cells.push_back(Cell{});
        ++size;
      } else {
        spare = cells[link].next;
      }
      cells[link].text = values[i];
      cells[link].left = cells[link].right = kNotRead;
      cells[link].previous = at;
      cells[at].next = link;
      at = link;
    }
    for (; spare != right; spare = cells[spare].next, --size) cells[spare].left = kGone;
    cells[at].next = right;
    cells[right].previous = at;
    if (at == left)
      places.emplace_back(right, left);
    else
      places.emplace_back(cells[left].next, at);
  }

  static void note_change(Link link) {
    if (cells[link].round == turn) return;
    cells[link].round = turn;
    changed.push_back(link);
  }

  static void read_again(Link from, Link to) {
    Link link = cells[from].previous;
    if ((link == kEdge || cells[link].left < kGone) && from != kEdge && cells[from].left != kGone) {
      std::uint8_t state = link == kEdge ? kStart : after(cells[link].left, cells[link].text);
      for (link = from; link != kEdge && cells[link].left != state; link = cells[link].next) {
        cells[link].left = state;
        note_change(link);
        state = after(state, cells[link].text);
      }
    }
    link = cells[to].next;
    if ((link == kEdge || cells[link].right < kGone) && to != kEdge && cells[to].left != kGone) {
      std::uint8_t state = link == kEdge ? kStart : before(cells[link].right, cells[link].text);
      for (link = to; link != kEdge && cells[link].right != state; link = cells[link].previous) {
        cells[link].right = state;
        note_change(link);
        state = before(state, cells[link].text);
      }
    }
  }

  static void add_leaf_at(Link link) {
    while (link != kEdge && cells[link].mark == kInside && cells[link].round != turn) {
      cells[link].round = turn;
      link = cells[link].previous;
    }
    if (link == kEdge || cells[link].mark != kBegin || cells[link].round == turn) return;
    cells[link].round = turn;
    Link end = link;
    for (Link next = cells[link].next; next != kEdge && cells[next].mark == kInside;
         next = cells[next].next)
      end = next;
    leaves.push_back({link, end, 0, 0});
  }

  static bool mark_again() {
    ++turn;
    changed.clear();
    leaves.clear();
    for (const auto& [from, to] : places) {
      read_again(from, to);
      if (cells[from].previous != to) continue;
      for (const Link link : {from, to})  // what is beside an empty value may be one leaf now
        if (link != kEdge && cells[link].left != kGone) note_change(link);
    }
    for (const Link link : changed) {
      Cell& cell = cells[link];
      cell.mark = mark_of(cell);
      if (cell.mark == kUnknown || !met(cell.previous, link) || !met(link, cell.next)) return false;
    }
    ++turn;
    for (const Link link : changed) {
      add_leaf_at(link);
      add_leaf_at(cells[link].previous);
    }
    return true;
  }

  static Stop rewrite(const std::string& formula) {
    const double n = double(formula.size());
    const double most = 64 + std::min(1e15, kLinear * n + kQuadratic * n * n);
    if (!read_first(formula)) return kNoLeaf;
    for (double steps = 0;;) {
      if (const Stop stop = judge()) return stop;
      if (steps >= most) return kStepLimit;
      const std::size_t size_before = size;
      places.clear();
      for (const Leaf& leaf : leaves) replace(leaf);
      steps += double(leaves.size());
      if (size == 0) return kNoLeaf;
      if (size >= size_before && !seen.insert(text()).second) return kCycle;
      if (!mark_again()) return kNoLeaf;
    }
  }

  int main() {
    int status = 0;
    std::string line, out;
    std::ios::sync_with_stdio(false);
    for (std::size_t number = 1; std::getline(std::cin, line); ++number) {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      while (kBlanksMeanNothing && !line.empty() && (line.back() == ' ' || line.back() == '\t'))
        line.pop_back();
      std::size_t bad = 0;
      while (bad < line.size() && kToken[(unsigned char)line[bad]]) ++bad;
      if (bad < line.size() || line.empty()) {
        const std::string what =
            "column " + std::to_string(bad + 1) + ": " +
            (line.empty() ? std::string("the formula is empty")
                          : "'" + line.substr(bad, 1) + "' is not a token of this model");
        out += "error: " + what + '\n';
        std::cerr << "line " << number << ", " << what << '\n';
        status = 3;
        continue;
      }
      const Stop stop = rewrite(line);
      if (stop != kFinal) {
        if (status == 0) status = 4;
        out += std::string("stopped: ") + kStops[stop] + ": ";
      }
      out += text() + '\n';
      if (out.size() > (1 << 16) || std::cin.rdbuf()->in_avail() <= 0) {
        std::cout.write(out.data(), std::streamsize(out.size()));
        std::cout.flush();
        out.clear();
      }
    }
    std::cout << out << std::flush;
    return std::cout ? status : 1;
  }
    )cpp";

}  // namespace nrs::compile
