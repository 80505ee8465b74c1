// The format of the Rewrite Engines Competition: sorts, constructors, conditional rules, terms to
// evaluate, and other files that are read first.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/files.h"
#include "base/text.h"
#include "term/rule_reader.h"

namespace nrs::term {
namespace {

constexpr std::size_t kMostIncludes = 100;  // one inside the other

// What the files of one specification share.
struct Specification {
  RuleSet& rules;
  std::filesystem::path folder;
  std::set<std::string> included{};  // file names, each read once
  std::size_t nesting = 0;
  std::unordered_map<std::string, std::uint32_t> variables{};  // with their sorts
};

class RecReader {
 public:
  RecReader(const Source& source, Specification& all)
      : lexer_(source, {}), reader_(std::in_place, source, all.rules), all_(all) {}

  void run() {
    expect_word("REC-SPEC");
    lexer_.expect(TokenKind::kName, "the name of the specification");
    read_includes();
    for (const Section& section : kSections) {
      if (!lexer_.peek().is(section.word)) {
        if (section.optional) continue;
        throw lexer_.error(
            lexer_.peek(),
            "expected " + std::string(section.word) + ", found " + lexer_.peek().shown(),
            "sections: SORTS CONS OPNS VARS RULES EVAL END-SPEC");
      }
      lexer_.take();
      while (!at_section()) (this->*section.read)();
    }
    expect_word("END-SPEC");
    lexer_.expect(TokenKind::kEnd, "nothing after END-SPEC");
  }

 private:
  struct Section {
    std::string_view word;
    void (RecReader::*read)();
    bool optional = false;
  };
  static const std::array<Section, 6> kSections;

  RuleSet& rules() { return all_.rules; }

  bool at_section() const {
    const Token& token = lexer_.peek();
    if (token.kind == TokenKind::kEnd || token.is("END-SPEC")) return true;
    return std::any_of(kSections.begin(), kSections.end(),
                       [&](const Section& section) { return token.is(section.word); });
  }

  void expect_word(std::string_view word) {
    if (!lexer_.peek().is(word)) {
      throw lexer_.error(lexer_.peek(),
                         "expected " + std::string(word) + ", found " + lexer_.peek().shown());
    }
    lexer_.take();
  }

  void read_includes() {
    if (!lexer_.peek().is(":")) return;
    lexer_.take();
    std::vector<Token> names;
    while (!at_section()) names.push_back(lexer_.expect(TokenKind::kName, "the name of a file"));
    for (const Token& name : names) include(name);
  }

  void include(const Token& name) {
    std::string file(name.text);
    std::transform(file.begin(), file.end(), file.begin(),
                   [](char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    if (file.find('/') != std::string::npos) {
      throw lexer_.error(name, "an include is a name without folders");
    }
    if (!all_.included.insert(file).second) return;
    if (all_.folder.empty()) throw lexer_.error(name, "includes cannot be read here");
    if (++all_.nesting > kMostIncludes) throw lexer_.error(name, "too many nested includes");
    const std::filesystem::path path = all_.folder / (file + ".rec");
    if (!std::filesystem::exists(path)) {
      throw lexer_.error(name, "cannot find the included file " + path.string(),
                         "an include is the file of that name in lower case, in the same folder");
    }
    const std::string text = read_file(path, kMostRuleBytes);
    const Source source(text, path.string());
    RecReader(source, all_).run();
    --all_.nesting;
    reader_.emplace(lexer_.source(), rules());
  }

  void read_sort() {
    const Token name = lexer_.expect(TokenKind::kName, "the name of a sort");
    auto& sorts = rules().sorts;
    if (std::find(sorts.begin(), sorts.end(), name.text) != sorts.end()) {
      throw lexer_.error(name, "the sort " + name.shown() + " is declared twice",
                         "remove one of the declarations");
    }
    sorts.emplace_back(name.text);
  }

  // names : before a declaration's sorts.
  std::vector<Token> read_names() {
    std::vector<Token> names;
    while (!lexer_.peek().is(":")) {
      names.push_back(lexer_.expect(TokenKind::kName, "a name or ':'",
                                    "a declaration is written f : A B -> C, with blanks"));
    }
    if (names.empty()) throw lexer_.error(lexer_.peek(), "a name is missing before ':'");
    lexer_.take();
    return names;
  }

  std::uint32_t read_sort_name() {
    const Token name = lexer_.expect(TokenKind::kName, "a sort");
    const auto& sorts = rules().sorts;
    const auto found = std::find(sorts.begin(), sorts.end(), name.text);
    if (found == sorts.end()) {
      throw lexer_.error(name, "unknown sort " + name.shown(),
                         "declare it under SORTS, or include the file that does");
    }
    return static_cast<std::uint32_t>(found - sorts.begin());
  }

  void read_constructor() { read_operation(true); }
  void read_function() { read_operation(false); }

  void read_operation(bool constructor) {
    const std::vector<Token> names = read_names();
    Profile profile;
    profile.constructor = constructor;
    while (!lexer_.skip(TokenKind::kArrow)) profile.args.push_back(read_sort_name());
    profile.result = read_sort_name();
    for (const Token& name : names) {
      rules().profiles[reader_->declare(name, profile.args.size())] = profile;
    }
  }

  void read_variables() {
    const std::vector<Token> names = read_names();
    const std::uint32_t sort = read_sort_name();
    for (const Token& name : names) {
      if (reader_->find(name.text) != nullptr) {
        throw lexer_.error(name, name.shown() + " is declared as a symbol and as a variable");
      }
      if (!own_variables_.insert(std::string(name.text)).second) {
        throw lexer_.error(name, "the variable " + name.shown() + " is declared twice");
      }
      all_.variables[std::string(name.text)] = sort;
    }
  }

  void read_rule() {
    const std::size_t offset = lexer_.peek().offset;
    reader_->begin();
    Rule rule{.left = read_side(), .right = {}};
    if (lexer_.peek().is("=")) {
      lexer_.take();
    } else {
      lexer_.expect(TokenKind::kArrow, "'->'", "a rule is written l -> r, or l -> r if t = u");
    }
    rule.right = read_side();
    if (lexer_.peek().is("if")) {
      do {
        lexer_.take();
        rule.conditions.push_back(read_condition());
      } while (lexer_.peek().is("and-if"));
    }
    const Symbol root = rules().terms.symbol(rule.left);
    reader_->add(std::move(rule), offset);
    if (rules().profiles.at(root).constructor) {
      throw lexer_.source().error(offset, "a rule for the constructor " + rules().terms.name(root),
                                  "declare it under OPNS");
    }
  }

  Condition read_condition() {
    const Term left = read_side();
    const Token sign = lexer_.take();
    if (!sign.is("=") && !sign.is("<>")) {
      throw lexer_.error(sign, "expected '=' or '<>', found " + sign.shown(),
                         "a condition is written t = u or t <> u");
    }
    return {left, read_side(), sign.is("=")};
  }

  void read_eval() {
    const std::size_t offset = lexer_.peek().offset;
    reader_->begin();
    const Term term = read_side();
    if (!rules().terms.ground(term)) {
      throw lexer_.source().error(offset, "a variable in a term to evaluate");
    }
    reader_->check_term(term, offset);
    rules().evals.push_back(term);
  }

  Term read_side() {
    const Resolve resolve = [this](const Token& name, std::size_t arity) {
      return reader_->note(symbol_of(name, arity), name);
    };
    return parse_term(rules().terms, lexer_, Notation::kFunctional, resolve);
  }

  Symbol symbol_of(const Token& name, std::size_t arity) {
    if (const Symbol* symbol = reader_->declared(name, arity)) return *symbol;
    const auto found = all_.variables.find(std::string(name.text));
    if (found == all_.variables.end() || arity > 0) {
      throw lexer_.error(name, "unknown symbol " + name.shown(),
                         "declare it under CONS, OPNS or VARS");
    }
    const Symbol variable = rules().terms.variable_symbol(name.text);
    reader_->declare_variable(variable, found->second);
    return variable;
  }

  Lexer lexer_;
  std::optional<RuleReader> reader_;  // a new one after an include
  Specification& all_;
  std::set<std::string> own_variables_;
};

const std::array<RecReader::Section, 6> RecReader::kSections{{
    {"SORTS", &RecReader::read_sort},
    {"CONS", &RecReader::read_constructor},
    {"OPNS", &RecReader::read_function},
    {"VARS", &RecReader::read_variables},
    {"RULES", &RecReader::read_rule},
    {"EVAL", &RecReader::read_eval, true},
}};

}  // namespace

void read_rec_rules(const Source& source, RuleSet& rules, const std::filesystem::path& folder) {
  Specification all{.rules = rules, .folder = folder};
  RecReader(source, all).run();
}

}  // namespace nrs::term
