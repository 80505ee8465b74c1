#include "taught/rest.h"

#include <fmt/format.h>

#include "base/rng.h"

namespace nrs::taught {

RestChecker::RestChecker(const Rewriter& rewriter, std::span<const examples::Example> known,
                         std::size_t most_bytes, const ReplayOptions& options)
    : rewriter_(rewriter), options_(options), refused_(most_bytes, 0) {
  for (const examples::Example& example : known) {
    known_.insert(hash_text(example.formulas.front()));
  }
}

void RestChecker::take(examples::Example&& example) {
  constexpr std::size_t kBatch = 1024;
  if (known_.contains(hash_text(example.formulas.front()))) return;
  waiting_.push_back(std::move(example));
  if (waiting_.size() == kBatch) check_waiting();
}

void RestChecker::check_waiting() {
  constexpr std::size_t kMostListed = 1000;
  if (options_.progress && !options_.progress(rest_.score.asked)) waiting_.clear();
  for (const Replay& replay : replay_examples(rewriter_, waiting_, {options_.threads})) {
    const std::size_t length = replay.example->formulas.front().size();
    const bool right = replay.verdict == Verdict::kRight, wrong = replay.verdict == Verdict::kWrong;
    rest_.score.add({length, length, 1, right ? 1U : 0U, wrong ? 1U : 0U});
    if (wrong && rest_.wrong.size() < kMostListed) {
      rest_.wrong.push_back(
          {replay.example->line, fmt::format("'{}': {}", replay.formula, replay.what)});
    }
    if (replay.verdict == Verdict::kRefused) refused_.take(*replay.example);
  }
  waiting_.clear();
}

Rest RestChecker::result() {
  check_waiting();
  rest_.refused = refused_.result();
  return std::move(rest_);
}

}  // namespace nrs::taught
