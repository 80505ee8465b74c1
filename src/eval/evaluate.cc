#include "eval/evaluate.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <map>

#include "base/status_line.h"
#include "base/threads.h"
#include "rewrite/oracle.h"

namespace nrs::eval {
namespace {

// Formulas that are worked on together: many short ones, or a few long ones.
constexpr std::size_t kBatchFormulas = 1024;
constexpr std::size_t kBatchCharacters = std::size_t{1} << 18;
constexpr std::size_t kMostPiece = 64;  // formulas that one thread takes at a time

// Ends the flow of questions from whoever makes them.
struct EnoughAsked {};

// Of a derivation that did not end in the value. Without a fault (nobody knows the domain, or the
// derivation is too long) the class is told from the way it stopped.
ErrorClass classify(const Result& result, const std::optional<FirstFault>& fault) {
  if (!fault) {
    if (result.stop == Stop::kMissing) return ErrorClass::kMissing;
    return result.stop == Stop::kMalformed ? ErrorClass::kMalformed : ErrorClass::kOther;
  }
  switch (fault->fault) {
    case Fault::kNotInFormula:
      return ErrorClass::kMissing;
    case Fault::kNotALeaf:
      return ErrorClass::kMalformed;
    case Fault::kWrongValue:
      return ErrorClass::kSolver;
    default:
      return ErrorClass::kOther;
  }
}

class Evaluation {
 public:
  Evaluation(const RewriterFor& rewriter, int threads, const EvaluationWatch& watch)
      : rewriter_(rewriter), threads_(thread_count(threads)), watch_(watch) {}

  Scores run(const Questions& questions) {
    try {
      questions([this](Question&& question) { take(std::move(question)); });
      flush();
    } catch (const EnoughAsked&) {
      scores_.interrupted = true;
    }
    return std::move(scores_);
  }

 private:
  using Group = std::vector<std::size_t>;  // indexes of questions of one domain
  using Piece = std::span<const std::size_t>;

  void take(Question&& question) {
    characters_ += question.formula.size();
    batch_.push_back(std::move(question));
    if (batch_.size() < kBatchFormulas && characters_ < kBatchCharacters) return;
    flush();
    if (stopped()) throw EnoughAsked{};
  }

  void flush() {
    if (batch_.empty()) return;
    results_.assign(batch_.size(), {});
    Group all(batch_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t cpu_begin = std::clock();
    for_each_piece(all, [&](const Domain* domain, Piece piece) { answer(domain, piece); });
    scores_.cpu_seconds += static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC;
    scores_.seconds += seconds_since(begin);
    count();
    batch_.clear();
    characters_ = 0;
    if (watch_.on_batch) watch_.on_batch(scores_);
  }

  bool stopped() const { return watch_.stop && watch_.stop(); }

  // Calls work(domain, piece) on several threads: formulas of one domain, few enough that each
  // thread gets some.
  void for_each_piece(const Group& indexes,
                      const std::function<void(const Domain*, Piece)>& work) const {
    std::map<const Domain*, Group> groups;
    for (const std::size_t i : indexes) groups[batch_[i].domain].push_back(i);
    const auto shares = 4 * static_cast<std::size_t>(threads_);
    const std::size_t size = std::clamp<std::size_t>(indexes.size() / shares, 1, kMostPiece);
    std::vector<std::pair<const Domain*, Piece>> pieces;
    for (const auto& [domain, group] : groups) {
      for (Piece rest = group; !rest.empty(); rest = rest.subspan(std::min(size, rest.size()))) {
        pieces.emplace_back(domain, rest.first(std::min(size, rest.size())));
      }
    }
    parallel_for(pieces.size(), threads_,
                 [&](std::size_t i) { work(pieces[i].first, pieces[i].second); });
  }

  std::vector<std::string_view> formulas_of(Piece piece) const {
    std::vector<std::string_view> formulas;
    for (const std::size_t i : piece) formulas.push_back(batch_[i].formula);
    return formulas;
  }

  void answer(const Domain* domain, Piece piece) {
    if (stopped()) return;
    std::vector<Result> results = rewriter_(domain).run(formulas_of(piece), {});
    for (std::size_t i = 0; i < piece.size(); ++i) results_[piece[i]] = std::move(results[i]);
  }

  bool right(std::size_t i, const Result& result) const {
    return result.ok() && right_answer(batch_[i], result.formula);
  }

  void count() {
    Group wrong;
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      if (!results_[i]) {
        scores_.interrupted = true;
        continue;
      }
      const Result& result = *results_[i];
      Tally& tally = scores_.levels[level_of(batch_[i])];
      ++tally.formulas;
      ++scores_.stops[name_of(result.stop)];
      if (result.ok()) ++tally.answered;
      if (right(i, result)) {
        ++tally.correct;
      } else {
        wrong.push_back(i);
      }
    }
    failures_.clear();
    for (const std::size_t i : wrong) failures_[i];
    for_each_piece(wrong, [&](const Domain* domain, Piece piece) { analyse(domain, piece); });
    for (auto& [i, failure] : failures_) {
      ++scores_.levels[level_of(batch_[i])].errors[static_cast<std::size_t>(failure.error)];
      failure.question = std::move(batch_[i]);
      if (watch_.on_failure) watch_.on_failure(failure);
    }
  }

  // Each entry of failures_ is there already, so threads may fill in their own.
  void analyse(const Domain* domain, Piece piece) {
    const Rewriter& rewriter = rewriter_(domain);
    const rewrite::ModularRewriter* modules = domain != nullptr ? rewriter.modular() : nullptr;
    if (modules != nullptr) swap_in_oracles(*modules, *domain, piece);
    for (const std::size_t i : piece) {
      Failure& failure = failures_.at(i);
      failure.result = std::move(*results_[i]);
      if (modules != nullptr && can_be_analysed(batch_[i].formula, failure.result)) {
        const std::string_view formula = batch_[i].formula;
        const Result again = rewriter.rewrite(formula, {.keep_rounds = true});
        failure.fault = find_fault(*domain, formula, again,
                                   rewriter.threshold().value_or(-INFINITY), blame_of(failure));
      }
      failure.error = classify(failure.result, failure.fault);
    }
  }

  void swap_in_oracles(const rewrite::ModularRewriter& modules, const Domain& domain, Piece piece) {
    const std::vector<std::string_view> formulas = formulas_of(piece);
    const auto selector = modules.run_with(rewrite::OracleSelector(domain), formulas, {});
    const auto solver = modules.run_with(rewrite::OracleSolver(domain), formulas, {});
    for (std::size_t i = 0; i < piece.size(); ++i) {
      Failure& failure = failures_.at(piece[i]);
      failure.right_with_oracle_selector = right(piece[i], selector[i]);
      failure.right_with_oracle_solver = right(piece[i], solver[i]);
    }
  }

  // The one module with which the other would have come to the value.
  static std::string_view blame_of(const Failure& failure) {
    if (failure.right_with_oracle_selector == failure.right_with_oracle_solver) return {};
    return *failure.right_with_oracle_selector ? "selector" : "solver";
  }

  const RewriterFor& rewriter_;
  int threads_;
  const EvaluationWatch& watch_;
  std::vector<Question> batch_;
  std::size_t characters_ = 0;
  std::vector<std::optional<Result>> results_;  // nothing: not asked any more
  std::map<std::size_t, Failure> failures_;     // by index in the batch
  Scores scores_;
};

}  // namespace

void Tally::add(const Tally& other) {
  formulas += other.formulas;
  answered += other.answered;
  correct += other.correct;
  for (std::size_t i = 0; i < errors.size(); ++i) errors[i] += other.errors[i];
}

Level level_of(const Question& question) {
  return {question.domain != nullptr ? std::string(question.domain->name()) : "", question.nesting,
          question.args};
}

Tally Scores::total() const {
  Tally all;
  for (const auto& [level, tally] : levels) all.add(tally);
  return all;
}

Scores evaluate(const RewriterFor& rewriter, int threads, const EvaluationWatch& watch,
                const Questions& questions) {
  return Evaluation(rewriter, threads, watch).run(questions);
}

}  // namespace nrs::eval
