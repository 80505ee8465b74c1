#pragma once
// The part of an emitted C++ program that is the same for all rules: memory, comparison, reading
// and printing. emit_cpp.cc writes the symbols before it and the functions of the rules behind it.
#include <string_view>

namespace nrs::rewrite::rules {

inline constexpr std::string_view kCppRuntime = R"cpp(
  // ---- Memory. Nodes are words in one reserved region, in pages of cells of one size each. What
  // is no longer needed is found by marking from the stack of this thread, where every word that
  // could be a node counts as one. Nodes never move.
  constexpr std::size_t kPageWords = 4096;
  constexpr std::size_t kLeastPages = 512;  // new ones between two collections
  static V* W;                              // all words
  static std::vector<std::uint16_t> cell;   // of each page: words of its cells; 0: it is free
  static std::vector<std::uint32_t> free_pages;
  static std::uint64_t* marks;  // a bit for each word
  static std::size_t most_pages, pages_left = kLeastPages;
  static char* stack_bottom;
  static std::vector<V> values;  // of the term that is being read
  static std::vector<V> to_mark;

  struct Space {
    V next = 0, end = 0;               // a run of free cells
    V page_end = 0;                    // of the page that is being swept; 0: none is
    std::vector<std::uint32_t> pages;  // to sweep
  };
  static Space spaces[kPageWords + 1];  // for each size of cells

  [[noreturn]] static void fail(const char* message) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", message);
    std::_Exit(1);
  }

  static inline bool marked(V node) {
    return marks[node >> 6] >> (node & 63) & 1;
  }

  static inline void mark(V node) {
    const std::size_t page = node / kPageWords;
    if (page < kFixedPages || page >= cell.size() || cell[page] == 0) return;
    const std::size_t size = cell[page], offset = node % kPageWords;
    if (offset % size != 0 || offset + size > kPageWords || marked(node)) return;
    marks[node >> 6] |= std::uint64_t(1) << (node & 63);
    to_mark.push_back(node);
  }

  __attribute__((noinline, no_sanitize("address"))) static void mark_stack(const char* here) {
    for (const char* p = here; p < stack_bottom; p += sizeof(V)) mark(*(const volatile V*)p);
  }

  __attribute__((noinline)) static void collect() {
    __builtin_unwind_init();  // puts the registers on the stack
    std::memset(marks, 0, cell.size() * (kPageWords / 8));
    mark_stack((const char*)__builtin_frame_address(0) - 256);
    for (const V value : values) mark(value);
    while (!to_mark.empty()) {
      const V node = to_mark.back();
      to_mark.pop_back();
      for (std::size_t i = 1, size = cell[node / kPageWords]; i < size; ++i) mark(W[node + i]);
    }
    for (Space& space : spaces) {
      space.next = space.end = space.page_end = 0;
      space.pages.clear();
    }
    std::size_t kept = 0;
    for (std::size_t page = kFixedPages; page < cell.size(); ++page) {
      if (cell[page] == 0) continue;
      std::uint64_t any = 0;
      for (std::size_t i = 0; i < kPageWords / 64; ++i) any |= marks[page * (kPageWords / 64) + i];
      if (any != 0) {
        ++kept;
        spaces[cell[page]].pages.push_back(std::uint32_t(page));
      } else {
        cell[page] = 0;
        free_pages.push_back(std::uint32_t(page));
      }
    }
    pages_left = std::max(kLeastPages, kept);
  }

  // Finds free cells of a size.
  __attribute__((noinline)) static void refill(std::size_t size) {
    if (size > kPageWords) fail("a symbol has too many arguments");
    Space& space = spaces[size];
    while (true) {
      if (space.page_end != 0) {  // the next run of unmarked cells
        V from = space.end;
        while (from < space.page_end && marked(from)) from += V(size);
        space.next = space.end = from;
        while (space.end < space.page_end && !marked(space.end)) space.end += V(size);
        if (space.next < space.end) return;
        space.page_end = 0;
      }
      if (space.pages.empty() && pages_left == 0) collect();
      std::size_t page;
      if (!space.pages.empty()) {
        page = space.pages.back();
        space.pages.pop_back();
      } else {
        --pages_left;
        if (!free_pages.empty()) {
          page = free_pages.back();
          free_pages.pop_back();
        } else {
          if (cell.size() == most_pages) {
            collect();
            if (free_pages.empty())
              fail(
                  "out of memory: the terms outgrew the memory they may "
                  "use");
            continue;
          }
          page = cell.size();
          cell.push_back(0);
        }
        cell[page] = std::uint16_t(size);
        std::memset(marks + page * (kPageWords / 64), 0, kPageWords / 8);
      }
      space.end = V(page * kPageWords);
      space.page_end = V(page * kPageWords + kPageWords / size * size);
    }
  }

  static inline V take(std::size_t size) {
    Space& space = spaces[size];
    if (__builtin_expect(space.next == space.end, 0)) refill(size);
    const V node = space.next;
    space.next += V(size);
    return node;
  }

  template <class... Args>
  static inline V build(V symbol, Args... args) {
    const V node = take(1 + sizeof...(Args));
    V* p = W + node;
    *p = symbol;
    ((*++p = args), ...);
    return node;
  }

  // ---- Comparison.
  static std::size_t arity_of(V symbol);
  __attribute__((noinline)) static bool same_nodes(V a, V b) {
    static std::vector<V> left;
    left.assign({a, b});
    while (!left.empty()) {
      b = left.back(), left.pop_back();
      a = left.back(), left.pop_back();
      if (a == b) continue;
      if (W[a] != W[b]) return false;
      for (std::size_t i = arity_of(W[a]); i > 0; --i) left.insert(left.end(), {W[a + i], W[b + i]});
    }
    return true;
  }
  static inline bool same(V a, V b) {
    return a == b || same_nodes(a, b);
  }
)cpp";

inline constexpr std::string_view kCppMain = R"cpp(
  // ---- Symbols that the rules do not know are free, unless the rules have sorts.
  struct Symbol {
    std::string name;
    std::size_t arity;
  };
  static std::vector<Symbol> symbols;
  static std::unordered_map<std::string, V> symbol_of;
  static std::size_t arity_of(V symbol) {
    return symbols[symbol].arity;
  }

  struct Fault {
    std::size_t column;
    std::string message;
  };

  static V resolve(const std::string& name, std::size_t arity, std::size_t column) {
    const auto found = symbol_of.find(name);
    if (found != symbol_of.end()) {
      if (symbols[found->second].arity == arity) return found->second;
      if (kClosed || found->second < kSymbolCount)
        throw Fault{column, name + " has " + std::to_string(symbols[found->second].arity) +
                                " arguments in the rules, " + std::to_string(arity) + " here"};
    } else if (kClosed) {
      throw Fault{column, "unknown symbol " + name};
    }
    const std::string key = name + '\n' + std::to_string(arity);
    const auto [free, added] =
        symbol_of.try_emplace(found == symbol_of.end() ? name : key, V(symbols.size()));
    if (added) symbols.push_back({name, arity});
    return free->second;
  }

  // ---- Terms as text: f(a,g(b)), names with blanks and the like between bars. Every subterm is
  // rewritten as soon as it has been read.
  static V read_term(const std::string& text) {
    struct Open {
      std::string name;
      std::size_t column, first;
    };
    std::vector<Open> open;
    std::size_t at = 0;
    values.clear();
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    const auto skip = [&] {
      while (at < text.size() && blank(text[at])) ++at;
    };
    const auto close = [&](const std::string& name, std::size_t column, std::size_t first) {
      const std::size_t arity = values.size() - first;
      const V value = apply(resolve(name, arity, column), arity, values.data() + first);
      values.resize(first);
      values.push_back(value);
    };
    do {
      skip();
      const std::size_t column = at;
      std::string name;
      if (at < text.size() && text[at] == '|') {
        const std::size_t end = text.find('|', at + 1);
        if (end == std::string::npos)
          throw Fault{at, "a name begins with '|' but does not end with it"};
        name = text.substr(at + 1, end - at - 1);
        at = end + 1;
      } else {
        while (at < text.size() && !blank(text[at]) && text[at] != '(' && text[at] != ')' &&
               text[at] != ',' && text[at] != '|')
          ++at;
        name = text.substr(column, at - column);
      }
      if (name.empty()) throw Fault{at, "expected a term"};
      skip();
      if (at < text.size() && text[at] == '(') {
        ++at;
        open.push_back({name, column, values.size()});
        skip();
        if (at >= text.size() || text[at] != ')') continue;
      } else {
        close(name, column, values.size());
      }
      for (skip(); !open.empty() && at < text.size() && text[at] == ')'; skip()) {
        ++at;
        const Open top = open.back();
        open.pop_back();
        close(top.name, top.column, top.first);
      }
      if (open.empty()) break;
      if (at >= text.size() || text[at] != ',') throw Fault{at, "expected ',' or ')'"};
      ++at;
    } while (true);
    if (at < text.size()) throw Fault{at, "expected the end of the term"};
    return values.back();
  }

  static bool needs_bars(const std::string& name) {
    for (const char c : name)
      if ((unsigned char)c <= ' ' || std::strchr("(),", c) != nullptr) return true;
    return name.empty() || name[0] == '#' || name[0] == ';' || name[0] == '?' ||
           name.find("->") != std::string::npos || name.find("=>") != std::string::npos ||
           name.find("\xe2\x86\x92") != std::string::npos;
  }

  static void print_term(V node, std::string& out) {
    struct Item {
      const char* text;
      V node;
      bool is_node;
    };
    std::vector<Item> left{{"", node, true}};
    while (!left.empty()) {
      const Item item = left.back();
      left.pop_back();
      out += item.text;
      if (!item.is_node) continue;
      const Symbol& symbol = symbols[W[item.node]];
      if (needs_bars(symbol.name))
        out += '|' + symbol.name + '|';
      else
        out += symbol.name;
      if (out.size() > (1 << 16)) {
        std::fwrite(out.data(), 1, out.size(), stdout);
        out.clear();
      }
      if (symbol.arity == 0) continue;
      left.push_back({")", 0, false});
      for (std::size_t i = symbol.arity; i > 0; --i)
        left.push_back({i == 1 ? "(" : ",", W[item.node + i], true});
    }
  }

  static int status = 0;

  static void* run(void*) {
    stack_bottom = (char*)__builtin_frame_address(0) + 64;
    static char alternative[65536];
    stack_t other{};
    other.ss_sp = alternative;
    other.ss_size = sizeof alternative;
    sigaltstack(&other, nullptr);
    char* line = nullptr;
    std::size_t room = 0;
    std::size_t number = 0;
    for (ssize_t length; (length = getline(&line, &room, stdin)) >= 0;) {
      ++number;
      std::string text(line, std::size_t(length));
      if (!text.empty() && text.back() == '\n') text.pop_back();
      std::string out;
      try {
        const V value = read_term(text);
        values.assign(1, value);
        print_term(value, out);
      } catch (const Fault& fault) {
        out = "error: column " + std::to_string(fault.column + 1) + ": " + fault.message;
        std::fprintf(stderr, "line %zu, %s\n", number, out.c_str() + 7);
        status = 3;
      }
      out += '\n';
      std::fwrite(out.data(), 1, out.size(), stdout);
    }
    if (std::fflush(stdout) != 0) status = 1;
    return nullptr;
  }

  static void too_deep(int) {
    static const char message[] = "out of memory: too many nested calls\n";
    (void)!write(2, message, sizeof message - 1);
    _Exit(1);
  }

  static void* reserve(std::size_t& bytes) {
    for (; bytes >= (std::size_t(1) << 24); bytes /= 2) {
      void* region = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (region != MAP_FAILED) return region;
    }
    fail("out of memory: nothing can be reserved");
  }

  int main() {
    std::size_t bytes = std::size_t(1) << 34;  // as many as a word can name
    const std::size_t physical =
        std::size_t(sysconf(_SC_PHYS_PAGES)) * std::size_t(sysconf(_SC_PAGESIZE));
    W = (V*)reserve(bytes);
    most_pages = std::max(kFixedPages + kLeastPages,
                          std::min(bytes, physical / 4 * 3) / sizeof(V) / kPageWords);
    std::size_t mark_bytes = bytes / sizeof(V) / 8;
    marks = (std::uint64_t*)reserve(mark_bytes);
    most_pages = std::min(most_pages, mark_bytes / (kPageWords / 8));
    std::memcpy(W, kFixed, sizeof kFixed);
    cell.resize(kFixedPages);
    for (V i = 0; i < kSymbolCount; ++i) {
      symbols.push_back({kSymbols[i].name, kSymbols[i].arity});
      symbol_of.emplace(kSymbols[i].name, i);
    }

    // A stack of its own, so large that depth is limited by memory only.
    std::size_t stack_bytes = std::size_t(1) << 36;
    void* stack = reserve(stack_bytes);
    mprotect(stack, 4096, PROT_NONE);
    struct sigaction action {};
    action.sa_handler = too_deep;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGSEGV, &action, nullptr);
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, stack, stack_bytes) != 0 ||
        pthread_create(&thread, &attributes, run, nullptr) != 0)
      fail("cannot start a thread");
    pthread_join(thread, nullptr);
    return status;
  }
)cpp";

}  // namespace nrs::rewrite::rules
