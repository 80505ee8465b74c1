// The old format of the termination competition: (VAR x y) (RULES l -> r ...) (COMMENT ...).
#include <unordered_set>

#include "term/rule_reader.h"

namespace nrs::term {
namespace {

class TrsReader {
 public:
  TrsReader(const Source& source, RuleSet& rules)
      : lexer_(source, {.comment = 0}), reader_(source, rules) {}

  void run() {
    while (lexer_.peek().kind != TokenKind::kEnd) {
      lexer_.expect(TokenKind::kOpen, "'('", "sections are (VAR ...), (RULES ...), (COMMENT ...)");
      const Token word = lexer_.peek();
      if (word.is("VAR")) {
        lexer_.take();
        read_variables();
      } else if (word.is("RULES")) {
        lexer_.take();
        while (lexer_.peek().kind != TokenKind::kClose) read_rule();
        has_rules_ = true;
      } else if (word.is("COMMENT")) {
        lexer_.pass_to_close();
      } else {
        throw lexer_.error(word, "unknown section " + word.shown(),
                           "VAR, RULES and COMMENT can be read");
      }
      lexer_.expect(TokenKind::kClose, "')'");
    }
    if (!has_rules_) throw lexer_.error(lexer_.peek(), "there is no (RULES ...) section");
  }

 private:
  void read_variables() {
    if (has_rules_) {
      throw lexer_.error(lexer_.peek(), "variables after the rules",
                         "put (VAR ...) before (RULES ...)");
    }
    while (lexer_.peek().kind != TokenKind::kClose) {
      const Token name = lexer_.expect(TokenKind::kName, "the name of a variable");
      if (!variables_.emplace(name.text).second) {
        throw lexer_.error(name, "the variable " + name.shown() + " is declared twice");
      }
    }
  }

  void read_rule() {
    const std::size_t offset = lexer_.peek().offset;
    reader_.begin();
    Rule rule{.left = read_side(), .right = {}};
    const Token arrow = lexer_.expect(TokenKind::kArrow, "'->'", "a rule is written l -> r");
    if (lexer_.peek().is("=")) throw lexer_.error(arrow, "relative rules, ->=, cannot be read");
    rule.right = read_side();
    reader_.add(std::move(rule), offset);
  }

  Term read_side() {
    const Resolve resolve = [this](const Token& name, std::size_t arity) {
      return reader_.note(symbol_of(name, arity), name);
    };
    return parse_term(reader_.rules().terms, lexer_, Notation::kFunctional, resolve);
  }

  Symbol symbol_of(const Token& name, std::size_t arity) {
    if (variables_.contains(std::string(name.text))) {
      if (arity > 0) {
        throw lexer_.error(name, "the variable " + name.shown() + " has arguments");
      }
      return reader_.rules().terms.variable_symbol(name.text);
    }
    const Symbol* symbol = reader_.declared(name, arity);
    return symbol != nullptr ? *symbol : reader_.declare(name, arity);
  }

  Lexer lexer_;
  RuleReader reader_;
  std::unordered_set<std::string> variables_;
  bool has_rules_ = false;
};

}  // namespace

void read_trs_rules(const Source& source, RuleSet& rules) {
  TrsReader(source, rules).run();
}

}  // namespace nrs::term
