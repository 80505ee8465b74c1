#include "term/notation.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>
#include <vector>

namespace nrs::term {
namespace {

bool is_operator_name(std::string_view name) {
  return std::all_of(name.begin(), name.end(), is_operator);
}

// How tightly an infix operator binds; the printer brackets everything, so this is for people.
int precedence(std::string_view name) {
  switch (name.front()) {
    case '^':
      return 6;
    case '*':
    case '/':
    case '%':
      return 5;
    case '+':
    case '-':
      return 4;
    case ':':
      return 3;
    case '<':
    case '>':
    case '=':
    case '!':
      return 2;
    default:
      return 1;
  }
}

bool groups_to_the_right(std::string_view name) {
  return name.front() == '^' || name.front() == ':';
}

// Functional and infix notation: values and what is open around them, on two stacks.
class Parser {
 public:
  Parser(Terms& terms, Lexer& lexer, bool infix, const Resolve& resolve)
      : terms_(terms), lexer_(lexer), infix_(infix), resolve_(resolve) {}

  Term run() {
    while (true) {
      if (!read_operand()) continue;
      while (!values_.empty()) {  // after a value
        if (infix_ && is_operator_token()) {
          open_binary();
          break;
        }
        close_operators();
        if (open_.empty()) return values_.back();
        if (lexer_.peek().kind == TokenKind::kComma && open_.back().kind == Kind::kCall) {
          lexer_.take();
          break;
        }
        close_bracket();
      }
    }
  }

 private:
  enum class Kind { kCall, kGroup, kPrefix, kBinary };
  struct Open {
    Kind kind;
    Token name;
    std::size_t first_value;  // of its arguments
  };

  bool is_operator_token() const {
    const Token& token = lexer_.peek();
    return token.kind == TokenKind::kName && !token.quoted && is_operator_name(token.text);
  }

  // True if a value is there; false if something was opened that wants one.
  bool read_operand() {
    if (infix_ && lexer_.peek().kind == TokenKind::kOpen) {
      open_.push_back({Kind::kGroup, lexer_.take(), values_.size()});
      return false;
    }
    const bool is_sign = infix_ && is_operator_token();
    const Token name = lexer_.expect(TokenKind::kName, "a term");
    if (lexer_.peek().kind == TokenKind::kOpen) {
      lexer_.take();
      open_.push_back({Kind::kCall, name, values_.size()});
      if (lexer_.peek().kind != TokenKind::kClose) return false;
      close_bracket();
      return true;
    }
    if (is_sign && lexer_.peek().kind == TokenKind::kName) return read_prefix(name);
    apply(name, values_.size());
    return true;
  }

  // A number with its sign is one name; before anything else an operator takes one argument.
  bool read_prefix(const Token& sign) {
    const Token& next = lexer_.peek();
    const bool touches = next.offset == sign.offset + sign.text.size();
    if (sign.text == "-" && touches && !next.quoted && std::isdigit(next.text.front()) != 0) {
      Token number = lexer_.take();
      number.text = {sign.text.data(), number.text.size() + 1};
      number.offset = sign.offset;
      apply(number, values_.size());
      return true;
    }
    open_.push_back({Kind::kPrefix, sign, values_.size()});
    return false;
  }

  void open_binary() {
    const Token name = lexer_.take();
    const int binds = precedence(name.text);
    while (!open_.empty()) {
      const Open& top = open_.back();
      const bool first =
          top.kind == Kind::kPrefix ||
          (top.kind == Kind::kBinary &&
           (precedence(top.name.text) > binds ||
            (precedence(top.name.text) == binds && !groups_to_the_right(name.text))));
      if (!first) break;
      close_top();
    }
    open_.push_back({Kind::kBinary, name, values_.size() - 1});
  }

  void close_operators() {
    while (!open_.empty() &&
           (open_.back().kind == Kind::kPrefix || open_.back().kind == Kind::kBinary)) {
      close_top();
    }
  }

  void close_bracket() {
    if (lexer_.peek().kind != TokenKind::kClose) {
      const bool call = open_.back().kind == Kind::kCall;
      throw lexer_.error(lexer_.peek(), std::string("expected ") + (call ? "',' or ')'" : "')'") +
                                            ", found " + lexer_.peek().shown());
    }
    lexer_.take();
    close_top();
  }

  void close_top() {
    const Open top = open_.back();
    open_.pop_back();
    if (top.kind != Kind::kGroup) apply(top.name, top.first_value);
  }

  // Replaces the values from `first` on by the term that has them as arguments.
  void apply(const Token& name, std::size_t first) {
    const std::size_t arity = values_.size() - first;
    const Symbol symbol = resolve_(name, arity);
    const Term made = terms_.make(symbol, std::span(values_).last(arity));
    values_.resize(first);
    values_.push_back(made);
  }

  Terms& terms_;
  Lexer& lexer_;
  const bool infix_;
  const Resolve& resolve_;
  std::vector<Open> open_;
  std::vector<Term> values_;
};

Term parse_sexpr(Terms& terms, Lexer& lexer, const Resolve& resolve) {
  struct Open {
    Token name;
    std::size_t first_value;
  };
  std::vector<Open> open;
  std::vector<Term> values;
  const auto apply = [&](const Token& name, std::size_t first) {
    const std::size_t arity = values.size() - first;
    const Symbol symbol = resolve(name, arity);
    const Term made = terms.make(symbol, std::span(values).last(arity));
    values.resize(first);
    values.push_back(made);
  };
  do {
    if (lexer.skip(TokenKind::kOpen)) {
      open.push_back({lexer.expect(TokenKind::kName, "a symbol after '('"), values.size()});
    } else if (!open.empty() && lexer.skip(TokenKind::kClose)) {
      const Open top = open.back();
      open.pop_back();
      apply(top.name, top.first_value);
    } else {
      apply(lexer.expect(TokenKind::kName, open.empty() ? "a term" : "a term or ')'"),
            values.size());
    }
  } while (!open.empty());
  return values.back();
}

// A comma is part of a name in S-expressions.
bool needs_bars(std::string_view name, Notation notation) {
  const auto special = [&](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '(' || c == ')' ||
           (c == ',' && notation != Notation::kSexpr);
  };
  return name.empty() || name.front() == '#' || name.front() == ';' ||
         std::any_of(name.begin(), name.end(), special) ||
         name.find("->") != std::string_view::npos || name.find("=>") != std::string_view::npos ||
         name.find("→") != std::string_view::npos;
}

bool is_negative_number(std::string_view name) {
  return name.size() > 1 && name[0] == '-' && std::isdigit(static_cast<unsigned char>(name[1])) &&
         std::none_of(name.begin() + 1, name.end(), is_operator);
}

// Prints a term with a stack of what is still to be written: pieces of text and terms.
class Printer {
 public:
  Printer(const Terms& terms, Notation notation, std::string& out)
      : terms_(terms), notation_(notation), out_(out) {}

  void run(Term term) {
    left_.push_back({"", term, false});
    while (!left_.empty()) {
      const Item item = left_.back();
      left_.pop_back();
      out_ += item.text;
      if (!item.is_term()) continue;
      if (notation_ == Notation::kSexpr) {
        print_sexpr(item.term);
      } else if (notation_ == Notation::kInfix) {
        print_infix(item);
      } else {
        print_call(item.term);
      }
    }
  }

 private:
  static constexpr Term kNone{0xffffffff};
  struct Item {
    std::string_view text;
    Term term = kNone;
    bool operand = false;  // of an infix operator
    bool is_term() const { return term != kNone; }
  };

  std::string name(Symbol symbol) const {
    const std::string& name = terms_.name(symbol);
    const bool mistaken =
        (!terms_.is_variable(symbol) && name.starts_with('?')) ||
        (notation_ == Notation::kInfix && !is_operator_name(name) && !is_negative_number(name) &&
         std::any_of(name.begin(), name.end(), is_operator));
    return mistaken || needs_bars(name, notation_) ? "|" + name + "|" : name;
  }

  void push_args(Term term, std::string_view between, std::string_view first) {
    const std::span<const Term> args = terms_.args(term);
    for (std::size_t i = args.size(); i-- > 0;) {
      left_.push_back({i == 0 ? first : between, args[i], false});
    }
  }

  void print_call(Term term) {
    out_ += name(terms_.symbol(term));
    if (terms_.args(term).empty()) return;
    left_.push_back({")"});
    push_args(term, ",", "(");
  }

  void print_sexpr(Term term) {
    if (terms_.args(term).empty()) {
      out_ += name(terms_.symbol(term));
      return;
    }
    out_ += '(' + name(terms_.symbol(term));
    left_.push_back({")"});
    push_args(term, " ", " ");
  }

  void print_infix(const Item& item) {
    const std::string& plain = terms_.name(terms_.symbol(item.term));
    const bool sign = is_operator_name(plain) && !needs_bars(plain, notation_);
    const std::span<const Term> args = terms_.args(item.term);
    if (sign && args.size() == 2) {
      out_ += '(';
      left_.push_back({")"});
      left_.push_back({plain, args[1], true});
      left_.push_back({"", args[0], true});
    } else if (item.operand && (sign || is_negative_number(plain))) {
      // Beside an operator it would be read as one with it.
      out_ += '(';
      left_.push_back({")"});
      print_call(item.term);
    } else {
      print_call(item.term);
    }
  }

  const Terms& terms_;
  const Notation notation_;
  std::string& out_;
  std::vector<Item> left_;
};

}  // namespace

Resolve any_symbol(Terms& terms) {
  return [&terms](const Token& name, std::size_t arity) {
    const bool variable = !name.quoted && arity == 0 && name.text.starts_with('?');
    return variable ? terms.variable_symbol(name.text) : terms.symbol(name.text, arity);
  };
}

LexerOptions lexer_options(Notation notation) {
  LexerOptions options;
  options.operators = notation == Notation::kInfix;
  options.commas = notation != Notation::kSexpr;
  return options;
}

Term parse_term(Terms& terms, Lexer& lexer, Notation notation, const Resolve& resolve) {
  if (notation == Notation::kSexpr) return parse_sexpr(terms, lexer, resolve);
  return Parser(terms, lexer, notation == Notation::kInfix, resolve).run();
}

Term read_term(Terms& terms, std::string_view text, Notation notation, const Resolve& resolve) {
  const Source source(text, "");
  Lexer lexer(source, lexer_options(notation));
  const Term term = parse_term(terms, lexer, notation, resolve);
  lexer.expect(TokenKind::kEnd, "the end of the term");
  return term;
}

Term read_term(Terms& terms, std::string_view text, Notation notation) {
  return read_term(terms, text, notation, any_symbol(terms));
}

void print_term(const Terms& terms, Term term, Notation notation, std::string& out) {
  Printer(terms, notation, out).run(term);
}

std::string to_string(const Terms& terms, Term term, Notation notation) {
  std::string out;
  print_term(terms, term, notation, out);
  return out;
}

std::string written_name(std::string_view name) {
  return needs_bars(name, Notation::kFunctional) ? "|" + std::string(name) + "|"
                                                 : std::string(name);
}

}  // namespace nrs::term
