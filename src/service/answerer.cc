#include "service/answerer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <new>

#include "base/text.h"
#include "base/threads.h"

namespace nrs::service {
namespace {

constexpr std::size_t kPiece = 24;  // formulas that one thread takes at a time
constexpr std::size_t kBatchFormulas = 4096;
constexpr std::size_t kBatchCharacters = std::size_t{1} << 20;

// What a formula for this model may consist of, if that can be told in a line.
std::string known_tokens(const std::vector<std::string>& tokens) {
  constexpr std::size_t kMost = 80;
  return tokens.empty() || tokens.size() > kMost
             ? ""
             : fmt::format("the model knows {}", fmt::join(tokens, " "));
}

// People leave blanks at the end of lines. To a model that knows none they can mean nothing.
std::string_view without_blank_end(std::string_view text, const std::vector<std::string>& tokens) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t') &&
         std::ranges::find(tokens, text.substr(text.size() - 1)) == tokens.end()) {
    text.remove_suffix(1);
  }
  return text;
}

// The domains that a model was trained on; none if it was made by a program that has more.
std::vector<const Domain*> trained_domains(const model::Model& model) {
  std::vector<const Domain*> domains;
  for (const Domain* domain : all_domains()) {
    if (std::ranges::find(model.domains, domain->name()) != model.domains.end()) {
      domains.push_back(domain);
    }
  }
  if (domains.size() != model.domains.size()) domains.clear();
  return domains;
}

void rewrite(const Rewriter& rewriter, std::span<Answer* const> answers, const RunOptions& run) {
  std::vector<std::string_view> formulas;
  for (const Answer* answer : answers) formulas.push_back(answer->formula);
  std::vector<Result> results = rewriter.run(formulas, run);
  for (std::size_t i = 0; i < answers.size(); ++i) answers[i]->result = std::move(results[i]);
}

// What has become of it.
void forget(Answer& answer) {
  answer.formula = {};
  answer.result = {};
}

}  // namespace

Answerer::Answerer(architectures::RunningModel model, const Options& options)
    : options_(options), model_(std::move(model)), tokens_(model_->rewriter().tokens()) {
  if (options.notation == Notation::kDomain) domains_ = trained_domains(model_->model());
  unreadable_hint_ = domains_.empty()
                         ? known_tokens(tokens_)
                         : fmt::format("model {} was trained on {}", model_->model().name,
                                       fmt::join(model_->model().domains, ", "));
  if (options.domain != nullptr) domains_ = {options.domain};
}

Answerer::Answerer(const Options& options)
    : options_(options), domains_(all_domains().begin(), all_domains().end()) {
  if (options.domain != nullptr) domains_ = {options.domain};
  oracles_.emplace(domains_);
}

Answerer::Answerer(std::unique_ptr<const Rewriter> rewriter, const Options& options)
    : options_(options), rewriter_(std::move(rewriter)), tokens_(rewriter_->tokens()) {}

std::optional<double> Answerer::threshold() const {
  if (rewriter() == nullptr) return std::nullopt;
  const std::optional<double> its_own = rewriter()->threshold();
  return its_own && options_.run.min_log_prob ? options_.run.min_log_prob : its_own;
}

void Answerer::check(std::string_view text) const {
  Answer answer{.text = std::string(text)};
  read(answer);
}

void Answerer::read(Answer& answer) const {
  if (answer.text.size() > kMaxFormulaLength) throw formula_too_long();
  if (domains_.empty()) {
    answer.formula = options_.notation == Notation::kModel
                         ? answer.text
                         : without_blank_end(answer.text, tokens_);
    if (answer.formula.empty()) throw Error::at(0, "the formula is empty");
  } else {
    ReadFormula input = read_in_any_domain(answer.text, domains_);
    answer.domain = input.domain;
    answer.formula = std::move(input.formula);
  }
  if (rewriter() != nullptr) answer.formula = rewriter()->canonical(std::move(answer.formula));
}

void Answerer::answer(std::span<Answer> answers, const RunOptions& run) const {
  std::map<const Rewriter*, std::vector<Answer*>> readable;
  for (Answer& answer : answers) {
    if (answer.error) continue;
    try {
      read(answer);
      readable[rewriter() ? rewriter() : &oracles_->of(answer.domain)].push_back(&answer);
    } catch (const Error& error) {
      const bool blank = answer.text.find_first_not_of(" \t") == std::string::npos;
      const bool better =
          !blank && !unreadable_hint_.empty() && (error.hint().empty() || domains_.empty());
      answer.error = better ? error.with_hint(unreadable_hint_) : error;
    }
  }
  for (const auto& [rewriter, members] : readable) rewrite(*rewriter, members, run);
}

std::string Answerer::answer(std::span<Answer> answers, int threads, const Show& show,
                             const RunOptions& run) const {
  const std::size_t pieces = (answers.size() + kPiece - 1) / kPiece;
  std::vector<std::string> texts(pieces);
  std::vector<char> starved(pieces);
  const auto piece_of = [&](std::size_t piece) {
    const std::size_t from = piece * kPiece;
    return answers.subspan(from, std::min(kPiece, answers.size() - from));
  };
  parallel_for(pieces, threads, [&](std::size_t piece) {
    try {
      texts[piece] = answer_and_show(piece_of(piece), show, run);
    } catch (const std::bad_alloc&) {
      starved[piece] = 1;
    }
  });
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    if (starved[piece] == 0) continue;
    for (Answer& answer : piece_of(piece)) forget(answer);
  }
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    if (starved[piece] != 0) texts[piece] = show_one_by_one(piece_of(piece), show, run);
  }
  std::string all;  // a lone text may be too long to be copied
  for (std::string& text : texts) {
    if (all.empty()) {
      all = std::move(text);
    } else {
      all += text;
    }
  }
  return all;
}

std::string Answerer::answer_and_show(std::span<Answer> answers, const Show& show,
                                      const RunOptions& run) const {
  answer(answers, run);
  std::string text;
  for (const Answer& one : answers) show(one, text);
  return text;
}

// Memory was short for formulas together. Alone, most of them have enough of it.
std::string Answerer::show_one_by_one(std::span<Answer> answers, const Show& show,
                                      const RunOptions& run) const {
  std::string text;
  for (Answer& one : answers) {
    try {
      text += answer_and_show(std::span(&one, 1), show, run);
    } catch (const std::bad_alloc&) {
      forget(one);
      fail(one, Error(ErrorKind::kInput,
                      fmt::format("there is not enough memory for this formula of {} characters",
                                  one.text.size())));
      show(one, text);
    }
  }
  return text;
}

void fail(Answer& answer, Error error) {
  constexpr std::size_t kShown = 100;
  answer.text = answer.text.substr(0, kShown) + "...";
  answer.error = std::move(error);
}

void for_each_batch(LineReader& lines, std::uint64_t lines_before, const ProcessBatch& process) {
  std::vector<Answer> batch;
  std::size_t characters = 0;
  std::string line;
  while (lines.next(line)) {
    Answer& item = batch.emplace_back();
    item.place = fmt::format("line {}", lines_before + lines.number());
    item.text = std::move(line);
    if (lines.no_memory()) {
      fail(item, Error(ErrorKind::kInput, "there is not enough memory for this formula"));
    } else if (lines.too_long()) {
      fail(item, formula_too_long());
    }
    characters += item.text.size();
    const bool full = batch.size() >= kBatchFormulas || characters >= kBatchCharacters;
    if (!full && lines.more_at_hand()) continue;
    process(batch);
    batch.clear();
    characters = 0;
  }
  if (!batch.empty()) process(batch);
}

std::vector<Rewrite> rewrites_of(std::string_view formula, std::span<const Round> record) {
  std::vector<Rewrite> steps;
  const std::vector<std::string> formulas = replay(formula, record);
  for (std::size_t round = 0; round + 1 < formulas.size(); ++round) {
    for (const Attempt& attempt : record[round]) {
      if (!attempt.applied) continue;
      steps.push_back({.round = round,
                       .span = attempt.step.leaf,
                       .leaf = std::string(attempt.step.leaf.of(formulas[round])),
                       .value = attempt.step.value,
                       .selector_log_prob = attempt.selector_log_prob,
                       .solver_log_prob = attempt.solver_log_prob,
                       .origin = attempt.origin});
    }
  }
  return steps;
}

}  // namespace nrs::service
