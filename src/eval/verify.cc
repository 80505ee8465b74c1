#include "eval/verify.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/rng.h"
#include "base/threads.h"
#include "eval/stages.h"

namespace nrs::eval {
namespace {

// Between reports: enough for any number of threads, few enough to show progress. Fixed, so that
// threads change nothing.
constexpr std::size_t kBatchLeaves = std::size_t{1} << 13;
constexpr std::size_t kFormulasAtOnce = 256;
// What one thread takes at a time.
constexpr std::size_t kPieceLeaves = 1024;
constexpr std::size_t kPieceTexts = 64;
constexpr std::size_t kPieceFormulas = 256;

constexpr std::size_t kContextsPerFormula = 100;  // so many contexts of the Selector, one refusal
constexpr std::uint64_t kRefusalStream = 0x7265667573616c;  // apart from the Selector's formulas

using Texts = std::span<const std::string_view>;

// In a text.
struct Selected {
  std::vector<Span> found;
  std::vector<Span> expected;
};

class Verifier {
 public:
  explicit Verifier(const VerifyRequest& request)
      : request_(request), domain_(*request.domain), rewriter_(*request.rewriter) {
    result_.domain = request.domain;
    if (request.trained == nullptr) return;
    result_.seen.emplace();
    result_.unseen.emplace();
  }

  Verification run() {
    check_solver();
    if (request_.contexts == 0) return std::move(result_);
    check_selector();
    check_refusals();
    return std::move(result_);
  }

 private:
  void report() const {
    if (request_.progress && !request_.progress(result_)) throw Interrupted{};
  }

  // What `ask` answers to `texts_`, which it is asked in pieces, on several threads.
  template <class Answer, class Ask>
  std::vector<Answer> ask_in_pieces(std::size_t size, const Ask& ask) const {
    const std::vector<std::string_view> texts(texts_.begin(), texts_.end());
    std::vector<Answer> answers(texts.size());
    const auto ask_some = [&](std::size_t begin, std::size_t count) {
      std::ranges::move(ask(Texts(texts).subspan(begin, count)),
                        answers.begin() + static_cast<std::ptrdiff_t>(begin));
    };
    parallel_pieces(texts.size(), size, request_.threads, ask_some);
    return answers;
  }

  // ---- The Solver, on every leaf and atom

  void check_solver() {
    domain_.for_each_leaf(
        FormulaSpace::kWhole,
        [this](std::string_view leaf, std::string_view value) { add_leaf(leaf, value); });
    ask_solver();
    domain_.for_each_atom([this](std::string_view atom) { add_leaf(atom, ""); });
    ask_solver();
  }

  void add_leaf(std::string_view leaf, std::string_view value) {
    texts_.emplace_back(leaf);
    values_.emplace_back(value);
    if (texts_.size() >= kBatchLeaves) ask_solver();
  }

  void ask_solver() {
    const std::vector<Solution> solutions = ask_in_pieces<Solution>(
        kPieceLeaves, [this](Texts leaves) { return rewriter_.solver().solve(leaves); });
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const bool atom = values_[i].empty();
      const std::optional<LeafFailure> failure = judge(i, solutions[i]);
      if (failure && request_.on_failure) request_.on_failure(*failure);
      count(atom ? result_.atoms : result_.leaves, failure);
      if (atom || request_.trained == nullptr) continue;
      count(request_.trained->contains(texts_[i]) ? *result_.seen : *result_.unseen, failure);
    }
    texts_.clear();
    values_.clear();
    report();
  }

  std::optional<LeafFailure> judge(std::size_t i, const Solution& said) const {
    const bool sure = said.known && said.log_prob >= rewriter_.threshold();
    const bool same =
        said.omega ? values_[i].empty() : said.value == values_[i] && !said.value.empty();
    if (sure && same) return {};
    return LeafFailure{sure, texts_[i], said.value, values_[i], said.log_prob};
  }

  static void count(SolverCheck& check, const std::optional<LeafFailure>& failure) {
    ++check.leaves;
    if (!failure) {
      ++check.right;
      return;
    }
    ++(failure->sure ? check.wrong : check.unsure);
    keep(*failure, failure->sure ? check.first_wrong : check.first_unsure);
  }

  template <class Failure>
  static void keep(const Failure& failure, std::vector<Failure>& first) {
    if (first.size() < kKeptFailures) first.push_back(failure);
  }

  // ---- The Selector, on atoms and on formulas with all that becomes of them

  void check_selector() {
    domain_.for_each_atom([this](std::string_view atom) { texts_.emplace_back(atom); });
    ask_selector();
    SelectorCheck& check = result_.selector;
    while (check.contexts < request_.contexts) {
      std::vector<std::vector<std::string>> stages(kFormulasAtOnce);
      parallel_for(kFormulasAtOnce, request_.threads, [&](std::size_t i) {
        stages[i] = stages_of_formula(domain_, request_.seed, check.formulas + i);
      });
      for (auto& texts : stages) std::ranges::move(texts, std::back_inserter(texts_));
      check.formulas += kFormulasAtOnce;
      ask_selector();
    }
  }

  void ask_selector() {
    const std::vector<Selected> selected = ask_in_pieces<Selected>(kPieceTexts, [this](Texts part) {
      std::vector<Selected> all;
      for (rewrite::ModularRewriter::Found& found : rewriter_.find(part)) {
        all.push_back({std::move(found.leaves),
                       expected_leaves(domain_, part[all.size()], rewriter_.wanted())});
      }
      return all;
    });
    for (std::size_t i = 0; i < texts_.size(); ++i) compare(texts_[i], selected[i]);
    result_.selector.distinct = seen_.size();
    texts_.clear();
    report();
  }

  void compare(const std::string& text, const Selected& selected) {
    const auto& [found, expected] = selected;
    SelectorCheck& check = result_.selector;
    check.contexts += expected.size();
    for (const Span leaf : expected) seen_.insert(around(text, leaf));
    if (found == expected) return;
    for (const Span leaf : expected) {
      if (std::ranges::binary_search(found, leaf)) continue;
      ++check.missed;
      keep({text, leaf, /*missed=*/true}, check.first_failures);
    }
    for (const Span span : found) {
      if (std::ranges::binary_search(expected, span)) continue;
      ++check.extra;
      keep({text, span, /*missed=*/false}, check.first_failures);
    }
  }

  // All that the Selector can see when it decides about a leaf.
  std::string_view around(std::string_view text, Span leaf) const {
    const std::size_t reach = rewriter_.reach();
    if (reach == Selector::kUnbounded) return text;
    const std::size_t begin = leaf.begin - std::min(reach, leaf.begin);
    return text.substr(begin, leaf.end + reach - begin);
  }

  // ---- Both, on what has no value

  void check_refusals() {
    domain_.for_each_valueless([this](std::string_view text) { texts_.emplace_back(text); });
    if (texts_.empty()) return;
    RefusalCheck& check = result_.refusals;
    check.leaves = texts_.size();
    check.formulas = request_.contexts / kContextsPerFormula;
    const std::vector<std::string> valueless = texts_;
    for (std::size_t i = 0; i < check.formulas; ++i) {
      Rng rng(mix(request_.seed, kRefusalStream), i);
      texts_.push_back(spoilt_formula(domain_, valueless, rng));
    }
    const std::vector<Result> results = ask_in_pieces<Result>(
        kPieceFormulas, [this](Texts formulas) { return rewriter_.run(formulas, {}); });
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      if (!results[i].ok()) continue;
      ++check.answered;
      keep(texts_[i], check.first_answered);
    }
    report();
  }

  const VerifyRequest& request_;
  const Domain& domain_;
  const rewrite::ModularRewriter& rewriter_;
  Verification result_;
  std::vector<std::string> texts_;   // to ask about next
  std::vector<std::string> values_;  // of the leaves among them; of an atom, empty
  data::SeenTexts seen_;             // contexts
};

}  // namespace

bool Verification::nothing_wrong() const {
  return leaves.wrong + atoms.wrong + selector.missed + selector.extra + refusals.answered == 0;
}

Verification verify(const VerifyRequest& request) {
  return Verifier(request).run();
}

}  // namespace nrs::eval
