#include "text/pattern_modules.h"

#include "base/text.h"
#include "nrs/error.h"

namespace nrs::text {
namespace {

Symbols numbers_of(Vocabulary& vocabulary, const std::vector<std::string>& names) {
  Symbols symbols;
  for (const std::string& name : names) symbols += vocabulary.add(name);
  return symbols;
}

}  // namespace

Reader::Reader(PatternSet set)
    : set_(std::move(set)), lexer_(set_.lexer), vocabulary_(lexer_, set_.number_class, set_.values) {
  for (const Pattern& pattern : set_.patterns) {
    matcher_.add({numbers_of(vocabulary_, pattern.body), numbers_of(vocabulary_, pattern.left),
                  numbers_of(vocabulary_, pattern.right)});
  }
  for (const auto& shape : set_.finals.shapes) {
    final_shapes_.insert(numbers_of(vocabulary_, shape));
  }
  for (const auto& [first, second] : set_.finals.neighbours) {
    final_neighbours_.emplace(vocabulary_.add(first), vocabulary_.add(second));
  }
}

Symbols Reader::classes(std::string_view text, const std::vector<Span>& tokens) const {
  Symbols row;
  row.reserve(tokens.size());
  for (const Span token : tokens) {
    row += token.size() > longest_token() ? Vocabulary::kUnknown
                                          : vocabulary_.class_of(token.of(text));
  }
  return row;
}

bool Reader::may_be_final(const Symbols& row) const {
  if (!set_.finals.open()) return false;
  Symbol before = Vocabulary::kStartSymbol;
  for (const Symbol symbol : row) {
    if (!final_neighbours_.contains({before, symbol})) return false;
    before = symbol;
  }
  return final_neighbours_.contains({before, Vocabulary::kEndSymbol});
}

void Reader::check(std::string_view text) const {
  for (const Span token : lexer_.cut(text)) {
    if (vocabulary_.class_of(token.of(text)) != Vocabulary::kUnknown) continue;
    throw Error(ErrorKind::kInput,
                "column " + std::to_string(token.begin + 1) + ": '" + excerpt(token.of(text)) +
                    "' is in no example that the model was taught",
                "teach it an example with it");
  }
}

// Two overlapping leaves and their neighbours, each token as long as it may be, with a blank.
std::size_t Reader::reach() const {
  return (2 * matcher_.longest() + 3) * (longest_token() + 1);
}

std::vector<std::vector<SelectedLeaf>> PatternSelector::select(
    std::span<const Fragment> fragments) const {
  std::vector<std::vector<SelectedLeaf>> all;
  all.reserve(fragments.size());
  for (const Fragment& fragment : fragments) all.push_back(select(fragment));
  return all;
}

std::vector<SelectedLeaf> PatternSelector::select(const Fragment& fragment) const {
  const std::vector<Span> tokens = reader_.lexer().cut(fragment.text, fragment.starts);
  const Symbols row = reader_.classes(fragment.text, tokens);
  if (fragment.whole() && !row.empty() && reader_.is_final_shape(row)) {
    return {{.span = {0, fragment.text.size()}}};
  }
  std::vector<SelectedLeaf> leaves;
  const Symbol before = fragment.starts ? Vocabulary::kStartSymbol : Vocabulary::kUnknown;
  const Symbol behind = fragment.ends ? Vocabulary::kEndSymbol : Vocabulary::kUnknown;
  for (const Match& match : reader_.matcher().leaves(row, before, behind)) {
    leaves.push_back({.span = {tokens[match.begin].begin, tokens[match.end - 1].end}});
  }
  return leaves;
}

bool PatternSelector::is_final(std::string_view formula) const {
  const Symbols row = reader_.classes(formula, reader_.lexer().cut(formula));
  return reader_.may_be_final(row) && !reader_.matcher().first(row);
}

std::optional<Solution> PatternSolver::read_off(std::string_view leaf, Question& question) const {
  const std::vector<Span> spans = reader_.lexer().cut(leaf);
  const Symbols row = reader_.classes(leaf, spans);
  if (reader_.is_final_shape(row)) {
    return Solution{.value = {}, .omega = true, .origin = {ValueSource::kTable}};
  }
  for (const Span span : spans) question.tokens.push_back(span.of(leaf));
  if (const std::optional<std::size_t> found = reader_.matcher().find(row)) {
    const Pattern& pattern = reader_.set().patterns[*found];
    sort_groups(question.tokens, pattern.any_order, token_less);
    if (pattern.copies) {
      return Solution{.value = std::string(question.tokens[*pattern.copies]),
                      .origin = {ValueSource::kRule}};
    }
    question.pattern = &pattern;
  }
  const bool folds = question.pattern != nullptr && question.pattern->folds;
  question.text = reader_.lexer().spell(
      folds ? first_two(question.tokens, question.pattern->any_order[0]) : question.tokens);
  return {};
}

Solution PatternSolver::answer(const Question& question, Solution of_text) const {
  if (question.pattern == nullptr || !question.pattern->folds || of_text.omega) return of_text;
  const std::string value = std::move(of_text.value);
  of_text.value = reader_.lexer().spell(
      folded(question.tokens, question.pattern->any_order[0], std::string_view(value)));
  return of_text;
}

std::vector<Solution> PatternSolver::solve(std::span<const std::string_view> leaves) const {
  std::vector<Solution> solutions(leaves.size());
  std::vector<Question> asked;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    Question question{.place = i};
    if (std::optional<Solution> known = read_off(leaves[i], question)) {
      solutions[i] = std::move(*known);
    } else {
      asked.push_back(std::move(question));
    }
  }
  std::vector<std::string_view> texts;
  for (const Question& question : asked) texts.push_back(question.text);
  std::vector<Solution> answers = other_.solve(texts);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    solutions[asked[i].place] = answer(asked[i], std::move(answers[i]));
  }
  return solutions;
}

}  // namespace nrs::text
