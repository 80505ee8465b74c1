#include "induce/chain.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>

#include "base/lines.h"
#include "nrs/error.h"
#include "term/source.h"

namespace nrs::induce {
namespace {

using Json = nlohmann::json;
using term::Notation;
using term::Term;

constexpr std::array<std::string_view, 3> kArrows{"->", "=>", "→"};
constexpr std::array<Notation, 3> kNotations{Notation::kFunctional, Notation::kSexpr,
                                             Notation::kInfix};
constexpr std::size_t kLinesToTry = 60;
constexpr std::size_t kMostLine = std::size_t{1} << 28;
// Up to this fraction of the lines may be unreadable, and always one line.
constexpr double kMostUnread = 0.1;
constexpr std::size_t kProgressEvery = 4096;

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

// The length of the arrow at `at`; 0 if there is none. With `apart`, blanks must stand around it.
std::size_t arrow_at(std::string_view text, std::size_t at, bool apart) {
  for (const std::string_view arrow : kArrows) {
    if (text.substr(at, arrow.size()) != arrow) continue;
    const std::size_t end = at + arrow.size();
    const bool free = (at == 0 || blank(text[at - 1])) && (end == text.size() || blank(text[end]));
    if (free || !apart) return arrow.size();
  }
  return 0;
}

std::vector<std::string_view> split(std::string_view text, bool apart) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = arrow_at(text, i, apart);
    if (length == 0) {
      ++i;
      continue;
    }
    parts.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i += length;
  }
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

// Arrows with blanks around them separate terms; if a line has none such, all arrows do. So a
// symbol may be called "->" where the arrows stand apart.
std::vector<std::string_view> split_chain(std::string_view line) {
  const std::vector<std::string_view> parts = split(line, true);
  return parts.size() > 1 ? parts : split(line, false);
}

bool is_comment(std::string_view line) {
  return line.starts_with("# ") && arrow_at(line, 2, true) == 0;
}

term::Position read_position(const std::string& text) {
  term::Position position;
  if (text.empty() || text == "root") return position;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const bool number = !part.empty() && part.size() < 9 &&
                        part.find_first_not_of("0123456789") == std::string::npos;
    if (!number || part == "0") {
      throw Error(ErrorKind::kInput, "\"" + text + "\" is no position",
                  "write argument numbers from 1, such as \"2.1\", or \"root\"");
    }
    position.push_back(static_cast<std::uint32_t>(std::stoul(part) - 1));
    begin = end + 1;
  }
  return position;
}

// Reads lines in one notation into one store.
class LineParser {
 public:
  LineParser(term::Terms& terms, Notation notation)
      : terms_(terms), options_(term::lexer_options(notation)), notation_(notation) {
    options_.arrows = false;
    options_.comment = 0;
  }

  // Nothing for a line that says nothing.
  std::optional<Chain> read(std::string_view line, std::uint32_t number) {
    line = trimmed(line);
    if (line.empty() || is_comment(line)) return std::nullopt;
    Chain chain = line.front() == '{' ? read_json(line) : read_text(line);
    chain.line = number;
    check_positions(chain);
    return chain;
  }

 private:
  Term read_term(std::string_view text) {
    if (text.empty()) throw Error(ErrorKind::kInput, "a term is missing");
    const term::Source source(text, "");
    term::Lexer lexer(source, options_);
    const Term term =
        term::parse_term(terms_, lexer, notation_, [&](const term::Token& name, std::size_t arity) {
          return terms_.symbol(name.text, arity);
        });
    lexer.expect(term::TokenKind::kEnd, "an arrow or the end of the line");
    return term;
  }

  Chain read_text(std::string_view line) {
    Chain chain;
    if (const std::size_t tab = line.find('\t');
        tab != std::string_view::npos && split(line, true).size() == 1) {
      chain.terms = {read_term(trimmed(line.substr(0, tab))), read_term(trimmed(line.substr(tab)))};
      chain.complete = false;
      return chain;
    }
    std::vector<std::string_view> parts = split_chain(line);
    if (parts.size() > 1 && (parts.back() == "..." || parts.back() == "…")) {
      chain.complete = false;
      parts.pop_back();
    }
    for (const std::string_view part : parts) chain.terms.push_back(read_term(part));
    return chain;
  }

  Chain read_json(std::string_view line) {
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded()) throw Error(ErrorKind::kInput, "this is not JSON");
    try {
      return json.contains("terms") ? read_json_chain(json) : read_json_pair(json);
    } catch (const Json::exception&) {
      throw Error(
          ErrorKind::kInput, "unknown fields, or of a wrong type",
          R"(write {"terms": [...], "positions": [...], "complete": true} or {"term": ..., "next": ...})");
    }
  }

  Chain read_json_chain(const Json& json) {
    Chain chain;
    for (const Json& text : json.at("terms"))
      chain.terms.push_back(read_term(text.get<std::string>()));
    if (chain.terms.empty()) throw Error(ErrorKind::kInput, "a chain without terms");
    chain.complete = json.value("complete", true);
    if (!json.contains("positions")) return chain;
    for (const Json& text : json.at("positions")) {
      chain.positions.push_back(read_position(text.get<std::string>()));
    }
    if (chain.positions.size() + 1 != chain.terms.size()) {
      throw Error(ErrorKind::kInput, "there must be one position for each step");
    }
    return chain;
  }

  Chain read_json_pair(const Json& json) {
    Chain chain;
    chain.terms.push_back(read_term(json.at("term").get<std::string>()));
    chain.complete = json.value("final", false);
    if (json.contains("next")) {
      chain.terms.push_back(read_term(json.at("next").get<std::string>()));
    } else if (!chain.complete) {
      throw Error(ErrorKind::kInput, "a term without \"next\"",
                  "write \"final\": true if it is a normal form");
    }
    return chain;
  }

  // The two terms must be equal but for what stands at the position.
  void check_positions(const Chain& chain) {
    for (std::size_t i = 0; i < chain.positions.size(); ++i) {
      const term::Position& at = chain.positions[i];
      const std::optional<Term> after = term::subterm(terms_, chain.terms[i + 1], at);
      if (!term::subterm(terms_, chain.terms[i], at) || !after ||
          term::replace(terms_, chain.terms[i], at, *after) != chain.terms[i + 1]) {
        throw Error(ErrorKind::kInput, "step " + std::to_string(i + 1) +
                                           " is not a rewrite at position " + term::to_string(at));
      }
    }
  }

  term::Terms& terms_;
  term::LexerOptions options_;
  const Notation notation_;
};

// The notation in which the most lines can be read; if all can in several, the one with the fewest
// symbols.
Notation find_notation(std::span<const std::string> lines) {
  using Rank = std::pair<std::size_t, std::size_t>;
  Notation best = Notation::kFunctional;
  Rank least{std::numeric_limits<std::size_t>::max(), 0};
  for (const Notation notation : kNotations) {
    term::Terms terms;
    LineParser parser(terms, notation);
    Rank rank{0, 0};
    for (const std::string& line : lines) {
      try {
        parser.read(line, 1);
      } catch (const Error&) {
        ++rank.first;
      }
    }
    if (rank.first == 0) rank.second = terms.symbol_count();
    if (rank < least) {
      least = rank;
      best = notation;
    }
  }
  return best;
}

// Takes lines one by one; the first ones wait until the notation is known.
class FileReader {
 public:
  explicit FileReader(std::string name) : name_(std::move(name)) {}

  void take(std::string line) {
    ++number_;
    if (parser_) return read(line, number_);
    waiting_.push_back(std::move(line));
    if (waiting_.size() == kLinesToTry) start();
  }

  ChainFile finish() {
    if (!parser_) start();
    const double most = std::max(1.0, kMostUnread * static_cast<double>(file_.chains.size()));
    if (first_error_ && static_cast<double>(file_.unread.size()) > most) throw *first_error_;
    if (file_.chains.empty()) {
      if (first_error_) throw *first_error_;
      throw Error(ErrorKind::kInput, name_ + ": there is no chain in it",
                  "write one chain a line: t0 -> t1 -> ... -> tn");
    }
    return std::move(file_);
  }

 private:
  void start() {
    file_.notation = find_notation(waiting_);
    parser_.emplace(file_.terms, file_.notation);
    std::uint32_t number = 0;
    for (const std::string& line : waiting_) read(line, ++number);
    waiting_.clear();
  }

  void read(const std::string& line, std::uint32_t number) {
    try {
      if (std::optional<Chain> chain = parser_->read(line, number)) {
        file_.chains.push_back(std::move(*chain));
      }
    } catch (const Error& error) {
      file_.unread.push_back({number, error.what()});
      if (!first_error_) first_error_ = error.in(name_ + ":" + std::to_string(number));
    }
  }

  std::string name_;
  ChainFile file_;
  std::optional<LineParser> parser_;
  std::vector<std::string> waiting_;
  std::uint32_t number_ = 0;
  std::optional<Error> first_error_;
};

}  // namespace

ChainFile read_chains(const std::filesystem::path& path, const ReadProgress& progress) {
  FileReader reader(path == "-" ? "standard input" : path.string());
  LineReader lines(path, kMostLine);
  std::string line;
  while (lines.next(line)) {
    if (lines.too_long()) {
      throw Error(ErrorKind::kInput,
                  path.string() + ":" + std::to_string(lines.number()) + ": the line is too long");
    }
    reader.take(std::move(line));
    if (progress && lines.number() % kProgressEvery == 0) progress(lines.number());
  }
  return reader.finish();
}

ChainFile read_chains(std::string_view text, const std::string& name) {
  FileReader reader(name);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.take(std::string(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish();
}

}  // namespace nrs::induce
