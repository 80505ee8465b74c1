#pragma once
// Examples as rows of tokens and of their classes.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "examples/examples.h"
#include "text/patterns.h"

namespace nrs::teach {

// Tokens by number, the same for the same token.
using Row = std::u32string;
using text::Symbol;
using text::Symbols;

// How texts may be read: which characters belong together, and which tokens are alike.
struct Hypothesis {
  text::LexerConfig lexer{};
  bool number_class = true;
  bool value_class = true;  // tokens that are final formulas by themselves are alike
};

// A rewrite inside a row: tokens [begin, end) become `value`.
struct Rewrite {
  std::size_t begin = 0;
  std::size_t end = 0;
  Row value{};
};

struct RowExample {
  std::uint32_t line = 0;
  std::uint32_t times = 1;
  bool complete = true;
  std::vector<Row> rows{};
  // Where each row is rewritten, if the file says so and no token is cut; else empty.
  std::vector<std::vector<Rewrite>> places{};
  bool cuts_token = false;  // the file says so, but a token is cut
};

class Corpus {
 public:
  Corpus(std::span<const examples::Example> examples, const Hypothesis& hypothesis);

  const std::vector<RowExample>& examples() const { return examples_; }
  const text::Lexer& lexer() const { return lexer_; }
  const text::Vocabulary& vocabulary() const { return vocabulary_; }
  const std::vector<std::string>& values() const { return values_; }
  bool number_class() const { return number_class_; }

  Symbol class_of(char32_t token) const { return classes_[token]; }
  Symbols classes(const Row& row) const;
  // Classes by name. The same name may have another number in another corpus.
  std::vector<std::string> names(const Symbols& symbols) const;
  Symbols symbols(const std::vector<std::string>& names);
  const std::string& token(char32_t number) const { return tokens_[number]; }
  std::string spell(const Row& row) const;
  // Sorts the tokens of each group.
  void sort(Row& row, const text::AnyOrder& groups) const;
  // A text that may have tokens which are new.
  Row read(std::string_view text);
  std::size_t longest_token() const;

 private:
  static std::vector<std::string> final_tokens(std::span<const examples::Example> examples,
                                               const text::Lexer& lexer);
  char32_t number(std::string_view token);
  void add(const examples::Example& example);
  bool add_places(const examples::Example& example, RowExample& row_example);

  text::Lexer lexer_;
  bool number_class_;
  std::vector<std::string> values_;
  text::Vocabulary vocabulary_;
  std::unordered_map<std::string, char32_t> numbers_;
  std::vector<std::string> tokens_;
  std::vector<Symbol> classes_;  // by number of the token
  std::vector<RowExample> examples_;
};

}  // namespace nrs::teach
