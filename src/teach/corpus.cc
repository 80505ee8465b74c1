#include "teach/corpus.h"

#include <algorithm>
#include <set>

namespace nrs::teach {

Corpus::Corpus(std::span<const examples::Example> examples, const Hypothesis& hypothesis)
    : lexer_(hypothesis.lexer),
      number_class_(hypothesis.number_class),
      values_(hypothesis.value_class ? final_tokens(examples, lexer_) : std::vector<std::string>{}),
      vocabulary_(lexer_, number_class_, values_) {
  examples_.reserve(examples.size());
  for (const examples::Example& example : examples) add(example);
}

// Tokens that are a whole final formula in some example.
std::vector<std::string> Corpus::final_tokens(std::span<const examples::Example> examples,
                                              const text::Lexer& lexer) {
  std::set<std::string> found;
  for (const examples::Example& example : examples) {
    if (!example.complete) continue;
    const auto tokens = lexer.tokens(example.formulas.back());
    if (tokens.size() != 1 || lexer.is_compound(tokens[0])) continue;
    if (!text::is_number(tokens[0])) found.emplace(tokens[0]);
  }
  return {found.begin(), found.end()};
}

char32_t Corpus::number(std::string_view token) {
  const auto [found, is_new] = numbers_.emplace(token, static_cast<char32_t>(tokens_.size()));
  if (is_new) {
    tokens_.emplace_back(token);
    classes_.push_back(vocabulary_.learn(token));
  }
  return found->second;
}

Row Corpus::read(std::string_view text) {
  Row row;
  for (const Span span : lexer_.cut(text)) row += number(span.of(text));
  return row;
}

void Corpus::add(const examples::Example& example) {
  RowExample& added = examples_.emplace_back();
  added.line = example.line;
  added.times = example.times;
  added.complete = example.complete;
  for (const std::string& formula : example.formulas) added.rows.push_back(read(formula));
  if (!example.places.empty()) added.cuts_token = !add_places(example, added);
}

// False if a place cuts a token.
bool Corpus::add_places(const examples::Example& example, RowExample& added) {
  added.places.resize(added.rows.size());
  for (std::size_t i = 0; i < added.rows.size(); ++i) {
    const std::vector<Span> tokens = lexer_.cut(example.formulas[i]);
    for (const examples::Place& place : example.places[i]) {
      const auto first = std::ranges::lower_bound(tokens, place.begin, {}, &Span::begin);
      const auto last = std::ranges::lower_bound(tokens, place.end, {}, &Span::end);
      const bool whole = first != tokens.end() && last != tokens.end() && first <= last &&
                         first->begin == place.begin && last->end == place.end;
      if (!whole) {
        added.places.clear();
        return false;
      }
      added.places[i].push_back({static_cast<std::size_t>(first - tokens.begin()),
                                 static_cast<std::size_t>(last - tokens.begin()) + 1,
                                 read(place.value)});
    }
  }
  return true;
}

Symbols Corpus::classes(const Row& row) const {
  Symbols symbols(row.size(), U'\0');
  std::ranges::transform(row, symbols.begin(), [&](char32_t token) { return classes_[token]; });
  return symbols;
}

std::vector<std::string> Corpus::names(const Symbols& symbols) const {
  std::vector<std::string> names;
  for (const Symbol symbol : symbols) names.push_back(vocabulary_.name(symbol));
  return names;
}

Symbols Corpus::symbols(const std::vector<std::string>& names) {
  Symbols symbols;
  for (const std::string& name : names) symbols += vocabulary_.add(name);
  return symbols;
}

std::string Corpus::spell(const Row& row) const {
  std::vector<std::string_view> tokens;
  for (const char32_t token : row) tokens.push_back(tokens_[token]);
  return lexer_.spell(tokens);
}

void Corpus::sort(Row& row, const text::AnyOrder& groups) const {
  text::sort_groups(row, groups, [&](char32_t a, char32_t b) {
    return text::token_less(tokens_[a], tokens_[b]);
  });
}

std::size_t Corpus::longest_token() const {
  std::size_t longest = 1;
  for (const std::string& token : tokens_) longest = std::max(longest, token.size());
  return longest;
}

}  // namespace nrs::teach
