// The ARI format of the confluence and termination competitions: S-expressions, (format TRS) with
// arities or (format MSTRS) with sorts.
#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "term/rule_reader.h"

namespace nrs::term {
namespace {

class AriReader {
 public:
  AriReader(const Source& source, RuleSet& rules)
      : source_(source),
        lexer_(source, {.comment = ';', .arrows = false, .commas = false}),
        reader_(source, rules) {}

  void run() {
    read_format();
    while (lexer_.peek().kind != TokenKind::kEnd) {
      const Token open = lexer_.expect(TokenKind::kOpen, "'('");
      const Token word = lexer_.expect(TokenKind::kName, "fun, sort or rule");
      if (word.is("fun")) {
        read_fun();
      } else if (word.is("sort") && sorted_) {
        read_sort();
      } else if (word.is("rule")) {
        read_rule(open.offset);
      } else {
        throw lexer_.error(word, "unknown entry " + word.shown(),
                           sorted_ ? "expected sort, fun or rule" : "expected fun or rule");
      }
      lexer_.expect(TokenKind::kClose, "')'");
    }
  }

 private:
  void read_format() {
    lexer_.expect(TokenKind::kOpen, "(format TRS)");
    const Token word = lexer_.expect(TokenKind::kName, "(format TRS)");
    if (!word.is("format")) {
      throw lexer_.error(word, "expected (format TRS), found " + word.shown());
    }
    const Token kind = lexer_.expect(TokenKind::kName, "TRS or MSTRS");
    sorted_ = kind.is("MSTRS");
    if (!sorted_ && !kind.is("TRS")) {
      throw lexer_.error(kind, "cannot read the format " + kind.shown(),
                         "TRS and MSTRS can be read");
    }
    lexer_.expect(TokenKind::kClose, "')'");
  }

  void read_sort() {
    const Token name = lexer_.expect(TokenKind::kName, "the name of a sort");
    auto& sorts = reader_.rules().sorts;
    if (std::find(sorts.begin(), sorts.end(), name.text) != sorts.end()) {
      throw lexer_.error(name, "the sort " + excerpt(name.text) + " is declared twice",
                         "remove one of the declarations");
    }
    sorts.emplace_back(name.text);
  }

  void read_fun() {
    const Token name = lexer_.expect(TokenKind::kName, "the name of a symbol");
    if (sorted_) {
      const Profile profile = read_profile();
      reader_.rules().profiles[reader_.declare(name, profile.args.size())] = profile;
      return;
    }
    const Token arity = lexer_.expect(TokenKind::kName, "an arity");
    std::uint16_t value = 0;
    const char* end = arity.text.data() + arity.text.size();
    if (std::from_chars(arity.text.data(), end, value).ptr != end) {
      throw lexer_.error(arity, "expected an arity, found " + arity.shown(),
                         "a whole number below 65536");
    }
    reader_.declare(name, value);
  }

  // S, or (-> S1 ... Sn S).
  Profile read_profile() {
    Profile profile;
    if (!lexer_.skip(TokenKind::kOpen)) {
      profile.result = read_sort_name();
      return profile;
    }
    const Token arrow = lexer_.expect(TokenKind::kName, "(-> ...)");
    if (!arrow.is("->")) throw lexer_.error(arrow, "expected '->', found " + arrow.shown());
    profile.result = read_sort_name();
    while (lexer_.peek().kind != TokenKind::kClose) {
      profile.args.push_back(profile.result);
      profile.result = read_sort_name();
    }
    lexer_.take();
    return profile;
  }

  std::uint32_t read_sort_name() {
    const Token name = lexer_.expect(TokenKind::kName, "a sort");
    const auto& sorts = reader_.rules().sorts;
    const auto found = std::find(sorts.begin(), sorts.end(), name.text);
    if (found == sorts.end()) {
      throw lexer_.error(name, "unknown sort " + name.shown(),
                         "declare it before: (sort " + std::string(name.text) + ")");
    }
    return static_cast<std::uint32_t>(found - sorts.begin());
  }

  void read_rule(std::size_t offset) {
    reader_.begin();
    Rule rule{.left = read_side(), .right = {}};
    rule.right = read_side();
    reader_.add(std::move(rule), offset);
  }

  // What is not declared is a variable.
  Term read_side() {
    const Resolve resolve = [this](const Token& name, std::size_t arity) {
      const Symbol* symbol = reader_.declared(name, arity);
      if (symbol == nullptr && arity > 0) {
        throw source_.error(
            name.offset, "the symbol " + name.shown() + " is not declared",
            "add (fun " + std::string(name.text) + " " + std::to_string(arity) + ")");
      }
      return reader_.note(
          symbol != nullptr ? *symbol : reader_.rules().terms.variable_symbol(name.text), name);
    };
    return parse_term(reader_.rules().terms, lexer_, Notation::kSexpr, resolve);
  }

  const Source& source_;
  Lexer lexer_;
  RuleReader reader_;
  bool sorted_ = false;
};

}  // namespace

void read_ari_rules(const Source& source, RuleSet& rules) {
  AriReader(source, rules).run();
}

}  // namespace nrs::term
