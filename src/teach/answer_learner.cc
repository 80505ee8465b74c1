#include "teach/answer_learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "teach/alike.h"
#include "teach/finish.h"
#include "teach/polish.h"
#include "teach/shapes.h"

namespace nrs::teach {
namespace {

constexpr std::uint64_t kMostVotes = 150;       // more are not asked for
constexpr std::uint64_t kMostNoisyVotes = 600;  // the same if answers may be wrong
constexpr std::uint64_t kGiven = 1 << 20;       // votes for what needs none
constexpr std::uint64_t kSureBy = 2;            // examples that agree more than others do
constexpr std::size_t kRounds = 3;              // of voting at one length
constexpr std::size_t kMostSteps = 8;           // of a question, after which votes are counted

struct Answer {
  Row row;
  bool sure;  // false: one wrong example would be enough to make it wrong
};

// What the answer of a question is in the examples.
struct Taught {
  const Row* answer;
  bool sure;
};

struct Question {
  const Row* row;
  const Row* answer;
  std::uint32_t example;    // the first that asks it
  std::uint64_t times = 0;  // examples that are the same
};

class Learner {
 public:
  Learner(Corpus& corpus, const TextOptions& options, const Trust& trust)
      : corpus_(corpus),
        options_(options),
        standard_(trust.standard),
        polished_(trust.polished),
        draft_(corpus) {
    draft_.set_solve(options.solve);
    for (const Question& question : questions_of(corpus)) {
      const bool doubted = !trust.doubted.empty() && trust.doubted[question.example];
      doubted ? doubted_.push_back(question) : by_length_[question.row->size()].push_back(question);
    }
    for (const RowExample& example : corpus.examples()) {
      final_.insert(corpus.classes(example.rows.back()));
    }
    collect_answers();
  }

  AnswerSystem run() {
    for (const auto& [length, questions] : by_length_) {
      if (options_.progress) options_.progress(fmt::format("questions of {} tokens", length));
      vote_up_to(length);
      add_patterns(length, questions);
    }
    harvest();
    draft_.find_laws(standard_.noise);
    accept_alike(draft_);
    if (polished_) polish(draft_, believed(), final_, standard_);
    return result();
  }

 private:
  // Each question with each of its answers once, in the order of the examples.
  static std::vector<Question> questions_of(const Corpus& corpus) {
    std::vector<Question> questions;
    std::unordered_map<std::u32string_view, std::vector<std::uint32_t>> known;
    for (std::uint32_t e = 0; e < corpus.examples().size(); ++e) {
      const RowExample& example = corpus.examples()[e];
      const Row &row = example.rows.front(), &answer = example.rows.back();
      if (example.rows.size() < 2 || row == answer) continue;
      std::vector<std::uint32_t>& same = known[row];
      const auto found = std::ranges::find_if(
          same, [&](std::uint32_t q) { return *questions[q].answer == answer; });
      if (found != same.end()) {
        questions[*found].times += example.times;
        continue;
      }
      same.push_back(static_cast<std::uint32_t>(questions.size()));
      questions.push_back({&row, &answer, e, example.times});
    }
    return questions;
  }

  bool noisy() const { return standard_.noise > 0; }

  std::vector<AskedRow> believed() const {
    std::vector<AskedRow> all;
    for (const auto& [length, questions] : by_length_) {
      for (const Question& question : questions)
        all.push_back({question.row, question.answer, question.times});
    }
    return all;
  }

  // The answer that most examples give to a question.
  void collect_answers() {
    struct Count {
      const Question* usual = nullptr;
      std::uint64_t all = 0;
    };
    std::unordered_map<std::u32string_view, Count> counts;
    for (const auto& [length, questions] : by_length_) {
      for (const Question& question : questions) {
        Count& count = counts[*question.row];
        count.all += question.times;
        if (count.usual == nullptr || usual_before(question, *count.usual)) count.usual = &question;
      }
    }
    answers_.reserve(counts.size());
    for (const auto& [row, count] : counts) {
      const bool sure = !noisy() || 2 * count.usual->times >= count.all + kSureBy;
      answers_.emplace(row, Taught{count.usual->answer, sure});
    }
  }
  static bool usual_before(const Question& a, const Question& b) {
    return a.times != b.times ? a.times > b.times : *a.answer < *b.answer;
  }

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
      if (!draft_.settle_all(standard_)) return;
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
    used_.clear();
  }

  // Votes in the question and in what it becomes. A question votes once for two neighbours if its
  // answer may be wrong; else as often as they are met, but in what it becomes only where votes are
  // few.
  void vote(const Question& question) {
    Row row = *question.row;
    std::uint64_t enough = noisy() ? kMostNoisyVotes : kMostVotes;
    voted_.clear();
    for (std::size_t step = 0; step <= kMostSteps; ++step) {
      const Symbols classes = corpus_.classes(row);
      vote(row, classes, question, enough);
      if (!noisy()) enough = standard_.least;
      const std::optional<text::Match> leaf = draft_.matcher().first(classes);
      if (!leaf || leaf->end - leaf->begin == row.size()) return;
      const std::size_t size = leaf->end - leaf->begin;
      const std::optional<Row> value = draft_.value(row.substr(leaf->begin, size));
      if (!value) return;
      row.replace(leaf->begin, size, *value);
    }
  }

  void vote(const Row& row, const Symbols& classes, const Question& question,
            std::uint64_t enough) {
    const Row& expected = *question.answer;
    std::size_t undecided = 0;
    draft_.matcher().visit_bodies(classes, [&](const text::Match& match) {
      const std::size_t size = match.end - match.begin;
      if (size == classes.size()) return;
      const Neighbours pair = Draft::beside(classes, match.begin, match.end);
      Votes& votes = draft_.evidence(match.pattern)[pair];
      if (votes.all() >= enough || voted_.contains({match.pattern, pair})) return;
      const std::optional<Row> value = draft_.value(row.substr(match.begin, size));
      if (!value) return;
      Row next = row;
      const std::optional<Answer> answer = answer_of(next.replace(match.begin, size, *value));
      const std::optional<bool> same = compare(answer, expected);
      undecided += !same;
      if (!same) return;
      if (!answer->sure && !used_[{match.pattern, pair}].insert(std::move(next)).second) return;
      // An answer that may be wrong is one vote, however often the question is asked.
      (*same ? votes.for_it : votes.against) += answer->sure ? question.times : 1;
      if (noisy()) voted_.insert({match.pattern, pair});
    });
    if (undecided > 1 && !noisy()) vote_jointly(row, classes, question);
  }

  // Whether an answer is what was expected; nothing if it is none.
  std::optional<bool> compare(const std::optional<Answer>& answer, const Row& expected) const {
    if (!answer) return {};
    if (answer->row == expected) return true;
    return corpus_.classes(answer->row) == corpus_.classes(expected) ? std::optional(false)
                                                                     : std::nullopt;
  }

  // Where each of several leaves can be answered only when the others have been, all are replaced
  // at once, and the vote is for all of their neighbours.
  void vote_jointly(const Row& row, const Symbols& classes, const Question& question) {
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
    const std::optional<bool> same = compare(answer_of(next.append(row, end)), *question.answer);
    if (!same) return;
    for (const text::Match& leaf : leaves) {
      Votes& votes = joint_[leaf.pattern][Draft::beside(classes, leaf.begin, leaf.end)];
      (*same ? votes.for_it : votes.against) += question.times;
    }
  }

  // A joint vote may blame the wrong leaf, so it counts only where there are few others.
  void count_joint_votes() {
    for (std::size_t pattern = 0; pattern < joint_.size(); ++pattern) {
      for (const auto& [pair, votes] : joint_[pattern]) {
        Votes& alone = draft_.evidence(pattern)[pair];
        if (alone.all() < standard_.least)
          alone = {alone.against + votes.against, alone.for_it + votes.for_it};
      }
    }
  }

  // By an example; but what only one of them says may be wrong, and rewriting goes before it.
  std::optional<Answer> answer_of(const Row& row) const {
    const auto known = answers_.find(row);
    const auto taught = [&] { return Answer{*known->second.answer, known->second.sure}; };
    if (known != answers_.end() && known->second.sure) return taught();
    std::optional<Row> found = answer_by_rewriting(row);
    const bool final = found && final_.contains(corpus_.classes(*found));
    if (known != answers_.end() && !final) return taught();
    return found ? std::optional(Answer{std::move(*found), true}) : std::nullopt;
  }

  // Whether a leaf may be inside of the question of which not enough is known yet.
  bool waits(const Symbols& classes) const {
    bool waits = false;
    draft_.matcher().visit_bodies(classes, [&](const text::Match& match) {
      if (match.end - match.begin == classes.size()) return;
      const Evidence& evidence = draft_.evidence(match.pattern);
      const auto votes = evidence.find(Draft::beside(classes, match.begin, match.end));
      waits |= votes == evidence.end() || !standard_.refuses(votes->second);
    });
    return waits;
  }

  void add_patterns(std::size_t length, const std::vector<Question>& questions) {
    if (length > kLongestLeaf) return;
    std::map<Symbols, std::size_t> open;
    std::size_t all = 0;
    for (const Question& question : questions) {
      all += question.times;
      Symbols classes = corpus_.classes(*question.row);
      if (draft_.matcher().find(classes) || final_.contains(classes)) continue;
      const Draft::Normal normal = draft_.normalise(*question.row);
      if (normal.row == *question.row && !waits(classes))
        open[std::move(classes)] += question.times;
    }
    for (const auto& [shape, count] : open) {
      if (count < 2 || count * 50 < all) continue;
      const std::size_t pattern = draft_.add_pattern(shape);
      draft_.evidence(pattern)[{text::Vocabulary::kStartSymbol, text::Vocabulary::kEndSymbol}]
          .for_it = kGiven;
    }
    for (const Question& question : questions) {
      if (draft_.matcher().find(corpus_.classes(*question.row))) {
        draft_.add_value(*question.row, *question.answer, question.times);
      }
    }
    draft_.find_laws(standard_.noise);
    draft_.settle_all(standard_);
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
        if (!value || *value == *question.answer)
          draft_.add_value(*leaf, *question.answer, question.times);
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

  // What it answers otherwise than the examples is suspicious.
  AnswerSystem result() {
    AnswerSystem found{.system = finish(draft_, {})};
    for (const auto& [length, questions] : by_length_) {
      for (const Question& question : questions) ask(question, found);
    }
    for (const Question& question : doubted_) ask(question, found);
    name_wrong_lines(found);
    return found;
  }

  void ask(const Question& question, AnswerSystem& found) {
    found.system.steps += question.times;
    const std::optional<Row> answer = answer_by_rewriting(*question.row);
    if (!answer || !final_.contains(corpus_.classes(*answer))) return;
    if (*answer == *question.answer) {
      found.system.explained += question.times;
      return;
    }
    found.wrong.push_back(question.example);
    found.wrong_times += question.times;
    wrong_.emplace(*question.row, std::pair(question.answer, std::move(*answer)));
  }

  // Every line that says the same.
  void name_wrong_lines(AnswerSystem& found) const {
    if (wrong_.empty()) return;
    for (const RowExample& example : corpus_.examples()) {
      const auto [first, last] = wrong_.equal_range(example.rows.front());
      for (auto wrong = first; wrong != last; ++wrong) {
        const auto& [given, answer] = wrong->second;
        if (*given != example.rows.back()) continue;
        found.system.suspicious.push_back(
            {example.line,
             fmt::format("'{}' is '{}' by the rules found, not '{}'", corpus_.spell(wrong->first),
                         corpus_.spell(answer), corpus_.spell(*given))});
      }
    }
  }

  std::optional<Row> answer_by_rewriting(const Row& row) const {
    Draft::Normal normal = draft_.normalise(row);
    return normal.known ? std::optional(std::move(normal.row)) : std::nullopt;
  }

  Corpus& corpus_;
  const TextOptions& options_;
  Standard standard_;
  bool polished_;
  Draft draft_;
  std::map<std::size_t, std::vector<Question>> by_length_;
  std::vector<Question> doubted_;  // not learned from
  std::unordered_map<std::u32string_view, Taught> answers_;
  std::set<std::pair<std::size_t, Neighbours>> voted_;  // by the question that votes now
  // Questions whose answer is not sure, and the neighbours that it was a vote for: one vote each.
  std::map<std::pair<std::size_t, Neighbours>, std::set<Row>> used_;
  std::vector<Evidence> joint_;  // by pattern: see vote_jointly()
  // By question that is answered otherwise: the answer that it has, and that by the rules found.
  std::multimap<Row, std::pair<const Row*, Row>> wrong_;
  std::set<Symbols> final_;  // classes of answers, which no leaf has
};

}  // namespace

AnswerSystem learn_answers(Corpus& corpus, const TextOptions& options, const Trust& trust) {
  return Learner(corpus, options, trust).run();
}

}  // namespace nrs::teach
