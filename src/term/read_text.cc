// Our own plain form: one rule a line, `variables x y` and `notation infix` before them.
#include <algorithm>
#include <unordered_set>

#include "base/text.h"
#include "term/position.h"
#include "term/rule_reader.h"

namespace nrs::term {
namespace {

class TextReader {
 public:
  TextReader(const Source& source, RuleSet& rules) : source_(source), reader_(source, rules) {}

  void run() {
    const std::string_view text = source_.text();
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      read_line(begin);
      begin = end + 1;
    }
    add_signs();
  }

 private:
  Terms& terms() { return reader_.rules().terms; }

  Lexer lexer(std::size_t begin, Notation notation) const {
    LexerOptions options = lexer_options(notation);
    options.line_ends = true;
    return Lexer(source_, options, begin);
  }

  void read_line(std::size_t begin) {
    Lexer words = lexer(begin, Notation::kFunctional);
    const Token first = words.take();
    if (first.kind == TokenKind::kLineEnd || first.kind == TokenKind::kEnd) return;
    if (words.peek().kind == TokenKind::kName && words.peek().text != "=") {
      if (first.is("variables")) return read_variables(words);
      if (first.is("notation")) return read_notation(words);
    }
    // A line that begins with a bracket is an S-expression unless the file says that it is infix.
    if (first.kind == TokenKind::kOpen && !notation_said_) set_notation(Notation::kSexpr);
    notation_said_ = true;
    read_rule(lexer(begin, reader_.rules().notation));
  }

  void set_notation(Notation notation) { reader_.rules().notation = notation; }

  void read_variables(Lexer& words) {
    while (!at_line_end(words)) {
      const Token name =
          words.expect(TokenKind::kName, "the name of a variable", "names separated by blanks");
      if (reader_.find(name.text) != nullptr) {
        throw words.error(name, name.shown() + " was a function symbol before",
                          "declare variables before the rules");
      }
      if (!variables_.emplace(name.text).second) {
        throw words.error(name, "the variable " + name.shown() + " is declared twice");
      }
    }
  }

  void read_notation(Lexer& words) {
    const Token name = words.take();
    const std::optional<Notation> notation = enum_value<Notation>(name.text);
    if (!notation) {
      throw words.error(name, "unknown notation " + name.shown(),
                        "functional, sexpr and infix are known");
    }
    if (notation_said_) {
      throw words.error(name, "the notation is given too late", "put it before the rules");
    }
    set_notation(*notation);
    notation_said_ = true;
    expect_line_end(words);
  }

  static bool at_line_end(const Lexer& lexer) {
    return lexer.peek().kind == TokenKind::kLineEnd || lexer.peek().kind == TokenKind::kEnd;
  }

  static void expect_line_end(Lexer& lexer) {
    if (!at_line_end(lexer)) {
      throw lexer.error(lexer.peek(), "expected the end of the line, found " + lexer.peek().shown(),
                        "one rule per line: l -> r, or l -> r if t = u and v <> w");
    }
  }

  void read_rule(Lexer line) {
    const std::size_t offset = line.peek().offset;
    reader_.begin();
    Rule rule{.left = read_side(line), .right = {}};
    if (line.peek().is("=")) {
      line.take();
    } else {
      line.expect(TokenKind::kArrow, "'->'", "a rule is written l -> r");
    }
    rule.right = read_side(line);
    if (line.peek().is("if")) {
      do {
        line.take();
        rule.conditions.push_back(read_condition(line));
      } while (line.peek().is("and"));
    }
    expect_line_end(line);
    reader_.add(std::move(rule), offset);
  }

  Condition read_condition(Lexer& line) {
    const Term left = read_side(line);
    // In infix notation the sign between the sides has been read as the root of one term.
    const std::string& root = terms().name(terms().symbol(left));
    if (reader_.rules().notation == Notation::kInfix && terms().args(left).size() == 2 &&
        (root == "=" || root == "<>")) {
      return {terms().arg(left, 0), terms().arg(left, 1), root == "="};
    }
    const Token sign = line.take();
    if (!sign.is("=") && !sign.is("<>")) {
      throw line.error(sign, "expected '=' or '<>', found " + sign.shown(),
                       "a condition is written t = u or t <> u");
    }
    return {left, read_side(line), sign.is("=")};
  }

  Term read_side(Lexer& line) {
    const Resolve resolve = [this](const Token& name, std::size_t arity) {
      return reader_.note(symbol_of(name, arity), name);
    };
    return parse_term(terms(), line, reader_.rules().notation, resolve);
  }

  Symbol symbol_of(const Token& name, std::size_t arity) {
    const bool marked = !name.quoted && name.text.starts_with('?');
    if (marked || variables_.contains(std::string(name.text))) {
      if (arity > 0)
        throw source_.error(name.offset, "the variable " + name.shown() + " has arguments");
      return terms().variable_symbol(name.text);
    }
    // Only operators have two arities: -x and x-y.
    const bool sign = reader_.rules().notation == Notation::kInfix && is_operator(name.text[0]);
    if (sign) return terms().symbol(name.text, arity);
    const Symbol* symbol = reader_.declared(name, arity);
    return symbol != nullptr ? *symbol : reader_.declare(name, arity);
  }

  // Operators are not declared when they are read: the sign of a condition is no part of a term.
  void add_signs() {
    RuleSet& rules = reader_.rules();
    if (rules.notation != Notation::kInfix) return;
    const auto add = [&](Term term) {
      for (const Term part : distinct_subterms(rules.terms, term)) {
        if (!rules.terms.is_variable(part)) add_to_signature(rules, rules.terms.symbol(part));
      }
    };
    for (const Rule& rule : rules.rules) {
      add(rule.left);
      add(rule.right);
      for (const Condition& condition : rule.conditions) {
        add(condition.left);
        add(condition.right);
      }
    }
  }

  const Source& source_;
  RuleReader reader_;
  std::unordered_set<std::string> variables_;
  bool notation_said_ = false;
};

}  // namespace

void read_text_rules(const Source& source, RuleSet& rules) {
  TextReader(source, rules).run();
}

}  // namespace nrs::term
