#include "model/leaf_guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "nrs/error.h"

namespace nrs::model {
namespace {

struct State {
  bool accepting = false;
  std::vector<std::pair<std::uint8_t, std::uint32_t>> arcs;  // by byte, in order

  auto operator<=>(const State&) const = default;
};

Error too_large(std::size_t states) {
  return {ErrorKind::kInput, fmt::format("a guard of {} states is too large", states)};
}

// An automaton that is being made.
struct Draft {
  std::vector<State> states;
  std::uint32_t start = 0;
};

// The smallest automaton of a finite set, state by state: the texts come in order, so all states
// that differ from the path of the newest text are finished, and equal ones become one.
Draft automaton_of_set(const std::vector<std::string>& sorted) {
  Draft draft;
  std::map<State, std::uint32_t> known;
  const auto add = [&](State state) {
    const auto number = static_cast<std::uint32_t>(draft.states.size());
    const auto [found, fresh] = known.emplace(std::move(state), number);
    if (fresh) draft.states.push_back(found->first);
    return found->second;
  };
  std::vector<State> path(1);
  const auto leave_open = [&](std::size_t bytes) {
    while (path.size() > bytes + 1) {
      State last = std::move(path.back());
      path.pop_back();
      path.back().arcs.back().second = add(std::move(last));
    }
  };
  std::string_view before;
  for (const std::string& text : sorted) {
    const auto [own, other] = std::ranges::mismatch(text, before);
    const auto shared = static_cast<std::size_t>(own - text.begin());
    leave_open(shared);
    for (std::size_t i = shared; i < text.size(); ++i) {
      path.back().arcs.emplace_back(static_cast<std::uint8_t>(text[i]), 0);
      path.emplace_back();
    }
    path.back().accepting = true;
    before = text;
  }
  leave_open(0);
  draft.start = add(std::move(path.front()));
  return draft;
}

// A state is what was read last, up to width - 1 characters of it.
Draft automaton_of_windows(const std::vector<std::string>& texts, std::size_t width) {
  Draft draft;
  std::unordered_map<std::string, std::uint32_t> numbers;
  const auto state_of = [&](std::string_view read) {
    const auto [found, fresh] =
        numbers.emplace(read, static_cast<std::uint32_t>(draft.states.size()));
    if (fresh) draft.states.emplace_back();
    return found->second;
  };
  draft.start = state_of("");
  for (const std::string& text : texts) {
    std::uint32_t at = draft.start;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::size_t end = i + 1;
      const std::size_t begin = end - std::min(end, width - 1);
      const std::uint32_t to = state_of(std::string_view(text).substr(begin, end - begin));
      auto& arcs = draft.states[at].arcs;
      const std::pair arc(static_cast<std::uint8_t>(text[i]), to);
      const auto place = std::ranges::lower_bound(arcs, arc);
      if (place == arcs.end() || *place != arc) arcs.insert(place, arc);
      at = to;
    }
    draft.states[at].accepting = true;
  }
  return draft;
}

// The automaton whose states are all keys that can be reached from `start`. look(key, number_of)
// gives the state of a key; number_of(key) is the number of another one. Gives up when there are
// more than `most`.
template <class Key, class Look>
Draft explore(Key start, std::size_t most, const Look& look) {
  Draft draft;
  std::map<Key, std::uint32_t> numbers;
  std::vector<const Key*> order;
  const auto number_of = [&](Key key) {
    const auto number = static_cast<std::uint32_t>(order.size());
    const auto [found, fresh] = numbers.emplace(std::move(key), number);
    if (fresh) order.push_back(&found->first);
    return found->second;
  };
  draft.start = number_of(std::move(start));
  while (draft.states.size() < std::min(order.size(), most)) {
    draft.states.push_back(look(*order[draft.states.size()], number_of));
  }
  if (order.size() > draft.states.size()) throw too_large(order.size());
  return draft;
}

// What is still to be read of one of its products: the rest of a text, and the parts behind it. No
// rest: the parts from `part` on.
struct Remainder {
  std::size_t product = 0;
  std::size_t part = 0;
  std::string_view rest{};

  auto operator<=>(const Remainder&) const = default;
};

// A state is all that can remain.
Draft automaton_of_products(const std::vector<TextProduct>& products) {
  using Remainders = std::vector<Remainder>;  // in order
  Remainders all;
  for (std::size_t i = 0; i < products.size(); ++i) all.push_back({.product = i});
  return explore(all, LeafGuard::kMostStates, [&](const Remainders& open, const auto& number_of) {
    State state;
    std::map<std::uint8_t, Remainders> by_byte;
    const auto read = [&](const Remainder& from, std::string_view text) {
      Remainder& to = by_byte[static_cast<std::uint8_t>(text.front())].emplace_back(from);
      to.rest = text.substr(1);
      if (to.rest.empty()) ++to.part;
    };
    for (const Remainder& one : open) {
      const TextProduct& product = products[one.product];
      if (!one.rest.empty()) {
        read(one, one.rest);
      } else if (one.part == product.size()) {
        state.accepting = true;
      } else {
        for (const std::string& text : product[one.part]) read(one, text);
      }
    }
    for (auto& [byte, to] : by_byte) {
      std::ranges::sort(to);
      to.erase(std::unique(to.begin(), to.end()), to.end());
      state.arcs.emplace_back(byte, number_of(std::move(to)));
    }
    return state;
  });
}

// Makes one state of all that accept the same: by splitting classes of states until none splits.
Draft smallest(const Draft& draft) {
  std::vector<std::uint32_t> class_of(draft.states.size(), 0);
  std::size_t count = 0;
  while (true) {
    std::map<std::pair<std::uint32_t, State>, std::uint32_t> classes;
    std::vector<std::uint32_t> finer(draft.states.size());
    for (std::size_t i = 0; i < draft.states.size(); ++i) {
      State shape = draft.states[i];  // with classes in the place of states
      for (auto& arc : shape.arcs) arc.second = class_of[arc.second];
      finer[i] = classes
                     .emplace(std::pair(class_of[i], std::move(shape)),
                              static_cast<std::uint32_t>(classes.size()))
                     .first->second;
    }
    class_of = std::move(finer);
    if (classes.size() == count) break;
    count = classes.size();
  }
  Draft small;
  small.states.resize(count);
  small.start = class_of[draft.start];
  for (std::size_t i = 0; i < draft.states.size(); ++i) {
    State& state = small.states[class_of[i]];
    state = draft.states[i];
    for (auto& arc : state.arcs) arc.second = class_of[arc.second];
  }
  return small;
}

// The states in the order in which a reader meets them, so that the same language has one table.
std::vector<std::uint32_t> numbering(const Draft& draft) {
  std::vector<std::uint32_t> numbers(draft.states.size(), 0);
  std::vector<std::uint32_t> order = {draft.start};
  numbers[draft.start] = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const auto& [byte, to] : draft.states[order[i]].arcs) {
      if (numbers[to] != 0) continue;
      order.push_back(to);
      numbers[to] = static_cast<std::uint32_t>(order.size());
    }
  }
  return numbers;
}

LeafGuard::Table pack(const Draft& draft, int width, const ByteClasses& merged) {
  const std::size_t states = draft.states.size() + 1;
  if (states > LeafGuard::kMostStates) throw too_large(states);
  LeafGuard::Table table;
  table.width = width;
  std::array<bool, 256> met{};  // of the merged classes
  for (const State& state : draft.states) {
    for (const auto& arc : state.arcs) met[arc.first] = true;
  }
  std::array<std::size_t, 256> column{};
  std::size_t classes = 1;
  for (std::size_t one = 0; one < met.size(); ++one) column[one] = met[one] ? classes++ : 0;
  if (classes > 256) throw Error(ErrorKind::kInput, "a guard of texts with all 256 bytes");
  for (const std::uint8_t one : merged) {
    table.class_of.push_back(static_cast<std::uint8_t>(column[one]));
  }
  const std::vector<std::uint32_t> numbers = numbering(draft);
  table.next.assign(states * classes, 0);
  table.accepting.assign(states, 0);
  for (std::size_t i = 0; i < draft.states.size(); ++i) {
    table.accepting[numbers[i]] = draft.states[i].accepting ? 1 : 0;
    for (const auto& [byte, to] : draft.states[i].arcs) {
      table.next[numbers[i] * classes + column[byte]] = static_cast<std::uint16_t>(numbers[to]);
    }
  }
  return table;
}

}  // namespace

ByteClasses all_apart() {
  ByteClasses classes{};
  std::iota(classes.begin(), classes.end(), std::uint8_t{0});
  return classes;
}

LeafGuard LeafGuard::of_texts(std::vector<std::string> texts, int width,
                              const ByteClasses& classes) {
  for (std::string& text : texts) {
    for (char& c : text) c = static_cast<char>(classes[static_cast<unsigned char>(c)]);
  }
  std::ranges::sort(texts);
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  const Draft draft = width == kWholeTexts
                          ? automaton_of_set(texts)
                          : smallest(automaton_of_windows(texts, static_cast<std::size_t>(width)));
  return LeafGuard(pack(draft, width, classes));
}

LeafGuard LeafGuard::of_products(const std::vector<TextProduct>& products) {
  const Draft draft = smallest(automaton_of_products(products));
  return LeafGuard(pack(draft, kWholeTexts, all_apart()));
}

LeafGuard LeafGuard::both(const LeafGuard& first, const LeafGuard& second) {
  const Table& a = first.table_;
  const Table& b = second.table_;
  using Pair = std::pair<std::size_t, std::size_t>;
  // Bytes that neither tells apart are one class.
  std::map<Pair, std::uint8_t> classes;
  ByteClasses merged{};
  for (std::size_t byte = 0; byte < merged.size(); ++byte) {
    const Pair pair(a.class_of[byte], b.class_of[byte]);
    merged[byte] = classes.emplace(pair, static_cast<std::uint8_t>(classes.size())).first->second;
  }
  const auto look = [&](const Pair& at, const auto& number_of) {
    State state{.accepting = a.accepting[at.first] != 0 && b.accepting[at.second] != 0, .arcs = {}};
    for (const auto& [pair, number] : classes) {
      const Pair to(a.next[at.first * a.classes() + pair.first],
                    b.next[at.second * b.classes() + pair.second]);
      if (to.first != 0 && to.second != 0) state.arcs.emplace_back(number, number_of(to));
    }
    std::ranges::sort(state.arcs);
    return state;
  };
  const Draft draft = explore(Pair(1, 1), std::numeric_limits<std::size_t>::max(), look);
  return LeafGuard(pack(smallest(draft), a.width, merged));
}

LeafGuard::LeafGuard(Table table) : table_(std::move(table)) {
  const auto refuse = [](const char* what) { throw Error(ErrorKind::kInput, what); };
  const std::size_t states = table_.accepting.size();
  if (table_.width < 0 || table_.width == 1) refuse("guard: no such width");
  if (table_.class_of.size() != 256) refuse("guard: there are 256 bytes");
  if (states < 2 || states > kMostStates || table_.next.size() % states != 0) {
    refuse("guard: the table does not fit its states");
  }
  const std::size_t classes = table_.classes();
  if (std::ranges::any_of(table_.class_of, [&](auto one) { return one >= classes; })) {
    refuse("guard: a class is not in the table");
  }
  if (std::ranges::any_of(table_.next, [&](auto one) { return one >= states; })) {
    refuse("guard: a state is not in the table");
  }
}

std::optional<std::vector<std::string>> LeafGuard::texts(std::size_t most) const {
  const Table& table = table_;
  const std::size_t states = table.accepting.size();
  const std::size_t classes = table.classes();
  std::string bytes;  // that are in any text
  for (std::size_t byte = 0; byte < table.class_of.size(); ++byte) {
    if (table.class_of[byte] != 0) bytes += static_cast<char>(byte);
  }
  std::vector<std::string> texts;
  struct Open {
    std::size_t state;
    std::size_t byte;  // of `bytes`, to be tried next
  };
  std::vector<Open> path = {{1, 0}};
  std::string text;
  if (table.accepting[1] != 0) texts.emplace_back();
  while (!path.empty()) {
    Open& open = path.back();
    if (open.byte == bytes.size()) {
      path.pop_back();
      if (!text.empty()) text.pop_back();
      continue;
    }
    const auto byte = static_cast<unsigned char>(bytes[open.byte++]);
    const std::size_t next = table.next[open.state * classes + table.class_of[byte]];
    if (next == 0) continue;
    text += static_cast<char>(byte);
    if (table.accepting[next] != 0) texts.push_back(text);
    // As long a path has been somewhere twice.
    if (texts.size() > most || text.size() >= states) return std::nullopt;
    path.push_back({next, 0});
  }
  return texts;
}

bool LeafGuard::accepts(std::string_view text) const {
  const std::size_t classes = table_.classes();
  std::size_t state = 1;
  for (const char c : text) {
    state = table_.next[state * classes + table_.class_of[static_cast<unsigned char>(c)]];
    if (state == 0) return false;
  }
  return table_.accepting[state] != 0;
}

}  // namespace nrs::model
