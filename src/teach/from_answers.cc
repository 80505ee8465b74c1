// A text system from questions and answers only.
//
// A short question is a leaf. And: a range is a leaf exactly where putting its own answer in its
// place never changes the answer of the whole. So questions are taken by length. In each, ranges
// that look like a known leaf are replaced by their values; what the system learned so far makes of
// the rest is a vote for or against a leaf between these neighbours. What cannot be explained by
// leaves inside of it is a new kind of leaf.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>

#include "nrs/error.h"
#include "teach/alike.h"
#include "teach/finish.h"
#include "teach/hypotheses.h"
#include "teach/shapes.h"

namespace nrs::teach {
namespace {

// Votes against a neighbour that noise may explain: as few as will do.
constexpr std::array kTolerances{0.02, 0.04, 0.06, 0.09, 0.12};
constexpr std::uint64_t kLeastVotes = 10;  // for two neighbours; three times as many with noise
constexpr std::uint64_t kMostVotes = 150;  // more are not asked for
constexpr std::uint64_t kGiven = 1 << 20;  // votes for what needs none
constexpr std::size_t kRounds = 3;         // of voting at one length
constexpr std::size_t kMostSteps = 8;      // of a question, after which votes are counted

struct Question {
  const Row* row;
  const Row* answer;
  std::uint32_t example;
};

class Learner {
 public:
  Learner(Corpus& corpus, const TextOptions& options, double tolerance)
      : corpus_(corpus),
        options_(options),
        tolerance_(tolerance),
        least_(tolerance > kTolerances[0] ? 3 * kLeastVotes : kLeastVotes),
        draft_(corpus) {
    draft_.set_solve(options.solve);
    for (std::uint32_t e = 0; e < corpus.examples().size(); ++e) {
      const RowExample& example = corpus.examples()[e];
      final_.insert(corpus.classes(example.rows.back()));
      if (example.rows.size() < 2 || example.rows[0] == example.rows.back()) continue;
      by_length_[example.rows[0].size()].push_back({&example.rows[0], &example.rows.back(), e});
      answers_.emplace(example.rows[0], &example.rows.back());
    }
  }

  TextSystem run() {
    for (const auto& [length, questions] : by_length_) {
      if (options_.progress) options_.progress(fmt::format("questions of {} tokens", length));
      vote_up_to(length);
      add_patterns(length, questions);
    }
    harvest();
    draft_.find_laws();
    accept_alike(draft_);
    return result();
  }

 private:
  // Asks all questions up to a length again: what has been learned since answers more of them.
  void vote_up_to(std::size_t length) {
    if (draft_.matcher().size() == 0) return;
    for (std::size_t round = 0; round < kRounds; ++round) {
      forget_votes();
      count_given();
      for (const auto& [size, questions] : by_length_) {
        if (size > length) break;
        for (const Question& question : questions) vote(question);
      }
      count_joint_votes();
      if (!draft_.settle_all(least_, tolerance_)) return;
    }
  }

  // Where an example states its places, no votes are needed.
  void count_given() {
    for (const RowExample& example : corpus_.examples()) {
      for (std::size_t i = 0; i < example.places.size(); ++i) {
        const Symbols classes = corpus_.classes(example.rows[i]);
        for (const Rewrite& place : example.places[i]) {
          const auto pattern =
              draft_.matcher().find(classes.substr(place.begin, place.end - place.begin));
          if (!pattern) continue;
          draft_.evidence(*pattern)[Draft::beside(classes, place.begin, place.end)].for_it = kGiven;
        }
      }
    }
  }

  void forget_votes() {
    for (std::size_t pattern = 0; pattern < draft_.matcher().size(); ++pattern) {
      std::erase_if(draft_.evidence(pattern),
                    [](const auto& entry) { return entry.second.for_it < kGiven; });
    }
    joint_.assign(draft_.matcher().size(), {});
  }

  // Votes in the question and in what it becomes; there only where votes are few, and not if
  // answers may be wrong: one wrong answer would be counted at every step.
  void vote(const Question& question) {
    Row row = *question.row;
    std::uint64_t enough = kMostVotes;
    for (std::size_t step = 0; step <= kMostSteps; ++step) {
      const Symbols classes = corpus_.classes(row);
      vote(row, classes, *question.answer, enough);
      enough = least_;
      if (tolerance_ > kTolerances[0]) return;
      const std::optional<text::Match> leaf = draft_.matcher().first(classes);
      if (!leaf || leaf->end - leaf->begin == row.size()) return;
      const std::size_t size = leaf->end - leaf->begin;
      const std::optional<Row> value = draft_.value(row.substr(leaf->begin, size));
      if (!value) return;
      row.replace(leaf->begin, size, *value);
    }
  }

  void vote(const Row& row, const Symbols& classes, const Row& expected, std::uint64_t enough) {
    std::size_t undecided = 0;
    draft_.matcher().visit_bodies(classes, [&](const text::Match& match) {
      const std::size_t size = match.end - match.begin;
      if (size == classes.size()) return;
      Votes& votes = draft_.evidence(match.pattern)[Draft::beside(classes, match.begin, match.end)];
      if (votes.all() >= enough) return;
      const std::optional<Row> value = draft_.value(row.substr(match.begin, size));
      if (!value) return;
      Row next = row;
      const std::optional<bool> same = leads_to(next.replace(match.begin, size, *value), expected);
      undecided += !same;
      if (same) ++(*same ? votes.for_it : votes.against);
    });
    if (undecided > 1 && tolerance_ <= kTolerances[0]) vote_jointly(row, classes, expected);
  }

  // Whether the answer of a row is what was expected; nothing if it does not come to an end.
  std::optional<bool> leads_to(const Row& row, const Row& expected) const {
    const std::optional<Row> answer = answer_of(row);
    if (!answer) return {};
    if (*answer == expected) return true;
    return corpus_.classes(*answer) == corpus_.classes(expected) ? std::optional(false)
                                                                 : std::nullopt;
  }

  // Where each of several leaves can be answered only when the others have been, all are replaced
  // at once, and the vote is for all of their neighbours.
  void vote_jointly(const Row& row, const Symbols& classes, const Row& expected) {
    std::vector<text::Match> leaves;
    Row next;
    std::size_t end = 0;
    bool known = true;
    draft_.matcher().visit_bodies(classes, [&](const text::Match& match) {
      if (match.begin < end || match.end - match.begin == classes.size() || !known) return;
      const std::optional<Row> value =
          draft_.value(row.substr(match.begin, match.end - match.begin));
      known = value.has_value();
      if (!known) return;
      next.append(row, end, match.begin - end).append(*value);
      end = match.end;
      leaves.push_back(match);
    });
    if (!known) return;
    const std::optional<bool> same = leads_to(next.append(row, end), expected);
    if (!same) return;
    for (const text::Match& leaf : leaves) {
      Votes& votes = joint_[leaf.pattern][Draft::beside(classes, leaf.begin, leaf.end)];
      ++(*same ? votes.for_it : votes.against);
    }
  }

  // A joint vote may blame the wrong leaf, so it counts only where there are few others.
  void count_joint_votes() {
    for (std::size_t pattern = 0; pattern < joint_.size(); ++pattern) {
      for (const auto& [pair, votes] : joint_[pattern]) {
        Votes& alone = draft_.evidence(pattern)[pair];
        if (alone.all() < least_)
          alone = {alone.against + votes.against, alone.for_it + votes.for_it};
      }
    }
  }

  std::optional<Row> answer_of(const Row& row) const {
    if (const auto known = answers_.find(row); known != answers_.end()) return *known->second;
    return answer_by_rewriting(row);
  }

  // Whether a leaf may be inside of the question of which not enough is known yet.
  bool waits(const Symbols& classes) const {
    bool waits = false;
    draft_.matcher().visit_bodies(classes, [&](const text::Match& match) {
      if (match.end - match.begin == classes.size()) return;
      const Evidence& evidence = draft_.evidence(match.pattern);
      const auto votes = evidence.find(Draft::beside(classes, match.begin, match.end));
      waits |= votes == evidence.end() || votes->second.for_it >= 20 * votes->second.against;
    });
    return waits;
  }

  void add_patterns(std::size_t length, const std::vector<Question>& questions) {
    if (length > kLongestLeaf) return;
    std::map<Symbols, std::size_t> open;
    for (const Question& question : questions) {
      Symbols classes = corpus_.classes(*question.row);
      if (draft_.matcher().find(classes) || final_.contains(classes)) continue;
      const Draft::Normal normal = draft_.normalise(*question.row);
      if (normal.row == *question.row && !waits(classes)) ++open[std::move(classes)];
    }
    for (const auto& [shape, count] : open) {
      if (count < 2 || count * 50 < questions.size()) continue;
      const std::size_t pattern = draft_.add_pattern(shape);
      draft_.evidence(pattern)[{text::Vocabulary::kStartSymbol, text::Vocabulary::kEndSymbol}]
          .for_it = kGiven;
    }
    for (const Question& question : questions) {
      if (draft_.matcher().find(corpus_.classes(*question.row))) {
        draft_.add_value(*question.row, *question.answer);
      }
    }
    draft_.find_laws();
    draft_.settle_all(least_, tolerance_);
  }

  // A question that has been rewritten to a single leaf shows the value of that leaf: the answer.
  // Where something else is sure of another value, one of the two is wrong, and nothing is learned.
  void harvest() {
    if (options_.progress) options_.progress("values of leaves in longer questions");
    for (const auto& [length, questions] : by_length_) {
      for (const Question& question : questions) {
        const std::optional<Row> leaf = last_leaf(*question.row);
        if (!leaf || *leaf == *question.row) continue;
        const std::optional<Row> value = draft_.value(*leaf);
        if (!value || *value == *question.answer) draft_.add_value(*leaf, *question.answer);
      }
    }
  }

  // What is left of a row when it is one leaf; nothing if it never is.
  std::optional<Row> last_leaf(Row row) const {
    const std::size_t limit = 4 * row.size();
    for (std::size_t step = 0; step < limit; ++step) {
      const std::optional<text::Match> leaf = draft_.matcher().first(corpus_.classes(row));
      if (!leaf) return {};
      const std::size_t size = leaf->end - leaf->begin;
      if (size == row.size()) return row;
      const std::optional<Row> value = draft_.value(row.substr(leaf->begin, size));
      if (!value) return {};
      row.replace(leaf->begin, size, *value);
    }
    return {};
  }

  // The derivations that it found, as steps; what it does not answer right is suspicious.
  TextSystem result() {
    std::vector<TextStep> steps;
    std::uint64_t asked = 0, right = 0;
    std::vector<examples::BadLine> wrong;
    for (const auto& [length, questions] : by_length_) {
      for (const Question& question : questions) {
        ++asked;
        const std::optional<Row> answer = answer_by_rewriting(*question.row);
        if (answer && *answer == *question.answer) {
          ++right;
          continue;
        }
        if (!answer) continue;
        wrong.push_back(
            {corpus_.examples()[question.example].line,
             fmt::format("'{}' is '{}' by the rules found, not '{}'", corpus_.spell(*question.row),
                         corpus_.spell(*answer), corpus_.spell(*question.answer))});
      }
    }
    TextSystem system = finish(draft_, steps);
    system.steps = asked;
    system.explained = right;
    system.suspicious = std::move(wrong);
    return system;
  }

  std::optional<Row> answer_by_rewriting(const Row& row) const {
    Draft::Normal normal = draft_.normalise(row);
    return normal.known ? std::optional(std::move(normal.row)) : std::nullopt;
  }

  Corpus& corpus_;
  const TextOptions& options_;
  double tolerance_;
  std::uint64_t least_;
  Draft draft_;
  std::map<std::size_t, std::vector<Question>> by_length_;
  std::unordered_map<Row, const Row*> answers_;
  std::vector<Evidence> joint_;  // by pattern: see vote_jointly()
  std::set<Symbols> final_;      // classes of answers, which no leaf has
};

}  // namespace

namespace {

bool explains(const TextSystem& system, std::uint64_t percent) {
  return system.explained * 100 >= system.steps * percent;
}

// With the smallest of the tolerances that explains nearly as much as any.
TextSystem learn_by(Corpus& corpus, const TextOptions& options,
                    std::span<const double> tolerances) {
  std::vector<TextSystem> tried;
  std::uint64_t most = 0;
  for (const double tolerance : tolerances) {
    tried.push_back(Learner(corpus, options, tolerance).run());
    if (explains(tried.back(), 98)) return std::move(tried.back());
    most = std::max(most, tried.back().explained);
  }
  const auto nearly = [&](const TextSystem& system) {
    return system.explained * 1000 >= most * 997;
  };
  return std::move(*std::ranges::find_if(tried, nearly));
}

// Examples by which hypotheses are compared: some of all lengths.
std::vector<examples::Example> sample_of_answers(std::span<const examples::Example> examples) {
  constexpr std::size_t kCompared = 12'000;
  const std::size_t step = 1 + examples.size() / kCompared;
  std::vector<examples::Example> sample;
  for (std::size_t i = 0; i < examples.size(); i += step) sample.push_back(examples[i]);
  return sample;
}

Hypothesis choose(std::span<const examples::Example> examples, const TextOptions& options) {
  constexpr std::array kFew{kTolerances.front(), kTolerances[3]};
  const std::vector<examples::Example> sample = sample_of_answers(examples);
  std::optional<std::uint64_t> most;
  Hypothesis chosen;
  for (const Hypothesis& hypothesis : hypotheses(examples)) {
    Corpus corpus(sample, hypothesis);
    const TextSystem system = learn_by(corpus, options, kFew);
    if (!most || system.explained > *most) {
      most = system.explained;
      chosen = hypothesis;
    }
    if (explains(system, 85)) break;  // the rest is noise, or too few examples
  }
  return chosen;
}

// Remembers what was said: the same leaf is asked for again and again.
Solve remembering(const Solve& solve) {
  if (!solve) return {};
  const auto known =
      std::make_shared<std::unordered_map<std::string, std::optional<std::string>>>();
  return [known, solve](std::string_view leaf) {
    const auto [entry, is_new] = known->try_emplace(std::string(leaf));
    if (is_new) entry->second = solve(leaf);
    return entry->second;
  };
}

}  // namespace

TextSystem learn_from_answers(std::span<const examples::Example> examples,
                              const TextOptions& given) {
  const TextOptions options{.progress = given.progress, .solve = remembering(given.solve)};
  Corpus corpus(examples, choose(examples, options));
  TextSystem best = learn_by(corpus, options, kTolerances);
  if (best.patterns.patterns.empty()) {
    throw Error(ErrorKind::kInput, "no short question shows how longer ones are answered",
                "add questions that one step answers, such as 1+2 = 3");
  }
  return best;
}

}  // namespace nrs::teach
