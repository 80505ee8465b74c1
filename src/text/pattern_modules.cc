#include "text/pattern_modules.h"

#include <algorithm>

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
    : set_(std::move(set)),
      lexer_(set_.lexer),
      vocabulary_(lexer_, set_.number_class, set_.values) {
  for (const Pattern& pattern : set_.patterns) {
    matcher_.add({numbers_of(vocabulary_, pattern.body), numbers_of(vocabulary_, pattern.left),
                  numbers_of(vocabulary_, pattern.right)});
  }
  for (const std::string& head : set_.numbers) {
    // The tail is anything that could follow.
    const std::optional<Counted> number =
        counted(head.back() >= '0' && head.back() <= '9' ? head : head + "x");
    if (number) heads_.emplace(number->number, head);
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

std::optional<std::string_view> Reader::head_of(long number) const {
  const auto found = heads_.find(number);
  return found == heads_.end() ? std::nullopt : std::optional<std::string_view>(found->second);
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
  question.tokens.clear();
  question.pattern = nullptr;
  for (const Span span : spans) question.tokens.emplace_back(span.of(leaf));
  const std::optional<std::size_t> found = reader_.matcher().find(row);
  if (!found) return {};
  question.pattern = &reader_.set().patterns[*found];
  sort_groups(question.tokens, question.pattern->any_order, token_less);
  level(question.tokens, question.pattern->no_matter);
  if (question.pattern->computes) return computed(question);
  const std::optional<std::size_t>& copied = question.pattern->copies;
  if (!copied) return {};
  return Solution{.value = question.tokens[*copied], .origin = {ValueSource::kRule}};
}

std::optional<Solution> PatternSolver::computed(const Question& question) const {
  const Computation& law = *question.pattern->computes;
  const std::optional<Counted> a = counted(question.tokens[law.left]);
  const std::optional<Counted> b = counted(question.tokens[law.right]);
  if (!a || !b || a->tail != b->tail) return {};
  if (!reader_.head_of(a->number) || !reader_.head_of(b->number)) return {};
  const std::optional<std::string_view> head = reader_.head_of(compute(law, a->number, b->number));
  if (!head) return {};
  return Solution{.value = std::string(*head).append(a->tail), .origin = {ValueSource::kRule}};
}

std::optional<Solution> PatternSolver::part_of(const Question& question) const {
  if (!question.folds()) return {};
  Question part;
  return read_off(text_of(question), part);
}

std::string PatternSolver::text_of(const Question& question) const {
  const auto spell = [&](const std::vector<std::string>& tokens) {
    return reader_.lexer().spell({tokens.begin(), tokens.end()});
  };
  if (!question.folds()) return spell(question.tokens);
  return spell(first_two(question.tokens, question.pattern->any_order[0]));
}

std::string PatternSolver::after(const Question& question, const Solution& part) const {
  const std::vector<std::string> tokens =
      folded(question.tokens, question.pattern->any_order[0], part.value);
  return reader_.lexer().spell({tokens.begin(), tokens.end()});
}

std::optional<std::string> PatternSolver::alone(std::string_view leaf) const {
  const std::map<std::string, std::string>& values = reader_.set().alone;
  if (values.empty()) return {};
  std::vector<std::string_view> tokens = reader_.lexer().tokens(leaf);
  const auto pattern = reader_.matcher().find(reader_.classes(leaf, reader_.lexer().cut(leaf)));
  if (pattern) {
    sort_groups(tokens, reader_.set().patterns[*pattern].any_order, token_less);
    level(tokens, reader_.set().patterns[*pattern].no_matter);
  }
  const auto found = values.find(reader_.lexer().spell(tokens));
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Solution> PatternSolver::solve(std::span<const std::string_view> leaves) const {
  std::vector<Solution> solutions(leaves.size());
  std::vector<Question> open;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    Question question{.place = i};
    if (std::optional<Solution> known = read_off(leaves[i], question)) {
      solutions[i] = std::move(*known);
    } else {
      open.push_back(std::move(question));
    }
  }
  // Each round takes a token off every leaf that folds.
  while (!open.empty()) {
    std::vector<std::optional<Solution>> parts;
    std::vector<std::string> texts;
    for (const Question& question : open) {
      if (!parts.emplace_back(part_of(question))) texts.push_back(text_of(question));
    }
    std::vector<Solution> answers =
        other_.solve(std::vector<std::string_view>(texts.begin(), texts.end()));
    std::size_t asked = 0;
    std::vector<Question> next;
    for (std::size_t i = 0; i < open.size(); ++i) {
      Question& question = open[i];
      Solution& solution = solutions[question.place];
      solution = parts[i] ? std::move(*parts[i]) : std::move(answers[asked++]);
      solution.log_prob = std::min(solution.log_prob, question.log_prob);
      if (!question.folds() || !solution.known || solution.omega) continue;
      question.log_prob = solution.log_prob;
      if (std::optional<Solution> known = read_off(after(question, solution), question)) {
        solution = std::move(*known);
        solution.log_prob = question.log_prob;
      } else {
        next.push_back(std::move(question));
      }
    }
    open = std::move(next);
  }
  for (std::size_t i = 0; i < leaves.size(); ++i) solutions[i].alone = alone(leaves[i]);
  return solutions;
}

}  // namespace nrs::text
