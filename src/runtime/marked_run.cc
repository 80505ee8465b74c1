#include "runtime/marked_run.h"

#include "base/rng.h"

namespace nrs::runtime {

Result MarkedRun::run(const MarkedParts& parts, std::string_view formula,
                      const RunOptions& options) {
  parts_ = &parts;
  Result result;
  const bool readable = read(formula);
  const std::size_t most = options.max_steps.value_or(parts.habits.max_steps(formula.size()));
  std::optional<Stop> stop;
  if (!readable || !first_marks()) stop = Stop::kNoLeaf;
  while (!stop) stop = go_on(most, options, result);
  result.stop = *stop;
  result.formula = text();
  return result;
}

// One round.
std::optional<Stop> MarkedRun::go_on(std::size_t most, const RunOptions& options, Result& result) {
  if (const std::optional<Stop> stop = judge(options)) return stop;
  if (result.steps >= most) return Stop::kStepLimit;
  const std::size_t size_before = size_;
  places_.clear();
  for (const Leaf& leaf : leaves_) replace(leaf);
  result.steps += leaves_.size();
  ++result.rounds;
  if (size_ == 0) return Stop::kNoLeaf;
  if (came_back(size_before)) return Stop::kCycle;
  if (!mark_again()) return Stop::kNoLeaf;
  return std::nullopt;
}

// False if characters stand side by side that were never seen so.
bool MarkedRun::read(std::string_view formula) {
  const MarkAutomata& automata = parts_->automata;
  size_ = formula.size();
  cells_.resize(size_ + 1);
  round_ = 1;
  if (!seen_.empty()) seen_.clear();
  const auto count = static_cast<Link>(size_);
  std::uint8_t state = MarkAutomata::kEdge;
  std::uint8_t last = 0;
  bool met = true;
  for (Link i = 1; i <= count; ++i) {
    const char c = formula[i - 1];
    const std::uint8_t one = automata.class_at(c);
    met = met && automata.met(last, one);
    last = one;
    cells_[i] = {.next = i == count ? kEdge : i + 1,
                 .previous = i - 1,
                 .round = 0,
                 .text = c,
                 .left = state};
    state = automata.after(state, c);
  }
  cells_[kEdge] = {.next = count == 0 ? kEdge : 1, .previous = count};
  return met && count > 0 && automata.met(last, 0);
}

bool MarkedRun::met(Link first, Link second) const {
  const MarkAutomata& automata = parts_->automata;
  const auto one = [&](Link link) {
    return link == kEdge ? std::uint8_t{0} : automata.class_at(cells_[link].text);
  };
  return automata.met(one(first), one(second));
}

// Also finds the leaves.
bool MarkedRun::first_marks() {
  const MarkAutomata& automata = parts_->automata;
  leaves_.clear();
  std::uint8_t state = MarkAutomata::kEdge;
  Link end = kEdge;  // of the run of inside marks that the walk is in
  for (auto i = static_cast<Link>(size_); i >= 1; --i) {
    Cell& cell = cells_[i];
    cell.right = state;
    cell.mark = automata.mark(cell.left, cell.text, state);
    state = automata.before(state, cell.text);
    if (cell.mark == Mark::kUnknown) return false;
    if (cell.mark == Mark::kOutside) {
      end = kEdge;
      continue;
    }
    if (end == kEdge) end = i;
    if (cell.mark == Mark::kInside) continue;
    leaves_.push_back({.first = i, .last = end});
    end = kEdge;
  }
  return true;
}

// Leaves in `leaves_` those that are to be rewritten.
std::optional<Stop> MarkedRun::judge(const RunOptions& options) {
  std::size_t kept = 0;
  values_.clear();
  for (Leaf& leaf : leaves_) {
    bool usable = false;
    if (const std::optional<Stop> stop = look_up(leaf, options, usable)) return stop;
    if (usable) leaves_[kept++] = leaf;
  }
  leaves_.resize(kept);
  return kept > 0 ? std::nullopt : std::optional(why_stuck());
}

// The value of a leaf, and whether it may be used.
std::optional<Stop> MarkedRun::look_up(Leaf& leaf, const RunOptions& options, bool& usable) {
  leaf_text_.clear();
  for (Link link = leaf.first;; link = cells_[link].next) {
    leaf_text_ += cells_[link].text;
    if (link == leaf.last) break;
  }
  std::string_view copied;
  const TableValue* const value = parts_->table.find(leaf_text_, copied);
  if (value == nullptr) return std::nullopt;
  if (options.min_log_prob && value->log_prob < *options.min_log_prob) return std::nullopt;
  if (value->omega) {
    // Omega of a part says nothing of the whole.
    const bool whole = leaf.first == cells_[kEdge].next && leaf.last == cells_[kEdge].previous;
    return whole ? std::optional(Stop::kFinal) : std::nullopt;
  }
  const std::size_t begin = values_.size();
  values_.append(value->text).append(copied);
  leaf.value = {begin, values_.size()};
  usable = parts_->habits.allow(leaf_text_, leaf.value.of(values_));
  return usable ? std::nullopt : std::optional(Stop::kMalformed);
}

// Why the leaves that are left have no value.
Stop MarkedRun::why_stuck() {
  Stop stop = Stop::kNoLeaf;
  for (Link link = cells_[kEdge].next; link != kEdge;) {
    const Link first = link;
    link = cells_[link].next;
    if (cells_[first].mark != Mark::kBegin) continue;
    leaf_text_.assign(1, cells_[first].text);
    for (; link != kEdge && cells_[link].mark == Mark::kInside; link = cells_[link].next) {
      leaf_text_ += cells_[link].text;
    }
    std::string_view copied;
    if (parts_->table.find(leaf_text_, copied) == nullptr) return Stop::kUnknownLeaf;
    stop = Stop::kLowConfidence;
  }
  return stop;
}

// The cells of the leaf serve again; values are nearly always shorter.
void MarkedRun::replace(const Leaf& leaf) {
  const Link before = cells_[leaf.first].previous;
  const Link after = cells_[leaf.last].next;
  Link at = before;
  Link free = leaf.first;
  for (const char c : leaf.value.of(values_)) {
    Link link = free;
    if (link == after) {
      link = static_cast<Link>(cells_.size());
      cells_.emplace_back();
      ++size_;
    } else {
      free = cells_[link].next;
    }
    cells_[link].text = c;
    cells_[link].left = cells_[link].right = kNotRead;
    cells_[link].previous = at;
    cells_[at].next = link;
    at = link;
  }
  for (; free != after; free = cells_[free].next, --size_) cells_[free].left = kGone;
  cells_[at].next = after;
  cells_[after].previous = at;
  if (at == before) {
    places_.emplace_back(after, before);
  } else {
    places_.emplace_back(cells_[before].next, at);
  }
}

void MarkedRun::note_change(Link link) {
  if (cells_[link].round == round_) return;
  cells_[link].round = round_;
  changed_.push_back(link);
}

// Rightwards from one character and leftwards from another, until the states are those that were
// there.
void MarkedRun::read_again(Link from, Link to) {
  const MarkAutomata& automata = parts_->automata;
  Link link = cells_[from].previous;
  const bool left_known = link == kEdge || cells_[link].left < kGone;
  if (left_known && from != kEdge && cells_[from].left != kGone) {
    std::uint8_t state =
        link == kEdge ? MarkAutomata::kEdge : automata.after(cells_[link].left, cells_[link].text);
    for (link = from; link != kEdge && cells_[link].left != state; link = cells_[link].next) {
      cells_[link].left = state;
      note_change(link);
      state = automata.after(state, cells_[link].text);
    }
  }
  link = cells_[to].next;
  const bool right_known = link == kEdge || cells_[link].right < kGone;
  if (right_known && to != kEdge && cells_[to].left != kGone) {
    std::uint8_t state = link == kEdge ? MarkAutomata::kEdge
                                       : automata.before(cells_[link].right, cells_[link].text);
    for (link = to; link != kEdge && cells_[link].right != state; link = cells_[link].previous) {
      cells_[link].right = state;
      note_change(link);
      state = automata.before(state, cells_[link].text);
    }
  }
}

// Marks what has changed, and finds the leaves there.
bool MarkedRun::mark_again() {
  const MarkAutomata& automata = parts_->automata;
  ++round_;
  changed_.clear();
  leaves_.clear();
  for (const auto& [from, to] : places_) {
    read_again(from, to);
    if (cells_[from].previous != to) continue;
    // Of an empty value nothing is there, but what is beside it may be one leaf now.
    for (const Link link : {from, to}) {
      if (link != kEdge && cells_[link].left != kGone) note_change(link);
    }
  }
  for (const Link link : changed_) {
    Cell& cell = cells_[link];
    cell.mark = automata.mark(cell.left, cell.text, cell.right);
    if (cell.mark == Mark::kUnknown) return false;
    if (!met(cell.previous, link) || !met(link, cell.next)) return false;
  }
  ++round_;  // from now on: of leaves that were found
  for (const Link link : changed_) {
    add_leaf_at(link);
    add_leaf_at(cells_[link].previous);  // which may end before this now
  }
  return true;
}

// The leaf that a character belongs to, if to any.
void MarkedRun::add_leaf_at(Link link) {
  while (link != kEdge && cells_[link].mark == Mark::kInside && cells_[link].round != round_) {
    cells_[link].round = round_;
    link = cells_[link].previous;
  }
  Cell& begin = cells_[link];
  if (link == kEdge || begin.mark != Mark::kBegin || begin.round == round_) return;
  begin.round = round_;
  Link end = link;
  for (Link next = begin.next; next != kEdge && cells_[next].mark == Mark::kInside;
       next = cells_[next].next) {
    end = next;
  }
  leaves_.push_back({.first = link, .last = end});
}

bool MarkedRun::came_back(std::size_t size_before) {
  if (size_ < size_before) return false;
  return !seen_.insert(hash_text(text())).second;
}

std::string MarkedRun::text() const {
  std::string text;
  text.reserve(size_);
  for (Link link = cells_[kEdge].next; link != kEdge; link = cells_[link].next) {
    text += cells_[link].text;
  }
  return text;
}

}  // namespace nrs::runtime
