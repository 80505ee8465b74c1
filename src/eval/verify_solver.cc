#include <algorithm>

#include "base/threads.h"
#include "eval/verify_parts.h"

namespace nrs::eval {
namespace {

// Enough for any number of threads, few enough to show progress.
constexpr std::size_t kBatchLeaves = std::size_t{1} << 13;
constexpr std::size_t kPieceLeaves = 1024;  // one thread takes at a time

class SolverVerifier {
 public:
  SolverVerifier(const VerifyRequest& request, Verification& result)
      : request_(request), result_(result) {
    if (request.trained != nullptr) {
      result_.seen.emplace();
      result_.unseen.emplace();
    }
  }

  void run() {
    request_.domain->for_each_leaf(
        FormulaSpace::kWhole,
        [this](std::string_view leaf, std::string_view value) { add(leaf, value); });
    flush(/*atoms=*/false);
    request_.domain->for_each_atom([this](std::string_view atom) { add(atom, ""); });
    flush(/*atoms=*/true);
  }

 private:
  void add(std::string_view leaf, std::string_view value) {
    leaves_.emplace_back(leaf);
    values_.emplace_back(value);
    if (leaves_.size() >= kBatchLeaves) flush(value.empty());
  }

  void flush(bool atoms) {
    const std::vector<std::string_view> views(leaves_.begin(), leaves_.end());
    const std::vector<Solution> solutions = solve(views);
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      const std::optional<LeafFailure> failure = judge(i, solutions[i]);
      if (failure && request_.on_failure) request_.on_failure(*failure);
      count(atoms ? result_.atoms : result_.leaves, failure);
      if (atoms || request_.trained == nullptr) continue;
      count(request_.trained->contains(leaves_[i]) ? *result_.seen : *result_.unseen, failure);
    }
    leaves_.clear();
    values_.clear();
    report_progress(request_, result_);
  }

  std::vector<Solution> solve(std::span<const std::string_view> leaves) const {
    std::vector<Solution> solutions(leaves.size());
    parallel_for((leaves.size() + kPieceLeaves - 1) / kPieceLeaves, request_.threads,
                 [&](std::size_t piece) {
                   const std::size_t from = piece * kPieceLeaves;
                   const std::size_t count = std::min(kPieceLeaves, leaves.size() - from);
                   std::ranges::move(request_.rewriter->solver().solve(leaves.subspan(from, count)),
                                     solutions.begin() + static_cast<std::ptrdiff_t>(from));
                 });
    return solutions;
  }

  std::optional<LeafFailure> judge(std::size_t i, const Solution& said) const {
    const bool sure = said.known && said.log_prob >= request_.rewriter->threshold();
    const bool same =
        said.omega ? values_[i].empty() : said.value == values_[i] && !said.value.empty();
    if (sure && same) return {};
    return LeafFailure{sure, leaves_[i], said.value, values_[i], said.log_prob};
  }

  static void count(SolverCheck& check, const std::optional<LeafFailure>& failure) {
    ++check.leaves;
    if (!failure) {
      ++check.right;
      return;
    }
    ++(failure->sure ? check.wrong : check.unsure);
    std::vector<LeafFailure>& first = failure->sure ? check.first_wrong : check.first_unsure;
    if (first.size() < kKeptFailures) first.push_back(*failure);
  }

  const VerifyRequest& request_;
  Verification& result_;
  std::vector<std::string> leaves_;
  std::vector<std::string> values_;
};

}  // namespace

void verify_solver(const VerifyRequest& request, Verification& result) {
  SolverVerifier(request, result).run();
}

}  // namespace nrs::eval
